// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockstep {

/// How far ticks stand apart that read well, for about `count` of them over `range` (> 0): 1, 2 or 5 times a power of ten.
[[nodiscard]] double decimalTickStep(double range, int count);
/// Likewise in seconds: from a second on also 15 and 30 seconds, minutes, hours, days.
[[nodiscard]] double timeTickStep(double range, int count);

}  // namespace lockstep
