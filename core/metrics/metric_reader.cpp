// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "metrics/collected_samples.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kLateWindow = 64;  // a segment this much older than the newest is still looked for
constexpr std::size_t kManyUnread = 64;    // segments of one rank: from here on, summaries first
constexpr std::size_t kManyInAll = 1024;   // likewise, of all ranks
constexpr int kMaxPhantoms = 64;           // segments that the index names and that are not there
constexpr auto kReadingTime = 3s;

std::string withSlash(std::string folder) {
  if (!folder.empty() && folder.back() != '/') folder += '/';
  return folder;
}

}  // namespace

/// Whose turn it is, so that no rank waits for another's long past.
struct MetricReader::Turns {
  Wanted wanted;
  int rank = 0;                            // the next one
  std::map<int, std::uint64_t> next = {};  // segment of each
};

MetricReader::MetricReader(std::shared_ptr<ObjectStore> store, std::string folder, std::string description,
                           MetricReading reading)
    : folder_(withSlash(std::move(folder))),
      reading_(reading),
      finder_(store, folder_, std::move(description), reading.indexLifetime),
      pieces_(std::move(store), folder_, finder_.filter()) {}

Result<MetricReader::Update> MetricReader::poll(const std::stop_token& stop) {
  CollectedSamples collected;
  collected.until = std::chrono::steady_clock::now() + kReadingTime;
  auto looked = look(stop);
  Result<void> read;
  if (looked) read = readAll(collected, stop);
  Update update;
  update.batches = collected.samples.take();
  update.parts = std::move(collected.parts);
  update.unreadableSegments = unreadableSegments_;
  update.unreadable = unreadable_;
  update.isBehind = collected.outOfTime || (!update.isEmpty() && !(looked && read)) || !finder_.isConfirmed();
  update.segmentsRead = segmentsRead_;
  update.segmentsKnown = segmentsRead_ + unreadSegments();
  update.bytesRead = pieces_.bytesRead();
  update.findings = finder_.filter().findings();
  if (update.isEmpty() && !looked) return failure(std::move(looked.error()));
  if (update.isEmpty() && !read) return failure(std::move(read.error()));
  return update;
}

Result<void> MetricReader::look(const std::stop_token& stop) {
  if (!hasLooked_) return firstLook(stop);
  std::vector<SegmentId> found;
  auto looked = finder_.look(found, stop);
  for (const SegmentId& id : found) note(id);
  return looked;
}

// An overview needs no listing where there is an index: of a long run that would be many pages.
Result<void> MetricReader::firstLook(const std::stop_token& stop) {
  if (reading_.detail == MetricDetail::Overview) {
    const auto index = finder_.firstIndex(stop);
    if (!index) return failure(index.error());
    if (*index) {
      hasLooked_ = true;
      planFromIndex(**index);
      return {};
    }
  }
  std::vector<SegmentId> found;
  if (auto listed = finder_.listAll(found, stop); !listed) return listed;
  for (const SegmentId& id : found) note(id);
  planFirstPicture(found);
  hasLooked_ = !ranks_.empty();
  return {};
}

void MetricReader::note(const SegmentId& id) {
  RankState& state = ranks_[id.rank.value];
  if (id.level == SegmentLevel::Summary && !hasLooked_) state.summaries.insert(id.sequence);
  if (id.level != SegmentLevel::Raw || id.sequence < state.past.end()) return;
  if (id.sequence < state.settledBelow || state.recent.contains(id.sequence) ||
      state.backfill.contains(id.sequence))
    return;
  state.unread.insert(id.sequence);
}

void MetricReader::planFirstPicture(const std::vector<SegmentId>& found) {
  std::set<SegmentId> summaries;
  if (reading_.detail == MetricDetail::Overview)
    for (const SegmentId& id : found)
      if (id.level > SegmentLevel::Summary) summaries.insert(id);
  const auto isThere = [&summaries](const SegmentId& id) { return summaries.contains(id); };
  std::size_t inAll = 0;
  for (const auto& [rank, state] : ranks_) inAll += state.unread.size();
  for (auto& [rank, state] : ranks_) {
    if (state.unread.size() <= kManyUnread && inAll <= kManyInAll) {
      state.summaries.clear();
      continue;
    }
    if (summaries.empty()) continue;
    const std::set<std::uint64_t> all = std::exchange(state.unread, {});
    for (const SegmentSpan& raw : state.past.plan(Rank(rank), *all.rbegin() + 1, isThere))
      state.unread.insert(all.lower_bound(raw.first), all.lower_bound(raw.end));
    state.summaries.clear();
  }
}

void MetricReader::planFromIndex(const MetricIndex& index) {
  std::uint64_t inAll = 0;
  for (std::size_t i = 0; i < index.segments.size(); ++i)
    if (finder_.filter().isWithin(Rank(static_cast<int>(i)))) inAll += index.segments[i];
  for (std::size_t i = 0; i < index.segments.size(); ++i) {
    const Rank rank(static_cast<int>(i));
    const std::uint64_t count = index.segments[i];
    if (count == 0 || !finder_.filter().isWithin(rank)) continue;
    RankState& state = ranks_[rank.value];
    const bool areMany = count > kManyUnread || inAll > kManyInAll;
    const auto mayExist = [areMany](const SegmentId&) { return areMany; };
    for (const SegmentSpan& raw : state.past.plan(rank, count - 1, mayExist))
      for (std::uint64_t n = raw.first; n < raw.end; ++n) state.unread.insert(n);
    state.unread.insert(count - 1);  // by which the index is checked
    finder_.listFrom(rank, count - std::min(count, kLateWindow));
  }
}

