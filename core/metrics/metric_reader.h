// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "metrics/metric_segment.h"
#include "workdir/object_store.h"

namespace lockstep {

/// Finds new segments below a run's metrics folder and reads each exactly once. A torn or unreadable segment
/// is tried again on the next polls and then counted as lost; a missing number is not waited for, but found
/// when it comes late. A rank with a long past is shown from its summaries first; its raw segments follow on
/// later polls. Cost of a poll: one listing per rank that is active (at most about 40 listings, the ranks
/// take turns) plus one read per new segment. Not thread-safe: one owner thread.
class MetricReader {
 public:
  MetricReader(std::shared_ptr<ObjectStore> store, std::string folder);

  struct Update {
    std::vector<MetricSeriesBatch> batches;
    int unreadableSegments = 0;  // given up on, in total
    bool isBehind = false;       // more is known to be there than this poll had time for: poll again soon
    std::uint64_t segmentsRead = 0;   // or given up on, in total
    std::uint64_t segmentsKnown = 0;  // those and what is listed, but not read yet
  };
  /// Reads for a few seconds at most. A failure after something was read yields what was read; the next poll
  /// says the failure if it lasts. NotFound is never a failure: nothing was written yet.
  Result<Update> poll(const std::stop_token& stop);

 private:
  struct RankState {
    std::set<std::uint64_t> unread;         // raw segments that are listed, but not read
    std::set<std::uint64_t> backfill;       // the same, but a summary has shown them already
    std::set<std::uint64_t> summaries;      // to read before the raw ones
    std::set<std::uint64_t> recent;         // read or given up, at or above `settledBelow`
    std::map<std::uint64_t, int> attempts;  // of unreadable ones
    std::uint64_t settledBelow = 0;         // everything below was read or is not looked for any more
    std::uint64_t newest = 0;
  };
  struct Collected;

  Result<void> listAll(const std::stop_token& stop);
  Result<void> listNews(const std::stop_token& stop);
  Result<void> listInTurn(int count, int highest, int& turn, const std::function<bool(int)>& wanted,
                          const std::stop_token& stop);
  Result<void> listRank(Rank rank, const std::stop_token& stop);
  void note(const SegmentPlace& place);
  void planFirstPicture();
  Result<void> readAll(Collected& into, const std::stop_token& stop);
  Result<void> readOne(const SegmentPlace& place, Collected& into, const std::stop_token& stop);
  static void postpone(RankState& state, std::uint64_t summary);
  [[nodiscard]] std::uint64_t unreadSegments() const;
  static void settle(RankState& state, std::uint64_t sequence);

  std::shared_ptr<ObjectStore> store_;
  std::string folder_;
  std::map<int, RankState> ranks_;
  bool listedAll_ = false;
  int nextTurn_ = 0;
  int nextUnseen_ = 0;
  int unreadableSegments_ = 0;
  std::uint64_t segmentsRead_ = 0;
};

}  // namespace lockstep
