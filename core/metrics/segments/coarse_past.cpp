// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/coarse_past.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lockstep {
namespace {

constexpr std::array kCoarsestFirst{SegmentLevel::Of4096, SegmentLevel::Of256, SegmentLevel::Of16};

}  // namespace

std::vector<SegmentSpan> CoarsePast::plan(Rank rank, std::uint64_t count, const MayExist& mayExist) {
  std::vector<SegmentSpan> raw;
  const std::uint64_t size = rawSegmentsIn(SegmentLevel::Of16);
  for (std::uint64_t first = 0; first < count;) {
    std::uint64_t next = std::min(count, (first / size + 1) * size);
    bool isCovered = false;
    for (const SegmentLevel level : kCoarsestFirst) {
      const SegmentId id{rank, level, first / rawSegmentsIn(level)};
      if (id.segments().first != first || id.segments().end > count || !mayExist(id)) continue;
      toRead_.insert(id);
      next = id.segments().end;
      isCovered = true;
      break;
    }
    if (!isCovered) raw.push_back({first, next});
    first = next;
  }
  end_ = count;
  return raw;
}

void CoarsePast::hasCome(const SegmentId& id) {
  toRead_.erase(id);
  shown_.insert_or_assign(id.segments().first, id);
}

SegmentSpan CoarsePast::isLost(const SegmentId& id) {
  toRead_.erase(id);
  if (finer(id.level) == SegmentLevel::Raw) return id.segments();
  for (std::uint64_t i = 0; i < kSegmentFan; ++i)
    toRead_.insert({id.rank, finer(id.level), id.sequence * kSegmentFan + i});
  return {};
}

void CoarsePast::forgetFrom(std::uint64_t raw) {
  std::erase_if(toRead_, [raw](const SegmentId& id) { return id.segments().first >= raw; });
  end_ = std::min(end_, raw);
  if (!shown_.empty()) end_ = std::max(end_, shown_.rbegin()->second.segments().end);
}

std::optional<SegmentId> CoarsePast::summaryOf(const SegmentSpan& segments) const {
  const auto found = shown_.find(segments.first);
  return found != shown_.end() && found->second.segments() == segments ? std::optional(found->second)
                                                                       : std::nullopt;
}

bool CoarsePast::covers(std::uint64_t raw) const {
  const auto after = shown_.upper_bound(raw);
  return after != shown_.begin() && raw < std::prev(after)->second.segments().end;
}

void CoarsePast::replace(const SegmentId& id, const std::vector<SegmentId>& by) {
  shown_.erase(id.segments().first);
  for (const SegmentId& one : by) shown_.insert_or_assign(one.segments().first, one);
}

std::optional<SegmentId> CoarsePast::newest(const std::set<SegmentId>& except) const {
  for (auto at = shown_.rbegin(); at != shown_.rend(); ++at)
    if (!isKept(at->second.segments()) && !except.contains(at->second)) return at->second;
  return std::nullopt;
}

std::uint64_t CoarsePast::rawSegments() const {
  std::uint64_t count = 0;
  for (const auto& [first, id] : shown_)
    if (!isKept(id.segments())) count += rawSegmentsIn(id.level);
  return count;
}

}  // namespace lockstep
