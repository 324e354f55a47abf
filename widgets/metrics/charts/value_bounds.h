// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <limits>

namespace lockstep {

/// The smallest and the largest of some values; empty at first.
struct ValueBounds {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void add(const ValueBounds& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
  [[nodiscard]] bool isEmpty() const { return low > high; }
};

}  // namespace lockstep
