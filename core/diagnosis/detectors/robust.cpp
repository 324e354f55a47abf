// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/detectors/robust.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace lockstep {
namespace {
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kPerDeviation = 1.4826;  // of a normal distribution
}  // namespace

double quantileOf(std::vector<double> values, double share) {
  if (values.empty()) return kNothing;
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::ranges::nth_element(values, low);
  const double fraction = place - std::floor(place);
  if (fraction == 0) return *low;
  return *low + fraction * (*std::min_element(low + 1, values.end()) - *low);
}

double medianOf(std::vector<double> values) {
  return quantileOf(std::move(values), 0.5);
}

double spreadAround(std::span<const double> values, double middle) {
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::fabs(value - middle));
  return kPerDeviation * medianOf(std::move(distances));
}

MedianOfOthers::MedianOfOthers(std::span<const double> values) {
  std::ranges::copy_if(values, std::back_inserter(sorted_),
                       [](double value) { return std::isfinite(value); });
  std::ranges::sort(sorted_);
}

double MedianOfOthers::without(double value) const {
  const auto found = std::isfinite(value) ? std::ranges::lower_bound(sorted_, value) : sorted_.end();
  const auto gap = static_cast<std::size_t>(found - sorted_.begin());
  const std::size_t count = sorted_.size() - (gap < sorted_.size() ? 1 : 0);
  if (count == 0) return kNothing;
  const auto at = [&](std::size_t place) {
    return sorted_[place < gap ? place : place + 1];
  };  // gap: left out
  return (at((count - 1) / 2) + at(count / 2)) / 2;
}

Trend trendOf(std::span<const double> x, std::span<const double> y) {
  Trend trend;
  const auto count = static_cast<double>(x.size());
  if (x.size() < 2) return trend;
  double meanX = 0, meanY = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    meanX += x[i] / count;
    meanY += y[i] / count;
  }
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - meanX) * (x[i] - meanX);
    xy += (x[i] - meanX) * (y[i] - meanY);
    yy += (y[i] - meanY) * (y[i] - meanY);
  }
  if (xx <= 0) return trend;
  trend.perUnit = xy / xx;
  trend.fit = yy > 0 ? xy * xy / (xx * yy) : 0;
  trend.atEnd = meanY + trend.perUnit * (x.back() - meanX);
  trend.reach = x.back() - x.front();
  return trend;
}

}  // namespace lockstep
