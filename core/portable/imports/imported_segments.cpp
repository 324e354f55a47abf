// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/imports/imported_segments.h"

#include <algorithm>
#include <tuple>

#include "metrics/segments/metric_index.h"
#include "metrics/segments/metric_summary.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

// Readers keep a place for each quantity in each row.
constexpr std::size_t kMaxPlaces = 1 << 20, kMaxRows = 4096, kMinRows = 64;

struct Sample {
  TimePoint time{};
  Step step = 0;
  std::string_view name;
  double value = 0;
};

std::vector<Sample> byTime(const ImportedSeries& series) {
  std::size_t count = 0;
  for (const auto& [name, points] : series) count += points.size();
  std::vector<Sample> all;
  all.reserve(count);
  for (const auto& [name, points] : series)
    for (const MetricPoint& point : points) all.push_back({point.time, point.step, name, point.value});
  std::stable_sort(all.begin(), all.end(), [](const Sample& a, const Sample& b) {
    return std::tie(a.time, a.step) < std::tie(b.time, b.step);
  });
  return all;
}

/// Writes the segments of one rank, one after another.
class RankSegments {
 public:
  RankSegments(Rank rank, std::size_t names, const PutSegment& put)
      : rows_(std::clamp(kMaxPlaces / std::max<std::size_t>(names, 1), kMinRows, kMaxRows)), put_(put) {
    next_.rank = rank;
  }

  Result<void> addRow(Step step, TimePoint time, const std::vector<NamedValue>& values) {
    next_.append(step, time, values);
    return next_.rows.size() < rows_ ? Result<void>() : finish();
  }

  Result<void> finish() {
    if (next_.rows.empty()) return {};
    if (auto done = put_(segmentName(next_.rank, next_.sequence), encodeSegment(next_)); !done) return done;
    for (const SegmentSummary& summary : summaries_.add(next_))
      if (auto done = put_(segmentName(summary.id), encodeSummary(summary)); !done) return done;
    MetricSegment following;
    following.rank = next_.rank;
    following.sequence = next_.sequence + 1;
    next_ = std::move(following);
    return {};
  }

  [[nodiscard]] std::uint64_t count() const { return next_.sequence; }

 private:
  std::size_t rows_;
  const PutSegment& put_;
  MetricSegment next_;
  SummaryBuilder summaries_;
};

// Samples of one step and time are a row; a quantity that is there twice begins another one.
Result<void> addRows(const std::vector<Sample>& samples, RankSegments& to, const std::stop_token& stop) {
  std::vector<NamedValue> values;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& one = samples[i];
    values.emplace_back(one.name, one.value);
    const bool isLast = i + 1 == samples.size() || samples[i + 1].time != one.time ||
                        samples[i + 1].step != one.step || samples[i + 1].name == one.name;
    if (!isLast) continue;
    if (stop.stop_requested()) return failure(ErrorCode::Cancelled, "the run was not imported", "cancelled");
    if (auto done = to.addRow(one.step, one.time, values); !done) return done;
    values.clear();
  }
  return to.finish();
}

}  // namespace

Result<void> putSegments(const ImportedRun& run, const PutSegment& put, const std::stop_token& stop) {
  MetricIndex index;
  for (const auto& [rank, series] : run.ranks) {
    RankSegments segments(rank, series.size(), put);
    if (auto done = addRows(byTime(series), segments, stop); !done) return done;
    index.segments.resize(static_cast<std::size_t>(rank.value) + 1);
    index.segments.back() = segments.count();
  }
  return put(layout::kMetricIndexName, toText(index));
}

}  // namespace lockstep
