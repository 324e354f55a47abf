// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/outside_json.h"
#include "metrics/metric_summary.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr int kListingsPerPoll = 32;
constexpr int kUnseenPerPoll = 4;
constexpr std::uint64_t kLateWindow = 64;  // a segment this much older than the newest is still looked for
constexpr std::size_t kManyUnread = 64;    // from here on, summaries first
constexpr int kAttempts = 5;               // polls after which an unreadable segment is given up
constexpr auto kReadingTime = 3s;
constexpr std::size_t kPointsPerPoll = 4'000'000;  // some 100 MB
constexpr std::size_t kMaxDescriptionBytes = 64 << 10;
constexpr int kLongestPause = 64;                 // polls
constexpr std::size_t kStrangersPerPause = 1000;  // a page of a listing

std::string withSlash(std::string folder) {
  if (!folder.empty() && folder.back() != '/') folder += '/';
  return folder;
}

std::string rawFolder(Rank rank) {
  const std::string name = segmentName(rank, 0);
  return name.substr(0, name.rfind('/') + 1);
}

tl::unexpected<Error> cancelled() {
  return failure(ErrorCode::Cancelled, "reading the metrics was cancelled");
}

}  // namespace

/// The points of one poll, joined by name and rank.
struct MetricReader::Collected {
  std::map<std::pair<int, std::string>, std::vector<MetricPoint>> series;
  std::chrono::steady_clock::time_point until;
  bool outOfTime = false;
  std::size_t count = 0;

  [[nodiscard]] bool isFull() const {
    return count >= kPointsPerPoll || std::chrono::steady_clock::now() > until;
  }
  void add(const MetricSegment& segment) {
    for (const auto& column : segment.columns) {
      auto& points = series[{segment.rank.value, column.name}];
      for (std::size_t i = 0; i < segment.rows.size(); ++i)
        if (column.cells[i]) points.push_back({segment.rows[i].step, segment.rows[i].time, *column.cells[i]});
    }
    count += segment.rows.size() * segment.columns.size();
  }
  std::vector<MetricSeriesBatch> take() {
    std::vector<MetricSeriesBatch> batches;
    for (auto& [key, points] : series) {
      if (points.empty()) continue;
      const auto earlier = [](const MetricPoint& a, const MetricPoint& b) {
        return std::pair(a.step, a.time) < std::pair(b.step, b.time);
      };
      std::stable_sort(points.begin(), points.end(), earlier);
      batches.push_back({key.second, Rank(key.first), std::move(points)});
    }
    return batches;
  }
};

/// Whose turn it is, so that no rank waits for another's long past.
struct MetricReader::Turns {
  Wanted wanted;
  int rank = 0;                            // the next one
  std::map<int, std::uint64_t> next = {};  // segment of each
};

MetricReader::MetricReader(std::shared_ptr<ObjectStore> store, std::string folder, std::string description)
    : store_(std::move(store)), folder_(withSlash(std::move(folder))), description_(std::move(description)) {}

Result<MetricReader::Update> MetricReader::poll(const std::stop_token& stop) {
  Collected collected;
  collected.until = std::chrono::steady_clock::now() + kReadingTime;
  ++polls_;
  auto listed = listedAll_ ? listNews(stop) : listAll(stop);
  Result<void> read;
  if (listed) read = readAll(collected, stop);
  Update update;
  update.batches = collected.take();
  update.unreadableSegments = unreadableSegments_;
  update.unreadable = unreadable_;
  update.isBehind = collected.outOfTime || (!update.batches.empty() && !(listed && read));
  update.segmentsRead = segmentsRead_;
  update.segmentsKnown = segmentsRead_ + unreadSegments();
  update.findings = filter_.findings();
  if (update.batches.empty() && !listed) return failure(std::move(listed.error()));
  if (update.batches.empty() && !read) return failure(std::move(read.error()));
  return update;
}

Result<void> MetricReader::listAll(const std::stop_token& stop) {
  auto objects = store_->list(folder_, {}, stop);
  if (!objects && objects.error().code == ErrorCode::NotFound) return {};
  if (!objects) return failure(std::move(objects.error()));
  noteAll(*objects, stop);
  listedAll_ = !ranks_.empty();
  planFirstPicture();
  return {};
}

// Ranks that nothing was seen of yet: all beyond the highest known in one listing, those in between one by
// one.
Result<void> MetricReader::listNews(const std::stop_token& stop) {
  if (auto ok = listBeyond(stop); !ok) return ok;
  if (auto ok = listUnseen(stop); !ok) return ok;
  return listKnown(stop);
}

