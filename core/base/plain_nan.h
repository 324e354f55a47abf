// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cmath>
#include <limits>

namespace lockstep {

/// The same number, but one and the same NaN for all: x86 makes those of infinities negative, and "-nan" in a
/// log looks like another thing than "nan".
[[nodiscard]] inline double plainNan(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

}  // namespace lockstep
