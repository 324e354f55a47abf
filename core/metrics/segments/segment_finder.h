// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "metrics/segments/calls_at_once.h"
#include "metrics/segments/metric_index.h"
#include "metrics/segments/segment_filter.h"
#include "workdir/object_store.h"

namespace lockstep {

/// Finds out which segments there are below a run's metrics folder: from the index of the run, which is one read, and from
/// listings where there is none, where it lags behind what listings find, and now and then while it does not change.
/// One listing per rank, at most about 40 a look: the ranks take turns. One owner thread.
class SegmentFinder {
 public:
  /// `folder`: with a slash behind. `interval`: for how long an index that does not change is believed at first.
  SegmentFinder(std::shared_ptr<ObjectStore> store, std::string folder, std::string description,
                std::chrono::milliseconds interval);

  /// Appends all that is there, whatever that costs. NotFound is no failure: nothing was written yet.
  Result<void> listAll(std::vector<SegmentId>& found, const std::stop_token& stop);
  /// The index alone, for a first look that lists nothing; nullopt: there is none. After this, look() lists each rank once.
  Result<std::optional<MetricIndex>> firstIndex(const std::stop_token& stop);
  /// Appends what may be new since the last look; some of it was found before. What was found stays when it fails.
  Result<void> look(std::vector<SegmentId>& found, const std::stop_token& stop);

  /// Raw segments below this number of this rank are not looked for any more.
  void listFrom(Rank rank, std::uint64_t number) { ranks_[rank.value].listFrom = number; }
  /// Nobody writes it any more: the next looks list each rank once behind it, and isConfirmed() says when they have.
  void checkIndex();
  /// It has named what is not there: from now on listings alone count.
  void distrustIndex();
  /// Whether every rank was looked at behind the index since the beginning, or since it was to be checked.
  [[nodiscard]] bool isConfirmed() const { return isConfirmed_; }
  [[nodiscard]] bool isEmpty() const { return ranks_.empty(); }
  [[nodiscard]] SegmentFilter& filter() { return filter_; }

 private:
  using Steady = std::chrono::steady_clock;
  struct OfRank {
    std::uint64_t listFrom = 0;
    std::uint64_t named = 0;  // raw segments below this the index has named, and look() has found
  };
  Result<std::optional<MetricIndex>> readIndex(const std::stop_token& stop);
  Result<bool> followIndex(std::vector<SegmentId>& found, const std::stop_token& stop);
  void addNamed(const MetricIndex& index, std::vector<SegmentId>& found);
  Result<void> listNews(std::vector<SegmentId>& found, const std::stop_token& stop);
  Result<void> listBeyond(std::vector<SegmentId>& found, const std::stop_token& stop);
  Result<void> listRanks(const std::vector<int>& ranks, std::vector<SegmentId>& found,
                         const std::stop_token& stop);
  [[nodiscard]] std::vector<int> nextUnseen();
  [[nodiscard]] std::vector<int> nextKnown();
  [[nodiscard]] int unseenFrom(int rank) const;
  [[nodiscard]] Result<std::vector<ObjectInfo>> listRank(Rank rank, const std::stop_token& stop) const;
  void noteAll(const std::vector<ObjectInfo>& objects, std::vector<SegmentId>& found,
               const std::stop_token& stop);
  [[nodiscard]] bool hasNewRank(const std::vector<ObjectInfo>& objects) const;
  void lookForWorldSize(const std::stop_token& stop);
  [[nodiscard]] std::string_view nameIn(const ObjectInfo& object) const;
  [[nodiscard]] int rounds() const;

  std::shared_ptr<ObjectStore> store_;
  std::string folder_, description_;
  SegmentFilter filter_;
  CallsAtOnce calls_;
  std::map<int, OfRank> ranks_;
  int looks_ = 0;
  int nextTurn_ = 0, nextUnseen_ = 0;
  int nextDescription_ = 0, descriptionPause_ = 1;  // in looks
  int nextBeyond_ = 0;

  const std::chrono::milliseconds firstInterval_;
  std::chrono::milliseconds interval_;
  std::string indexText_;         // as it was last
  Steady::time_point changed_{};  // when that was new, or was checked by listings
  bool isIndexBehind_ = false;    // listings have found what it does not name
  bool isIndexTrusted_ = true;
  int nextIndex_ = 0, indexPause_ = 1;  // in looks; where there is none
  bool isConfirmed_ = true;
  int roundsLeft_ = 0;         // looks that list, whatever the index says
  std::uint64_t unnamed_ = 0;  // segments that listings have found before the index named them
};

}  // namespace lockstep
