// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>

namespace lockstep {

/// Since the kernel started this process (to 10 ms), so that loading the libraries counts as well.
[[nodiscard]] std::chrono::milliseconds timeSinceProcessStart();
/// Resident memory of this process.
[[nodiscard]] double residentMegabytes();

}  // namespace lockstep