// Summaries of every rank first, then what they do not cover, then what is in sight, then the rest, newest first.
Result<void> MetricReader::readAll(CollectedSamples& into, const std::stop_token& stop) {
  if (auto ok = readPast(into, stop); !ok) return ok;
  for (const Wanted wanted : {&RankState::summaries, &RankState::unread})
    if (auto ok = readAllOf(wanted, into, stop); !ok) return ok;
  isNewestRead_ = isNewestRead_ || !into.outOfTime;
  // A first picture is shown before more is read.
  into.outOfTime = into.outOfTime || !into.parts.empty();
  if (into.outOfTime) return {};
  if (auto ok = readWanted(into, stop); !ok) return ok;
  if (auto ok = readAllOf(&RankState::backfill, into, stop); !ok) return ok;
  return readMore(into, stop);
}

Result<void> MetricReader::readAllOf(Wanted wanted, CollectedSamples& into, const std::stop_token& stop) {
  Turns turns{wanted};
  for (auto ids = nextPlaces(turns); !ids.empty(); ids = nextPlaces(turns)) {
    if (auto goesOn = into.goOn(stop); !goesOn) return goesOn;
    if (into.outOfTime) return {};
    if (auto ok = readSome(ids, into, stop); !ok) return ok;
  }
  return {};
}

std::vector<SegmentId> MetricReader::nextPlaces(Turns& turns) const {
  std::vector<SegmentId> ids;
  while (ids.size() < pieces_.width()) {
    const auto id = nextPlace(turns);
    if (!id) break;
    ids.push_back(*id);
  }
  return ids;
}

std::optional<SegmentId> MetricReader::nextPlace(Turns& turns) const {
  const SegmentLevel level =
      turns.wanted == &RankState::summaries ? SegmentLevel::Summary : SegmentLevel::Raw;
  auto at = ranks_.lower_bound(turns.rank);
  for (std::size_t looked = 0; looked < ranks_.size(); ++looked, ++at) {
    if (at == ranks_.end()) at = ranks_.begin();
    const auto& wanted = at->second.*turns.wanted;
    const auto sequence = wanted.lower_bound(turns.next[at->first]);
    if (sequence == wanted.end()) continue;
    turns.rank = at->first + 1;
    turns.next[at->first] = *sequence + 1;
    return SegmentId{Rank(at->first), level, *sequence};
  }
  return std::nullopt;
}

// Taken in the order they were asked for, whichever answer came first. What was read is kept when another fails.
Result<void> MetricReader::readSome(const std::vector<SegmentId>& ids, CollectedSamples& into,
                                    const std::stop_token& stop) {
  Result<void> outcome;
  for (PieceReader::Object& object : pieces_.read(ids, stop)) {
    if (!object.error || object.isLost())
      take(std::move(object), into);
    else if (outcome)
      outcome = failure(*std::move(object.error));
  }
  return outcome;
}

void MetricReader::take(PieceReader::Object object, CollectedSamples& into) {
  if (object.id.level > SegmentLevel::Summary) return takePast(std::move(object), into);
  if (object.id.level == SegmentLevel::Raw) return takeRaw(std::move(object), into);
  RankState& state = ranks_[object.id.rank.value];
  state.summaries.erase(object.id.sequence);
  ++segmentsRead_;
  if (!object.segment) return;
  postpone(state, object.id.sequence);
  into.samples.add(*object.segment);
}

void MetricReader::takeRaw(PieceReader::Object object, CollectedSamples& into) {
  const SegmentId& id = object.id;
  RankState& state = ranks_[id.rank.value];
  if (object.segment) {
    state.newest = std::max(state.newest, id.sequence);
    rawBytes_ += object.bytes;
    ++rawRead_;
    into.samples.add(*object.segment);
  } else {
    if (isPhantom(state, object)) return distrustIndex();
    if (++state.attempts[id.sequence] < kAttempts) return;
    giveUp(segmentName(id), *object.error);
  }
  ++segmentsRead_;
  settle(id.rank, id.sequence);
}

/// Whether that is one too many that was named and is not there.
bool MetricReader::isPhantom(RankState& state, const PieceReader::Object& object) {
  const bool isNone = object.error->code == ErrorCode::NotFound;
  if (!isNone || (object.id.sequence <= state.newest && state.newest > 0)) return false;
  const bool isAllOfTheRank = ++state.phantoms >= state.unread.size() && state.newest == 0;
  return ++phantoms_ > kMaxPhantoms || isAllOfTheRank;
}

void MetricReader::giveUp(const std::string& name, const Error& why) {
  ++unreadableSegments_;
  if (unreadable_) return;
  const std::string cause = why.cause.empty() ? why.what : why.cause;
  unreadable_ = Error{why.code, fmt::format("cannot read the metric segment '{}{}'", folder_, name),
                      cause,    why.remedy,
                      {},       {}};
}

void MetricReader::postpone(RankState& state, std::uint64_t summary) {
  const auto first = state.unread.lower_bound(summary * kSegmentFan);
  const auto last = state.unread.lower_bound((summary + 1) * kSegmentFan);
  state.backfill.insert(first, last);
  state.unread.erase(first, last);
}

void MetricReader::settle(Rank rank, std::uint64_t sequence) {
  RankState& state = ranks_[rank.value];
  state.unread.erase(sequence);
  state.backfill.erase(sequence);
  state.attempts.erase(sequence);
  if (sequence >= state.settledBelow) state.recent.insert(sequence);
  // What is listed but unread keeps its place in `unread`, so that the window may pass over it.
  if (state.newest < kLateWindow) return;
  state.settledBelow = std::max(state.settledBelow, state.newest - kLateWindow);
  state.recent.erase(state.recent.begin(), state.recent.lower_bound(state.settledBelow));
  finder_.listFrom(rank, state.settledBelow);
}

}  // namespace lockstep