Result<void> MetricReader::listBeyond(const std::stop_token& stop) {
  if (polls_ < nextBeyond_) return {};
  const std::size_t ranks = ranks_.size();
  auto beyond = store_->list(folder_, folder_ + fmt::format("rank-{:05}/~", ranks_.rbegin()->first), stop);
  if (!beyond && beyond.error().code == ErrorCode::NotFound) return {};
  if (!beyond) return failure(std::move(beyond.error()));
  noteAll(*beyond, stop);
  // The more there is that nobody needs, the less often it is listed.
  const std::size_t pause = ranks_.size() > ranks ? 0 : beyond->size() / kStrangersPerPause;
  nextBeyond_ = polls_ + 1 + static_cast<int>(std::min<std::size_t>(pause, kLongestPause));
  return {};
}

Result<void> MetricReader::listUnseen(const std::stop_token& stop) {
  const int highest = ranks_.rbegin()->first;
  std::vector<int> unseen;
  while (static_cast<int>(unseen.size()) < kUnseenPerPoll) {
    int rank = unseenFrom(nextUnseen_);
    if (rank > highest) rank = unseenFrom(0);
    if (rank > highest || (!unseen.empty() && rank == unseen.front())) break;
    nextUnseen_ = rank + 1;
    unseen.push_back(rank);
  }
  return listRanks(unseen, stop);
}

int MetricReader::unseenFrom(int rank) const {
  for (auto known = ranks_.lower_bound(rank); known != ranks_.end() && known->first == rank; ++known) ++rank;
  return rank;
}

Result<void> MetricReader::listKnown(const std::stop_token& stop) {
  const std::size_t turns = std::min<std::size_t>(kListingsPerPoll, ranks_.size());
  std::vector<int> turn;
  while (turn.size() < turns) {
    auto known = ranks_.lower_bound(nextTurn_);
    if (known == ranks_.end()) known = ranks_.begin();
    nextTurn_ = known->first + 1;
    turn.push_back(known->first);
  }
  return listRanks(turn, stop);
}

// What one listing found is kept when another fails.
Result<void> MetricReader::listRanks(const std::vector<int>& ranks, const std::stop_token& stop) {
  std::vector<Result<std::vector<ObjectInfo>>> found(ranks.size());
  calls_.make(ranks.size(), [&](std::size_t i) { found[i] = listRank(Rank(ranks[i]), stop); });
  Result<void> outcome;
  for (auto& objects : found) {
    if (objects)
      noteAll(*objects, stop);
    else if (outcome)
      outcome = failure(std::move(objects.error()));
  }
  return outcome;
}

Result<std::vector<ObjectInfo>> MetricReader::listRank(Rank rank, const std::stop_token& stop) const {
  if (stop.stop_requested()) return cancelled();
  const auto known = ranks_.find(rank.value);
  std::string after;
  if (known != ranks_.end() && known->second.settledBelow > 0)
    after = folder_ + segmentName(rank, known->second.settledBelow - 1);
  auto objects = store_->list(folder_ + rawFolder(rank), after, stop);
  if (!objects && objects.error().code == ErrorCode::NotFound) return std::vector<ObjectInfo>();
  return objects;
}

void MetricReader::noteAll(const std::vector<ObjectInfo>& objects, const std::stop_token& stop) {
  if (!description_.empty() && polls_ >= nextDescription_ && hasNewRank(objects)) lookForWorldSize(stop);
  for (const ObjectInfo& object : objects) {
    if (stop.stop_requested()) return;
    if (const auto place = filter_.place(nameIn(object), object.size)) note(*place);
  }
}

bool MetricReader::hasNewRank(const std::vector<ObjectInfo>& objects) const {
  return std::any_of(objects.begin(), objects.end(), [this](const ObjectInfo& object) {
    const auto place = parseSegmentName(nameIn(object));
    return place && !ranks_.contains(place->rank.value);
  });
}

// Again and again, less and less often: a run that begins anew in the same folder may have more ranks.
void MetricReader::lookForWorldSize(const std::stop_token& stop) {
  nextDescription_ = polls_ + descriptionPause_;
  descriptionPause_ = std::min(2 * descriptionPause_, kLongestPause);
  const auto text = store_->get(description_, stop);
  const auto json = text ? parseOutsideJson(*text, kMaxDescriptionBytes, "the description of the run")
                         : failure(text.error());
  if (!json) return;
  if (const auto ranks = outsideNumber(*json, "worldSize", 1, kMaxRanks))
    filter_.setWorldSize(static_cast<int>(*ranks));
}

std::string_view MetricReader::nameIn(const ObjectInfo& object) const {
  const std::string_view name = object.name;
  return name.starts_with(folder_) ? name.substr(folder_.size()) : std::string_view();
}

void MetricReader::note(const SegmentId& place) {
  RankState& state = ranks_[place.rank.value];
  if (place.level == SegmentLevel::Summary) {
    if (!listedAll_) state.summaries.insert(place.sequence);
    return;
  }
  if (place.sequence < state.settledBelow || state.recent.contains(place.sequence) ||
      state.backfill.contains(place.sequence))
    return;
  state.unread.insert(place.sequence);
}

