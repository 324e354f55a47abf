// SPDX-License-Identifier: GPL-3.0-or-later
// The past of a run, as far as MetricDetail::Overview reads it.
#include <algorithm>
#include <utility>

#include "metrics/collected_samples.h"
#include "metrics/metric_reader.h"

namespace lockstep {
namespace {

constexpr int kMaxLost = 64;  // summaries
constexpr std::uint64_t kMaxSegmentsOfAPart = 4096;

}  // namespace

// One level a poll, so that each is shown as soon as it is there.
Result<void> MetricReader::readPast(CollectedSamples& into, const std::stop_token& stop) {
  for (auto ids = pastToRead(); !ids.empty(); ids = pastToRead()) {
    for (std::size_t first = 0; first < ids.size();) {
      if (auto goesOn = into.goOn(stop); !goesOn) return goesOn;
      const bool isNextLevel =
          !into.parts.empty() && ids[first].level < into.parts.back().summaries.front().id.level;
      into.outOfTime = into.outOfTime || isNextLevel;
      // So many are lost that the newest segments are to tell first whether there is anything.
      if (into.outOfTime || (lostSummaries_ > kMaxLost && !isNewestRead_)) return {};
      const std::size_t end = std::min(ids.size(), first + pieces_.width());
      const auto at = [&ids](std::size_t i) { return ids.begin() + static_cast<std::ptrdiff_t>(i); };
      if (auto ok = readSome({at(first), at(end)}, into, stop); !ok) return ok;
      first = end;
    }
  }
  return {};
}

/// The coarsest of all ranks first, and of those the newest.
std::vector<SegmentId> MetricReader::pastToRead() const {
  std::vector<std::pair<std::uint64_t, SegmentId>> ids;  // how many of its level are newer
  for (const auto& [rank, state] : ranks_) {
    std::map<SegmentLevel, std::uint64_t> newer;
    for (auto id = state.past.toRead().rbegin(); id != state.past.toRead().rend(); ++id)
      ids.emplace_back(newer[id->level]++, *id);
  }
  std::ranges::stable_sort(ids, [](const auto& a, const auto& b) {
    return a.second.level != b.second.level ? a.second.level > b.second.level : a.first < b.first;
  });
  std::vector<SegmentId> result;
  result.reserve(ids.size());
  for (const auto& [newer, id] : ids) result.push_back(id);
  return result;
}

void MetricReader::takePast(PieceReader::Object object, CollectedSamples& into) {
  RankState& state = ranks_[object.id.rank.value];
  ++segmentsRead_;
  if (object.summary) {
    state.past.hasCome(object.id);
    return into.add({object.id.rank, {}, {*std::move(object.summary)}, {}});
  }
  ++lostSummaries_;
  const SegmentSpan raw = state.past.isLost(object.id);
  for (std::uint64_t n = raw.first; n < raw.end; ++n) state.unread.insert(n);
}

// What is in sight, one finer level at a time: who looks asks again.
Result<void> MetricReader::readWanted(CollectedSamples& into, const std::stop_token& stop) {
  while (!wanted_.empty()) {
    if (auto goesOn = into.goOn(stop); !goesOn) return goesOn;
    if (into.outOfTime) return {};
    const CoarseSpan next = wanted_.front();
    wanted_.erase(wanted_.begin());
    if (auto ok = readPart(next, into, stop); !ok) return ok;
  }
  return {};
}

Result<void> MetricReader::readMore(CollectedSamples& into, const std::stop_token& stop) {
  failedNow_.clear();
  for (auto part = nextPart(); part; part = nextPart()) {
    if (auto goesOn = into.goOn(stop); !goesOn) return goesOn;
    if (into.outOfTime) return {};
    if (auto ok = readPart(*part, into, stop); !ok) return ok;
  }
  return {};
}

/// The newest that is coarse of the next rank, as long as there is room for samples.
std::optional<CoarseSpan> MetricReader::nextPart() {
  if (rawBytes_ >= reading_.rawBytes) return std::nullopt;
  auto at = ranks_.lower_bound(nextPartOf_);
  for (std::size_t looked = 0; looked < ranks_.size(); ++looked, ++at) {
    if (at == ranks_.end()) at = ranks_.begin();
    const auto newest = at->second.past.newest(failedNow_);
    if (!newest) continue;
    nextPartOf_ = at->first + 1;
    return CoarseSpan{newest->rank, newest->segments()};
  }
  return std::nullopt;
}

/// A summary by what it is made of; samples that were there once by their segments.
Result<void> MetricReader::readPart(const CoarseSpan& part, CollectedSamples& into,
                                    const std::stop_token& stop) {
  const auto found = ranks_.find(part.rank.value);
  if (found == ranks_.end() || found->second.past.isKept(part.segments)) return {};
  CoarsePast& past = found->second.past;
  const auto summary = past.summaryOf(part.segments);
  std::vector<SegmentId> ids = summary ? partsOf(*summary) : std::vector<SegmentId>();
  const std::uint64_t end =
      summary ? 0 : std::min(part.segments.end, part.segments.first + kMaxSegmentsOfAPart);
  for (std::uint64_t n = part.segments.first; n < end; ++n)
    if (!past.covers(n)) ids.push_back({part.rank, SegmentLevel::Raw, n});
  PieceReader::Finer read = pieces_.readFiner(part, std::move(ids), stop);
  if (read.error) return failPart(part, summary, *std::move(read.error));
  rawBytes_ += read.rawBytes;
  rawRead_ += read.rawObjects;
  segmentsRead_ += read.rawObjects + read.part.summaries.size();
  if (summary) {
    std::vector<SegmentId> by;
    for (const SegmentSummary& one : read.part.summaries) by.push_back(one.id);
    past.replace(*summary, by);
  }
  into.add(std::move(read.part));
  return {};
}

/// What is lost stays as coarse as it is, and counts; else it is tried again later.
Result<void> MetricReader::failPart(const CoarseSpan& part, const std::optional<SegmentId>& summary,
                                    Error why) {
  const bool isLost = why.code == ErrorCode::NotFound || why.code == ErrorCode::DataLoss;
  if (!isLost) return failure(std::move(why));
  if (summary) failedNow_.insert(*summary);
  if (++partAttempts_[part] < kAttempts) return {};
  partAttempts_.erase(part);
  ranks_[part.rank.value].past.keep(part.segments);
  giveUp(why.where, why);
  return {};
}

/// How many objects are still to be read, as far as that is known.
std::uint64_t MetricReader::unreadSegments() const {
  std::uint64_t count = 0, coarse = 0;
  for (const auto& [rank, state] : ranks_) {
    count +=
        state.summaries.size() + state.unread.size() + state.backfill.size() + state.past.toRead().size();
    coarse += state.past.rawSegments();
  }
  if (coarse == 0 || rawBytes_ >= reading_.rawBytes) return count;
  // As many as there will be room for, by the size of those that were read.
  const std::uint64_t each = rawRead_ == 0 ? 0 : rawBytes_ / rawRead_;
  return count +
         (each == 0 ? coarse : std::min<std::uint64_t>(coarse, (reading_.rawBytes - rawBytes_) / each));
}

/// The index has named what is not there: only what listings find counts from now on.
void MetricReader::distrustIndex() {
  finder_.distrustIndex();
  for (auto& [rank, state] : ranks_) {
    if (state.phantoms == 0) continue;
    state.phantoms = 0;
    const bool hasAny = !state.recent.empty();
    state.unread.erase(hasAny ? state.unread.upper_bound(state.newest) : state.unread.begin(),
                       state.unread.end());
    state.attempts.clear();
    state.past.forgetFrom(hasAny ? state.newest + 1 : 0);
  }
}

}  // namespace lockstep
