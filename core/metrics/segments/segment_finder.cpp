// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/segment_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/outside_json.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

constexpr int kListingsPerLook = 32;
constexpr int kUnseenPerLook = 4;
constexpr std::size_t kMaxDescriptionBytes = 64 << 10;
constexpr int kMaxLooksApart = 64;
constexpr std::size_t kStrangersPerPause = 1000;  // a page of a listing
constexpr std::size_t kNamedPerLook = 1 << 18;
constexpr std::chrono::milliseconds kMaxInterval{320'000};

std::string rawFolder(Rank rank) {
  const std::string name = segmentName(rank, 0);
  return name.substr(0, name.rfind('/') + 1);
}

}  // namespace

SegmentFinder::SegmentFinder(std::shared_ptr<ObjectStore> store, std::string folder, std::string description,
                             std::chrono::milliseconds interval)
    : store_(std::move(store)),
      folder_(std::move(folder)),
      description_(std::move(description)),
      firstInterval_(interval),
      interval_(interval) {}

Result<void> SegmentFinder::listAll(std::vector<SegmentId>& found, const std::stop_token& stop) {
  ++looks_;
  auto objects = store_->list(folder_, {}, stop);
  if (!objects && objects.error().code == ErrorCode::NotFound) return {};
  if (!objects) return failure(std::move(objects.error()));
  noteAll(*objects, found, stop);
  return {};
}

Result<std::optional<MetricIndex>> SegmentFinder::firstIndex(const std::stop_token& stop) {
  ++looks_;
  auto index = readIndex(stop);
  if (!index || !*index) return index;
  if (!description_.empty()) lookForWorldSize(stop);
  for (std::size_t rank = 0; rank < (*index)->segments.size(); ++rank)
    if ((*index)->segments[rank] > 0 && filter_.isWithin(Rank(static_cast<int>(rank))))
      ranks_[static_cast<int>(rank)].named = (*index)->segments[rank];
  if (ranks_.empty()) return std::nullopt;
  roundsLeft_ = rounds();
  isConfirmed_ = false;
  return index;
}

/// Nullopt: there is none to go by. Sets `changed_` where it is another one than before.
Result<std::optional<MetricIndex>> SegmentFinder::readIndex(const std::stop_token& stop) {
  auto text = store_->get(folder_ + layout::kMetricIndexName, stop);
  if (!text && text.error().code != ErrorCode::NotFound) return failure(std::move(text.error()));
  auto index = text ? parseMetricIndex(*text) : Result<MetricIndex>(failure(text.error()));
  if (!index) {
    if (text) filter_.refuseIndex(index.error());
    nextIndex_ = looks_ + indexPause_;
    indexPause_ = std::min(2 * indexPause_, kMaxLooksApart);
    indexText_.clear();
    return std::nullopt;
  }
  indexPause_ = 1;
  if (std::exchange(indexText_, *std::move(text)) != indexText_) {
    changed_ = Steady::now();
    interval_ = firstInterval_;
    isIndexBehind_ = false;
  }
  return std::optional(*std::move(index));
}

void SegmentFinder::checkIndex() {
  if (ranks_.empty()) return;  // then all is listed in any case
  roundsLeft_ = rounds();
  isConfirmed_ = false;
}

void SegmentFinder::distrustIndex() {
  isIndexTrusted_ = false;
  ranks_.clear();  // so that all is listed
  nextTurn_ = nextUnseen_ = roundsLeft_ = 0;
  isConfirmed_ = false;
}

Result<void> SegmentFinder::look(std::vector<SegmentId>& found, const std::stop_token& stop) {
  ++looks_;
  const auto isFollowing = followIndex(found, stop);
  if (!isFollowing) return failure(isFollowing.error());
  if (*isFollowing && roundsLeft_ == 0 && !isIndexBehind_) return {};
  const std::uint64_t before = unnamed_;
  auto listed = listNews(found, stop);
  if (listed) roundsLeft_ = std::max(0, roundsLeft_ - 1);
  isConfirmed_ = isConfirmed_ || (listed && roundsLeft_ == 0);
  if (unnamed_ > before && !indexText_.empty()) isIndexBehind_ = true;
  return listed;
}

/// Whether the index tells what is new.
Result<bool> SegmentFinder::followIndex(std::vector<SegmentId>& found, const std::stop_token& stop) {
  if (!isIndexTrusted_ || looks_ < nextIndex_) return false;
  const auto index = readIndex(stop);
  if (!index) return failure(index.error());
  if (!*index) return false;
  addNamed(**index, found);
  const auto now = Steady::now();
  if (now - changed_ < interval_) return true;
  // Nobody has written it for a while: either nothing happens, or nobody is there to tell.
  changed_ = now;
  interval_ = std::min(2 * interval_, kMaxInterval);
  roundsLeft_ = rounds();
  return true;
}

void SegmentFinder::addNamed(const MetricIndex& index, std::vector<SegmentId>& found) {
  for (std::size_t i = 0; i < index.segments.size(); ++i) {
    const Rank rank(static_cast<int>(i));
    if (index.segments[i] == 0 || !filter_.isWithin(rank)) continue;
    OfRank& ofRank = ranks_[rank.value];
    while (ofRank.named < index.segments[i] && found.size() < kNamedPerLook)
      found.push_back({rank, SegmentLevel::Raw, ofRank.named++});
  }
}

int SegmentFinder::rounds() const {
  return (static_cast<int>(ranks_.size()) + kListingsPerLook - 1) / kListingsPerLook;
}

