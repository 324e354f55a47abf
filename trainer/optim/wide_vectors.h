// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The loader picks the widest version of a function that the processor has. Sanitizers' runtimes are not up
// yet when it asks.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LOCKSTEP_WIDEST_VECTORS
#endif
