// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/imports/imported_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/encoding.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxNameBytes = 300;
constexpr double kMostStrangers = 0.05;  // of the points of a quantity that is counted as most are

bool isName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && isUtf8(name) &&
         std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

/// Where a rank was by the quantity that has the most points: sorted by time.
class Path {
 public:
  explicit Path(std::vector<MetricPoint> points) : points_(std::move(points)) {
    std::stable_sort(points_.begin(), points_.end(),
                     [](const MetricPoint& a, const MetricPoint& b) { return a.time < b.time; });
  }
  [[nodiscard]] Step stepAt(TimePoint time) const {
    const auto after = firstAfter(time);
    return after == points_.begin() ? after->step : std::prev(after)->step;
  }
  /// Whether a rank on this path can have been at that step then: what is recorded together is so a little apart.
  [[nodiscard]] bool isNear(const MetricPoint& point) const {
    const auto after = firstAfter(point.time);
    const auto from = after == points_.begin() ? after : std::prev(after);
    const auto to = after == points_.end() ? std::prev(after) : after;
    const auto [low, high] = std::minmax(from->step, to->step);
    const Step room = std::max<Step>(1, high - low);
    return point.step >= low - room && point.step <= high + room;
  }

 private:
  [[nodiscard]] std::vector<MetricPoint>::const_iterator firstAfter(TimePoint time) const {
    return std::upper_bound(points_.begin(), points_.end(), time,
                            [](TimePoint at, const MetricPoint& point) { return at < point.time; });
  }
  std::vector<MetricPoint> points_;
};

bool isOfOtherSteps(const Path& path, const std::vector<MetricPoint>& points) {
  const auto strangers =
      std::count_if(points.begin(), points.end(), [&](const MetricPoint& one) { return !path.isNear(one); });
  return static_cast<double>(strangers) > kMostStrangers * static_cast<double>(points.size());
}

void note(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

Result<void> addSample(ImportedRun& run, Rank rank, std::string_view name, const MetricPoint& point) {
  ImportedSeries& series = run.ranks[rank];
  auto known = series.find(name);
  if (known == series.end() && (!isName(name) || series.size() == kMaxImportedNames)) {
    ++run.passedOver;
    return {};
  }
  if (run.samples == kMaxImportedSamples)
    return failure(ErrorCode::ResourceExhausted, fmt::format("cannot import '{}'", run.name),
                   fmt::format("it has more than {} samples", kMaxImportedSamples),
                   "import a part of it: a folder or a file of one run");
  if (known == series.end()) known = series.emplace(std::string(name), std::vector<MetricPoint>()).first;
  known->second.push_back(point);
  ++run.samples;
  return {};
}

void alignSteps(ImportedRun& run) {
  if (!run.hasTimes) return;
  for (auto& [rank, series] : run.ranks) {
    const auto longest = std::max_element(series.begin(), series.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    if (longest == series.end() || longest->second.empty()) continue;
    const Path path(longest->second);
    for (auto& [name, points] : series) {
      if (&points == &longest->second || !isOfOtherSteps(path, points)) continue;
      for (MetricPoint& point : points) point.step = path.stepAt(point.time);
      note(run.otherSteps, name);
    }
  }
}

std::pair<TimePoint, TimePoint> timesOf(const ImportedRun& run) {
  auto times = std::pair(TimePoint::max(), TimePoint::min());
  for (const auto& [rank, series] : run.ranks)
    for (const auto& [name, points] : series)
      for (const MetricPoint& point : points)
        times = {std::min(times.first, point.time), std::max(times.second, point.time)};
  return times;
}

}  // namespace lockstep