// Ranks that nothing was seen of yet: all beyond the highest known in one listing, those in between one by one.
Result<void> SegmentFinder::listNews(std::vector<SegmentId>& found, const std::stop_token& stop) {
  if (ranks_.empty()) return listAll(found, stop);
  if (auto ok = listBeyond(found, stop); !ok) return ok;
  if (auto ok = listRanks(nextUnseen(), found, stop); !ok) return ok;
  return listRanks(nextKnown(), found, stop);
}

Result<void> SegmentFinder::listBeyond(std::vector<SegmentId>& found, const std::stop_token& stop) {
  if (looks_ < nextBeyond_) return {};
  const std::size_t ranks = ranks_.size();
  auto beyond = store_->list(folder_, folder_ + fmt::format("rank-{:05}/~", ranks_.rbegin()->first), stop);
  if (!beyond && beyond.error().code == ErrorCode::NotFound) return {};
  if (!beyond) return failure(std::move(beyond.error()));
  noteAll(*beyond, found, stop);
  // The more there is that nobody needs, the less often it is listed.
  const std::size_t pause = ranks_.size() > ranks ? 0 : beyond->size() / kStrangersPerPause;
  nextBeyond_ = looks_ + 1 + static_cast<int>(std::min<std::size_t>(pause, kMaxLooksApart));
  return {};
}

std::vector<int> SegmentFinder::nextUnseen() {
  const int highest = ranks_.rbegin()->first;
  std::vector<int> unseen;
  while (static_cast<int>(unseen.size()) < kUnseenPerLook) {
    int rank = unseenFrom(nextUnseen_);
    if (rank > highest) rank = unseenFrom(0);
    if (rank > highest || (!unseen.empty() && rank == unseen.front())) break;
    nextUnseen_ = rank + 1;
    unseen.push_back(rank);
  }
  return unseen;
}

int SegmentFinder::unseenFrom(int rank) const {
  for (auto known = ranks_.lower_bound(rank); known != ranks_.end() && known->first == rank; ++known) ++rank;
  return rank;
}

std::vector<int> SegmentFinder::nextKnown() {
  const std::size_t turns = std::min<std::size_t>(kListingsPerLook, ranks_.size());
  std::vector<int> turn;
  while (turn.size() < turns) {
    auto known = ranks_.lower_bound(nextTurn_);
    if (known == ranks_.end()) known = ranks_.begin();
    nextTurn_ = known->first + 1;
    turn.push_back(known->first);
  }
  return turn;
}

// What one listing found is kept when another fails.
Result<void> SegmentFinder::listRanks(const std::vector<int>& ranks, std::vector<SegmentId>& found,
                                      const std::stop_token& stop) {
  std::vector<Result<std::vector<ObjectInfo>>> listed(ranks.size());
  calls_.make(ranks.size(), [&](std::size_t i) { listed[i] = listRank(Rank(ranks[i]), stop); });
  Result<void> outcome;
  for (auto& objects : listed) {
    if (objects)
      noteAll(*objects, found, stop);
    else if (outcome)
      outcome = failure(std::move(objects.error()));
  }
  return outcome;
}

Result<std::vector<ObjectInfo>> SegmentFinder::listRank(Rank rank, const std::stop_token& stop) const {
  if (stop.stop_requested()) return failure(ErrorCode::Cancelled, "reading the metrics was cancelled");
  const auto known = ranks_.find(rank.value);
  std::string after;
  if (known != ranks_.end() && known->second.listFrom > 0)
    after = folder_ + segmentName(rank, known->second.listFrom - 1);
  auto objects = store_->list(folder_ + rawFolder(rank), after, stop);
  if (!objects && objects.error().code == ErrorCode::NotFound) return std::vector<ObjectInfo>();
  return objects;
}

void SegmentFinder::noteAll(const std::vector<ObjectInfo>& objects, std::vector<SegmentId>& found,
                            const std::stop_token& stop) {
  if (!description_.empty() && looks_ >= nextDescription_ && hasNewRank(objects)) lookForWorldSize(stop);
  for (const ObjectInfo& object : objects) {
    if (stop.stop_requested()) return;
    const auto id = filter_.place(nameIn(object), object.size);
    if (!id) continue;
    const OfRank& ofRank = ranks_[id->rank.value];
    if (id->level == SegmentLevel::Raw && id->sequence >= ofRank.named) ++unnamed_;
    found.push_back(*id);
  }
}

bool SegmentFinder::hasNewRank(const std::vector<ObjectInfo>& objects) const {
  return std::any_of(objects.begin(), objects.end(), [this](const ObjectInfo& object) {
    const auto id = parseSegmentName(nameIn(object));
    return id && !ranks_.contains(id->rank.value);
  });
}

// Again and again, less and less often: a run that begins anew in the same folder may have more ranks.
void SegmentFinder::lookForWorldSize(const std::stop_token& stop) {
  nextDescription_ = looks_ + descriptionPause_;
  descriptionPause_ = std::min(2 * descriptionPause_, kMaxLooksApart);
  const auto text = store_->get(description_, stop);
  const auto json = text ? parseOutsideJson(*text, kMaxDescriptionBytes, "the description of the run")
                         : failure(text.error());
  if (!json) return;
  if (const auto ranks = outsideNumber(*json, "worldSize", 1, kMaxRanks))
    filter_.setWorldSize(static_cast<int>(*ranks));
}

std::string_view SegmentFinder::nameIn(const ObjectInfo& object) const {
  const std::string_view name = object.name;
  return name.starts_with(folder_) ? name.substr(folder_.size()) : std::string_view();
}

}  // namespace lockstep