void MetricReader::planFirstPicture() {
  for (auto& [rank, state] : ranks_)
    if (state.unread.size() <= kManyUnread) state.summaries.clear();
}

// Summaries of every rank first, then what they do not cover, then the rest of what they stand for.
Result<void> MetricReader::readAll(Collected& into, const std::stop_token& stop) {
  for (const Wanted wanted : {&RankState::summaries, &RankState::unread, &RankState::backfill}) {
    if (into.outOfTime) return {};
    if (auto ok = readAllOf(wanted, into, stop); !ok) return ok;
  }
  return {};
}

Result<void> MetricReader::readAllOf(Wanted wanted, Collected& into, const std::stop_token& stop) {
  Turns turns{wanted};
  for (auto places = nextPlaces(turns); !places.empty(); places = nextPlaces(turns)) {
    if (stop.stop_requested()) return cancelled();
    if (into.isFull()) {
      into.outOfTime = true;
      return {};
    }
    if (auto ok = readSome(places, into, stop); !ok) return ok;
  }
  return {};
}

std::vector<SegmentId> MetricReader::nextPlaces(Turns& turns) const {
  std::vector<SegmentId> places;
  while (places.size() < calls_.width()) {
    const auto place = nextPlace(turns);
    if (!place) break;
    places.push_back(*place);
  }
  return places;
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
Result<void> MetricReader::readSome(const std::vector<SegmentId>& places, Collected& into,
                                    const std::stop_token& stop) {
  std::vector<Result<std::string>> bytes(places.size());
  calls_.make(places.size(), [&](std::size_t i) {
    bytes[i] = store_->get(folder_ + segmentName(places[i].rank, places[i].sequence, places[i].level), stop);
  });
  Result<void> outcome;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (bytes[i])
      take(places[i], decodeSegment(*bytes[i]), into);
    else if (bytes[i].error().code == ErrorCode::NotFound)
      take(places[i], failure(std::move(bytes[i].error())), into);
    else if (outcome)
      outcome = failure(std::move(bytes[i].error()));
    bytes[i] = std::string();  // decoded
  }
  return outcome;
}

void MetricReader::take(const SegmentId& place, Result<MetricSegment> segment, Collected& into) {
  RankState& state = ranks_[place.rank.value];
  const bool isOurs = segment && segment->rank == place.rank && segment->sequence == place.sequence &&
                      segment->level == place.level;
  if (place.level == SegmentLevel::Summary) {
    state.summaries.erase(place.sequence);
    ++segmentsRead_;
    if (isOurs) postpone(state, place.sequence);
  } else if (isOurs) {
    state.newest = std::max(state.newest, place.sequence);
    settle(state, place.sequence);
    ++segmentsRead_;
  } else if (++state.attempts[place.sequence] >= kAttempts) {
    giveUp(place, segment);
    ++segmentsRead_;
    settle(state, place.sequence);
  }
  if (!isOurs) return;
  filter_.clean(*segment);
  into.add(*segment);
}

void MetricReader::giveUp(const SegmentId& place, const Result<MetricSegment>& segment) {
  ++unreadableSegments_;
  if (unreadable_) return;
  const std::string name = folder_ + segmentName(place.rank, place.sequence, place.level);
  const Error why = segment ? Error{ErrorCode::DataLoss, {}, "what is in it is another segment", {}, {}, {}}
                            : segment.error();
  const std::string cause = why.cause.empty() ? why.what : why.cause;
  unreadable_ =
      Error{why.code, fmt::format("cannot read the metric segment '{}'", name), cause, why.remedy, {}, {}};
}

std::uint64_t MetricReader::unreadSegments() const {
  std::uint64_t count = 0;
  for (const auto& [rank, state] : ranks_)
    count += state.summaries.size() + state.unread.size() + state.backfill.size();
  return count;
}

void MetricReader::postpone(RankState& state, std::uint64_t summary) {
  const auto first = state.unread.lower_bound(summary * kRawPerSummary);
  const auto last = state.unread.lower_bound((summary + 1) * kRawPerSummary);
  state.backfill.insert(first, last);
  state.unread.erase(first, last);
}

void MetricReader::settle(RankState& state, std::uint64_t sequence) {
  state.unread.erase(sequence);
  state.backfill.erase(sequence);
  state.attempts.erase(sequence);
  if (sequence >= state.settledBelow) state.recent.insert(sequence);
  // What is listed but unread keeps its place in `unread`, so that the window may pass over it.
  if (state.newest < kLateWindow) return;
  state.settledBelow = std::max(state.settledBelow, state.newest - kLateWindow);
  state.recent.erase(state.recent.begin(), state.recent.lower_bound(state.settledBelow));
}

}  // namespace lockstep
