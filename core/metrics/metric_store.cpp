// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_store.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

bool isBefore(const MetricPoint& a, const MetricPoint& b) {
  return a.step != b.step ? a.step < b.step : a.time < b.time;
}
bool isSamePlace(const MetricPoint& a, const MetricPoint& b) {
  return a.step == b.step && a.time == b.time;
}

/// Collects the spans of one pixel column after the other.
class SpanBuilder {
 public:
  explicit SpanBuilder(std::size_t expected) { spans_.reserve(expected); }

  void add(const MetricPoint& point, long long pixel) {
    if (pixel != pixel_) finish();
    pixel_ = pixel;
    const auto x = static_cast<double>(point.step);
    if (!std::isfinite(point.value)) {
      gap_ = x;
      return;
    }
    if (!open_) current_ = {x, point.value, point.value, point.value};
    current_.x = x;
    current_.min = std::min(current_.min, point.value);
    current_.max = std::max(current_.max, point.value);
    current_.last = point.value;
    open_ = true;
  }
  std::vector<PixelSpan> take() {
    finish();
    return std::move(spans_);
  }

 private:
  void finish() {
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    // A value after the gap in the same pixel comes after it in the drawing, too.
    const bool gapFirst = gap_ && open_ && *gap_ < current_.x;
    if (gap_ && gapFirst) spans_.push_back({*gap_, kNothing, kNothing, kNothing});
    if (open_) spans_.push_back(current_);
    if (gap_ && !gapFirst) spans_.push_back({*gap_, kNothing, kNothing, kNothing});
    gap_.reset();
    open_ = false;
  }

  std::vector<PixelSpan> spans_;
  PixelSpan current_;
  std::optional<double> gap_;
  bool open_ = false;
  long long pixel_ = std::numeric_limits<long long>::min();
};

}  // namespace

void MetricStore::add(const MetricSeriesBatch& batch) {
  if (batch.points.empty()) return;
  auto& points = series_[batch.name][batch.rank];
  const auto before = static_cast<std::ptrdiff_t>(points.size());
  points.insert(points.end(), batch.points.begin(), batch.points.end());
  const auto middle = points.begin() + before;
  if (!std::is_sorted(middle, points.end(), isBefore)) std::stable_sort(middle, points.end(), isBefore);
  // The usual case: all new ones come after all old ones. Otherwise only the part that overlaps is merged.
  auto first = std::lower_bound(points.begin(), middle, *middle, isBefore);
  if (first != middle) std::inplace_merge(first, middle, points.end(), isBefore);
  if (first != points.begin()) --first;
  points.erase(std::unique(first, points.end(), isSamePlace), points.end());
}

std::vector<std::string> MetricStore::names() const {
  std::vector<std::string> result;
  for (const auto& [name, ranks] : series_) result.push_back(name);
  return result;
}

std::vector<Rank> MetricStore::ranks(const std::string& name) const {
  std::vector<Rank> result;
  if (const auto found = series_.find(name); found != series_.end())
    for (const auto& [rank, points] : found->second) result.push_back(rank);
  return result;
}

const std::vector<MetricPoint>& MetricStore::series(const std::string& name, Rank rank) const {
  static const std::vector<MetricPoint> none;
  const auto named = series_.find(name);
  if (named == series_.end()) return none;
  const auto ranked = named->second.find(rank);
  return ranked == named->second.end() ? none : ranked->second;
}

std::optional<MetricPoint> MetricStore::last(const std::string& name, Rank rank) const {
  const auto& points = series(name, rank);
  if (points.empty()) return std::nullopt;
  return points.back();
}

std::vector<PixelSpan> MetricStore::downsampled(const std::string& name, Rank rank, double fromStep,
                                                double toStep, int pixels) const {
  const auto& points = series(name, rank);
  if (pixels <= 0 || !(fromStep <= toStep)) return {};
  const auto stepBelow = [](const MetricPoint& p, double step) { return static_cast<double>(p.step) < step; };
  const auto belowStep = [](double step, const MetricPoint& p) { return step < static_cast<double>(p.step); };
  auto first = std::lower_bound(points.begin(), points.end(), fromStep, stepBelow);
  auto last = std::upper_bound(first, points.end(), toStep, belowStep);
  if (first != points.begin()) --first;
  if (last != points.end()) ++last;
  const double perPixel = std::max((toStep - fromStep) / pixels, std::numeric_limits<double>::min());
  SpanBuilder spans(static_cast<std::size_t>(std::min<std::ptrdiff_t>(last - first, 2LL * pixels + 2)));
  for (auto point = first; point != last; ++point) {
    const double place = (static_cast<double>(point->step) - fromStep) / perPixel;
    spans.add(*point, static_cast<long long>(std::clamp(std::floor(place), -1.0, pixels + 1.0)));
  }
  return spans.take();
}

std::size_t MetricStore::sampleCount() const {
  std::size_t count = 0;
  for (const auto& [name, ranks] : series_)
    for (const auto& [rank, points] : ranks) count += points.size();
  return count;
}

}  // namespace lockstep
