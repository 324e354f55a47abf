// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <vector>

namespace lockstep {

// Statistics that single wild values do not move. NaN: of nothing.

[[nodiscard]] double medianOf(std::vector<double> values);
/// `share` of the values are smaller; 0 to 1.
[[nodiscard]] double quantileOf(std::vector<double> values, double share);
/// Of a normal distribution its standard deviation: 1.4826 times the median distance from `middle`.
[[nodiscard]] double spreadAround(std::span<const double> values, double middle);
/// The median of all values but one, for each of them. Values that are not finite do not count. Cost: to sort once.
class MedianOfOthers {
 public:
  explicit MedianOfOthers(std::span<const double> values);
  /// `value`: one of them, or not finite, then of all.
  [[nodiscard]] double without(double value) const;
  [[nodiscard]] std::size_t count() const { return sorted_.size(); }

 private:
  std::vector<double> sorted_;
};

/// A straight line through points, by least squares.
struct Trend {
  double perUnit = 0;  // its slope
  double fit = 0;      // R²: the share of the variance that it explains; 0 to 1
  double atEnd = 0;    // its value at the last x
  double reach = 0;    // from the first x to the last
};
[[nodiscard]] Trend trendOf(std::span<const double> x, std::span<const double> y);

}  // namespace lockstep
