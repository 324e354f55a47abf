// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/segment_filter.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr std::size_t kMaxNames = 16'384;  // some runs have one for each layer and statistic
constexpr Step kMaxStep = Step{1} << 53;
// So that the difference of two times never overflows.
constexpr TimePoint kLatest = std::chrono::sys_days(std::chrono::year(2200) / 1 / 1);

bool isPossible(const MetricSegment::Row& row) {
  return row.step >= -kMaxStep && row.step <= kMaxStep && row.time >= TimePoint() && row.time < kLatest;
}

void dropRow(MetricSegment& segment, std::size_t row) {
  for (auto& column : segment.columns) column.cells[row].reset();
}

}  // namespace

std::optional<SegmentId> SegmentFilter::place(std::string_view name, std::uint64_t bytes) {
  const auto place = parseSegmentName(name);
  if (!place) return std::nullopt;
  if (!isWithin(place->rank)) {
    found(Kind::Rank, fmt::format("the metrics hold '{}', of a rank that the run does not have", name),
          worldSize_ == kMaxRanks ? fmt::format("no run has more than {} ranks", kMaxRanks)
                                  : fmt::format("the run has {} ranks", worldSize_));
    return std::nullopt;
  }
  if (bytes > kMaxSegmentBytes) {
    found(Kind::Size, fmt::format("the metrics hold '{}', which is too large for a segment", name),
          fmt::format("it has {} bytes, more than the {} that one may have", bytes, kMaxSegmentBytes));
    return std::nullopt;
  }
  return place;
}

void SegmentFilter::clean(MetricSegment& segment) {
  const std::string name = segmentName(segment.rank, segment.sequence, segment.level);
  for (std::size_t i = 0; i < segment.rows.size(); ++i) {
    if (isPossible(segment.rows[i])) continue;
    dropRow(segment, i);
    found(Kind::Points, fmt::format("'{}' of the metrics holds samples that no run can have", name),
          "their step or time is beyond every bound");
  }
  std::erase_if(segment.columns,
                [&](const MetricSegment::Column& column) { return isOneTooMany(column.name, name); });
}

void SegmentFilter::clean(SegmentSummary& summary) {
  const std::string name = segmentName(summary.id);
  std::erase_if(summary.columns,
                [&](const SegmentSummary::Column& column) { return isOneTooMany(column.name, name); });
}

bool SegmentFilter::isOneTooMany(const std::string& quantity, const std::string& object) {
  if (names_.contains(quantity)) return false;
  if (names_.size() < kMaxNames) return !names_.insert(quantity).second;
  found(Kind::Names, fmt::format("'{}' of the metrics holds quantities that are left out", object),
        fmt::format("a run has {} at most", kMaxNames));
  return true;
}

void SegmentFilter::refuseIndex(const Error& why) {
  found(Kind::Index, "the index of the metrics cannot be used, their folder is listed instead",
        why.cause.empty() ? why.what : why.cause);
}

void SegmentFilter::found(Kind kind, std::string what, std::string cause) {
  if (!kinds_.insert(kind).second) return;
  findings_.push_back({ErrorCode::DataLoss,
                       std::move(what),
                       std::move(cause),
                       "remove it from the work dir, if it is none of the run's",
                       {},
                       {}});
}

}  // namespace lockstep
