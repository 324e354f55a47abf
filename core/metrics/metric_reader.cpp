// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

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

std::string withSlash(std::string folder) {
  if (!folder.empty() && folder.back() != '/') folder += '/';
  return folder;
}

std::string rawFolder(Rank rank) {
  const std::string name = segmentName(rank, 0);
  return name.substr(0, name.rfind('/') + 1);
}

}  // namespace

/// The points of one poll, joined by name and rank.
struct MetricReader::Collected {
  std::map<std::pair<int, std::string>, std::vector<MetricPoint>> series;
  std::chrono::steady_clock::time_point until;
  bool outOfTime = false;

  void add(const MetricSegment& segment) {
    for (const auto& column : segment.columns) {
      auto& points = series[{segment.rank.value, column.name}];
      for (std::size_t i = 0; i < segment.rows.size(); ++i)
        if (column.cells[i]) points.push_back({segment.rows[i].step, segment.rows[i].time, *column.cells[i]});
    }
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

MetricReader::MetricReader(std::shared_ptr<ObjectStore> store, std::string folder)
    : store_(std::move(store)), folder_(withSlash(std::move(folder))) {}

Result<MetricReader::Update> MetricReader::poll(const std::stop_token& stop) {
  Collected collected;
  collected.until = std::chrono::steady_clock::now() + kReadingTime;
  auto listed = listedAll_ ? listNews(stop) : listAll(stop);
  Result<void> read;
  if (listed) read = readAll(collected, stop);
  Update update;
  update.batches = collected.take();
  update.unreadableSegments = unreadableSegments_;
  update.isBehind = collected.outOfTime;
  update.segmentsRead = segmentsRead_;
  update.segmentsKnown = segmentsRead_ + unreadSegments();
  if (update.batches.empty() && !listed) return failure(std::move(listed.error()));
  if (update.batches.empty() && !read) return failure(std::move(read.error()));
  return update;
}

Result<void> MetricReader::listAll(const std::stop_token& stop) {
  auto objects = store_->list(folder_, {}, stop);
  if (!objects && objects.error().code == StatusCode::NotFound) return {};
  if (!objects) return failure(std::move(objects.error()));
  for (const auto& object : *objects)
    if (const auto place = parseSegmentName(std::string_view(object.name).substr(folder_.size())))
      note(*place);
  listedAll_ = !ranks_.empty();
  planFirstPicture();
  return {};
}

Result<void> MetricReader::listNews(const std::stop_token& stop) {
  // Ranks that nothing was seen of yet: all beyond the highest known in one listing, those in between one by
  // one.
  const int highest = ranks_.rbegin()->first;
  auto beyond = store_->list(folder_, folder_ + fmt::format("rank-{:05}/~", highest), stop);
  if (!beyond && beyond.error().code != StatusCode::NotFound) return failure(std::move(beyond.error()));
  if (beyond)
    for (const auto& object : *beyond)
      if (const auto place = parseSegmentName(std::string_view(object.name).substr(folder_.size())))
        note(*place);
  const auto unseen = [this](int rank) { return !ranks_.contains(rank); };
  if (auto ok = listInTurn(kUnseenPerPoll, highest, nextUnseen_, unseen, stop); !ok) return ok;
  return listInTurn(
      kListingsPerPoll, highest, nextTurn_, [&](int rank) { return !unseen(rank); }, stop);
}

Result<void> MetricReader::listInTurn(int count, int highest, int& turn,
                                      const std::function<bool(int)>& wanted, const std::stop_token& stop) {
  for (int tried = 0; tried <= highest && count > 0; ++tried) {
    turn = turn > highest ? 0 : turn;
    const int rank = turn++;
    if (!wanted(rank)) continue;
    if (auto ok = listRank(Rank(rank), stop); !ok) return ok;
    --count;
  }
  return {};
}

Result<void> MetricReader::listRank(Rank rank, const std::stop_token& stop) {
  const auto known = ranks_.find(rank.value);
  std::string after;
  if (known != ranks_.end() && known->second.settledBelow > 0)
    after = folder_ + segmentName(rank, known->second.settledBelow - 1);
  auto objects = store_->list(folder_ + rawFolder(rank), after, stop);
  if (!objects && objects.error().code == StatusCode::NotFound) return {};
  if (!objects) return failure(std::move(objects.error()));
  for (const auto& object : *objects)
    if (const auto place = parseSegmentName(std::string_view(object.name).substr(folder_.size())))
      note(*place);
  return {};
}

void MetricReader::note(const SegmentPlace& place) {
  RankState& state = ranks_[place.rank.value];
  if (place.level == SegmentLevel::Summary) {
    if (!listedAll_) state.summaries.insert(place.sequence);
    return;
  }
  if (place.sequence < state.settledBelow || state.recent.contains(place.sequence) ||
      state.backfill.contains(place.sequence))
    return;
  state.unread.insert(place.sequence);
  state.newest = std::max(state.newest, place.sequence);
}

void MetricReader::planFirstPicture() {
  for (auto& [rank, state] : ranks_)
    if (state.unread.size() <= kManyUnread) state.summaries.clear();
}

Result<void> MetricReader::readAll(Collected& into, const std::stop_token& stop) {
  // Summaries of every rank first, then what they do not cover, then the rest of what they stand for.
  for (const auto member : {&RankState::summaries, &RankState::unread, &RankState::backfill}) {
    const SegmentLevel level = member == &RankState::summaries ? SegmentLevel::Summary : SegmentLevel::Raw;
    bool found = true;
    std::map<int, std::uint64_t> next;  // the ranks take turns, so that none waits for another's long past
    while (found) {
      found = false;
      for (auto& [rank, state] : ranks_) {
        const auto& wanted = state.*member;
        const auto sequence = wanted.lower_bound(next[rank]);
        if (sequence == wanted.end()) continue;
        const SegmentPlace place{Rank(rank), level, *sequence};
        if (std::chrono::steady_clock::now() > into.until) {
          into.outOfTime = true;
          return {};
        }
        next[rank] = place.sequence + 1;
        found = true;
        if (auto ok = readOne(place, into, stop); !ok) return ok;
      }
    }
  }
  return {};
}

Result<void> MetricReader::readOne(const SegmentPlace& place, Collected& into, const std::stop_token& stop) {
  RankState& state = ranks_[place.rank.value];
  auto bytes = store_->get(folder_ + segmentName(place.rank, place.sequence, place.level), stop);
  if (!bytes && bytes.error().code != StatusCode::NotFound) return failure(std::move(bytes.error()));
  Result<MetricSegment> segment = bytes ? decodeSegment(*bytes) : failure(std::move(bytes.error()));
  const bool isOurs = segment && segment->rank == place.rank && segment->sequence == place.sequence &&
                      segment->level == place.level;
  if (place.level == SegmentLevel::Summary) {
    state.summaries.erase(place.sequence);
    ++segmentsRead_;
    if (isOurs) postpone(state, place.sequence);
  } else if (isOurs) {
    settle(state, place.sequence);
    ++segmentsRead_;
  } else if (++state.attempts[place.sequence] >= kAttempts) {
    ++unreadableSegments_;
    ++segmentsRead_;
    settle(state, place.sequence);
  }
  if (isOurs) into.add(*segment);
  return {};
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
