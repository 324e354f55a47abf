// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>

#include "diagnosis/detectors/observation.h"

namespace lockstep {

/// How many samples, or tokens, a rank has to work on in a step, beside the others: 1.3 is 30 % more than their median. 1 where
/// nobody has measured it. `rank`: its place in RecentSamples::ranks().
[[nodiscard]] double loadOf(const Observation& seen, std::size_t rank);
/// So many that it explains why the rank takes longer.
[[nodiscard]] bool hasMoreData(const Observation& seen, std::size_t rank);

inline constexpr double kUnbalanced = 0.1;

}  // namespace lockstep
