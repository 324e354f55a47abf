// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "metrics/calls_at_once.h"
#include "metrics/metric_segment.h"
#include "metrics/segment_filter.h"
#include "workdir/object_store.h"

namespace lockstep {

/// Finds new segments below a run's metrics folder and reads each exactly once. A torn or unreadable segment
/// is tried again on the next polls and then counted as lost; a missing number is not waited for, but found
/// when it comes late. A rank with a long past is shown from its summaries first; its raw segments follow on
/// later polls. Cost of a poll: one listing per rank that is active (at most about 40 listings, the ranks
/// take turns) plus one read per new segment, up to 16 of them at a time where the store is slow to answer (so
/// up to 16 segments lie in memory undecoded). What anybody else may have put into the folder costs no more,
/// whatever its name says, and is told as a finding. Not thread-safe: one owner thread.
class MetricReader {
 public:
  /// `description`: layout::runDescription, which says how many ranks there are; empty: nothing does.
  MetricReader(std::shared_ptr<ObjectStore> store, std::string folder, std::string description = {});

  struct Update {
    std::vector<MetricSeriesBatch> batches;
    int unreadableSegments = 0;       // given up on, in total
    std::optional<Error> unreadable;  // the first of them, and why
    bool isBehind =
        false;  // more is known to be there than this poll had time for, or could get: poll again soon
    std::uint64_t segmentsRead = 0;   // or given up on, in total
    std::uint64_t segmentsKnown = 0;  // those and what is listed, but not read yet
    std::vector<Error>
        findings;  // what is there and none of the run's: the first of each kind, at every poll
  };
  /// Reads for a few seconds at most. A failure after something was read yields what was read; the next poll
  /// says the failure if it lasts. NotFound is never a failure: nothing was written yet. Cancelled: `stop`.
  Result<Update> poll(const std::stop_token& stop);

 private:
  struct RankState {
    std::set<std::uint64_t> unread;         // raw segments that are listed, but not read
    std::set<std::uint64_t> backfill;       // the same, but a summary has shown them already
    std::set<std::uint64_t> summaries;      // to read before the raw ones
    std::set<std::uint64_t> recent;         // read or given up, at or above `settledBelow`
    std::map<std::uint64_t, int> attempts;  // of unreadable ones
    std::uint64_t settledBelow = 0;         // everything below was read or is not looked for any more
    std::uint64_t newest = 0;               // that was read: what a name alone says moves nothing
  };
  using Wanted = std::set<std::uint64_t> RankState::*;
  struct Collected;
  struct Turns;

  Result<void> listAll(const std::stop_token& stop);
  Result<void> listNews(const std::stop_token& stop);
  Result<void> listBeyond(const std::stop_token& stop);
  Result<void> listUnseen(const std::stop_token& stop);
  Result<void> listKnown(const std::stop_token& stop);
  Result<void> listRanks(const std::vector<int>& ranks, const std::stop_token& stop);
  [[nodiscard]] Result<std::vector<ObjectInfo>> listRank(Rank rank, const std::stop_token& stop) const;
  void noteAll(const std::vector<ObjectInfo>& objects, const std::stop_token& stop);
  [[nodiscard]] bool hasNewRank(const std::vector<ObjectInfo>& objects) const;
  void lookForWorldSize(const std::stop_token& stop);
  [[nodiscard]] std::string_view nameIn(const ObjectInfo& object) const;
  [[nodiscard]] int unseenFrom(int rank) const;
  void note(const SegmentId& place);
  void planFirstPicture();
  Result<void> readAll(Collected& into, const std::stop_token& stop);
  Result<void> readAllOf(Wanted wanted, Collected& into, const std::stop_token& stop);
  [[nodiscard]] std::vector<SegmentId> nextPlaces(Turns& turns) const;
  [[nodiscard]] std::optional<SegmentId> nextPlace(Turns& turns) const;
  Result<void> readSome(const std::vector<SegmentId>& places, Collected& into, const std::stop_token& stop);
  void take(const SegmentId& place, Result<MetricSegment> segment, Collected& into);
  static void postpone(RankState& state, std::uint64_t summary);
  [[nodiscard]] std::uint64_t unreadSegments() const;
  static void settle(RankState& state, std::uint64_t sequence);
  void giveUp(const SegmentId& place, const Result<MetricSegment>& segment);

  std::shared_ptr<ObjectStore> store_;
  std::string folder_, description_;
  SegmentFilter filter_;
  CallsAtOnce calls_;
  std::map<int, RankState> ranks_;
  bool listedAll_ = false;
  int nextTurn_ = 0;
  int nextUnseen_ = 0;
  int unreadableSegments_ = 0;
  std::optional<Error> unreadable_;
  std::uint64_t segmentsRead_ = 0;
  int polls_ = 0;
  int nextDescription_ = 0, descriptionPause_ = 1;  // in polls
  int nextBeyond_ = 0;
};

}  // namespace lockstep
