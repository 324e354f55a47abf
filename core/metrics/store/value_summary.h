// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lockstep {

/// What a range of values comes to. What is not finite counts, but is no value.
struct ValueSummary {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double first = 0, last = 0;  // of the finite ones; 0: there are none
  double sum = 0;
  std::uint64_t finite = 0, notFinite = 0;

  [[nodiscard]] bool isEmpty() const { return finite + notFinite == 0; }
  [[nodiscard]] double mean() const { return finite == 0 ? 0 : sum / static_cast<double>(finite); }

  void add(double value) {
    if (!std::isfinite(value)) {
      ++notFinite;
      return;
    }
    if (finite == 0) first = value;
    min = std::min(min, value);
    max = std::max(max, value);
    last = value;
    sum += value;
    ++finite;
  }

  /// Of the range that follows this one.
  void append(const ValueSummary& later) {
    notFinite += later.notFinite;
    if (later.finite == 0) return;
    if (finite == 0) first = later.first;
    min = std::min(min, later.min);
    max = std::max(max, later.max);
    last = later.last;
    sum += later.sum;
    finite += later.finite;
  }
};

}  // namespace lockstep
