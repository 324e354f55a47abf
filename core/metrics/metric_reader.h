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

#include "metrics/piece_reader.h"
#include "metrics/segments/coarse_past.h"
#include "metrics/segments/segment_finder.h"
#include "workdir/object_store.h"

namespace lockstep {

struct CollectedSamples;

/// How much of a run is read. Everything: every sample. Overview: a long past from its summaries, coarsest and newest
/// first; then its samples, newest first, as far as `rawBytes` go; and what MetricReader::wantFiner() asks for.
enum class MetricDetail { Everything, Overview };

struct MetricReading {
  MetricDetail detail = MetricDetail::Everything;
  std::size_t rawBytes = std::size_t{400} << 20;  // of raw segments, as they are stored
  std::chrono::milliseconds indexLifetime{
      10'000};  // for how long an index that does not change is believed at first
};

/// Finds new segments below a run's metrics folder and reads each exactly once. A torn or unreadable segment
/// is tried again on the next polls and then counted as lost; a missing number is not waited for, but found
/// when it comes late. A rank with a long past is shown from its summaries first; its raw segments follow on
/// later polls, as far as MetricReading says. Cost of a poll: one read of the index where there is one, else what
/// SegmentFinder lists, plus one read per new segment, up to 16 of them at a time where the store is slow to answer
/// (so up to 16 segments lie in memory undecoded). What anybody else may have put into the folder costs no more,
/// whatever its name says, and is told as a finding. Not thread-safe: one owner thread.
class MetricReader {
 public:
  /// `description`: layout::runDescription, which says how many ranks there are; empty: nothing does.
  MetricReader(std::shared_ptr<ObjectStore> store, std::string folder, std::string description = {},
               MetricReading reading = {});

  struct Update {
    std::vector<MetricSeriesBatch> batches;
    std::vector<CoarsePart> parts;  // of the past, in Overview: to be taken in this order, before the batches
    int unreadableSegments = 0;     // given up on, in total
    std::optional<Error> unreadable;  // the first of them, and why
    bool isBehind =
        false;  // more is known to be there than this poll had time for, or could get: poll again soon
    std::uint64_t segmentsRead = 0;   // or given up on, in total
    std::uint64_t segmentsKnown = 0;  // those and what is going to be read
    std::uint64_t bytesRead = 0;      // of segments and summaries, in total
    std::vector<Error>
        findings;  // what is there and none of the run's: the first of each kind, at every poll
    [[nodiscard]] bool isEmpty() const { return batches.empty() && parts.empty(); }
  };
  static constexpr int kAttempts = 5;  // polls after which an unreadable segment is given up
  /// Reads for a few seconds at most. A failure after something was read yields what was read; the next poll
  /// says the failure if it lasts. NotFound is never a failure: nothing was written yet. Cancelled: `stop`.
  Result<Update> poll(const std::stop_token& stop);

  /// The run is over, and whoever wrote its index ended perhaps before others did: the next polls find what it does not
  /// name, and are behind until they have.
  void noteEnd() { finder_.checkIndex(); }
  /// Parts that are in sight and coarse: the next polls read them before all else of the past. Replaces what was wanted before.
  void wantFiner(std::vector<CoarseSpan> parts) { wanted_ = std::move(parts); }

 private:
  struct RankState {
    std::set<std::uint64_t> unread;         // raw segments that are listed, but not read
    std::set<std::uint64_t> backfill;       // the same, but a summary has shown them already
    std::set<std::uint64_t> summaries;      // of format version 1: to read before the raw ones
    std::set<std::uint64_t> recent;         // read or given up, at or above `settledBelow`
    std::map<std::uint64_t, int> attempts;  // of unreadable ones
    std::uint64_t settledBelow = 0;         // everything below was read or is not looked for any more
    std::uint64_t newest = 0;               // that was read: what a name alone says moves nothing
    std::size_t phantoms = 0;               // of it
    CoarsePast past;                        // in Overview: what is below `unread`
  };
  using Wanted = std::set<std::uint64_t> RankState::*;
  struct Turns;

  Result<void> look(const std::stop_token& stop);
  Result<void> firstLook(const std::stop_token& stop);
  void note(const SegmentId& id);
  void planFirstPicture(const std::vector<SegmentId>& found);
  void planFromIndex(const MetricIndex& index);
  Result<void> readAll(CollectedSamples& into, const std::stop_token& stop);
  Result<void> readAllOf(Wanted wanted, CollectedSamples& into, const std::stop_token& stop);
  Result<void> readPast(CollectedSamples& into, const std::stop_token& stop);
  Result<void> readWanted(CollectedSamples& into, const std::stop_token& stop);
  Result<void> readMore(CollectedSamples& into, const std::stop_token& stop);
  Result<void> readPart(const CoarseSpan& part, CollectedSamples& into, const std::stop_token& stop);
  Result<void> failPart(const CoarseSpan& part, const std::optional<SegmentId>& summary, Error why);
  [[nodiscard]] std::vector<SegmentId> pastToRead() const;
  [[nodiscard]] std::vector<SegmentId> nextPlaces(Turns& turns) const;
  [[nodiscard]] std::optional<SegmentId> nextPlace(Turns& turns) const;
  [[nodiscard]] std::optional<CoarseSpan> nextPart();
  Result<void> readSome(const std::vector<SegmentId>& ids, CollectedSamples& into,
                        const std::stop_token& stop);
  void take(PieceReader::Object object, CollectedSamples& into);
  void takeRaw(PieceReader::Object object, CollectedSamples& into);
  void takePast(PieceReader::Object object, CollectedSamples& into);
  static void postpone(RankState& state, std::uint64_t summary);
  [[nodiscard]] std::uint64_t unreadSegments() const;
  void settle(Rank rank, std::uint64_t sequence);
  [[nodiscard]] bool isPhantom(RankState& state, const PieceReader::Object& object);
  void giveUp(const std::string& name, const Error& why);
  void distrustIndex();

  const std::string folder_;
  const MetricReading reading_;
  SegmentFinder finder_;
  PieceReader pieces_;
  std::map<int, RankState> ranks_;
  bool hasLooked_ = false;     // the first look is done
  bool isNewestRead_ = false;  // segments that no summary stands for were read to their end once
  int phantoms_ = 0;  // raw segments beyond all that came that the index has named and that are not there
  int lostSummaries_ = 0;
  std::map<CoarseSpan, int> partAttempts_;
  std::set<SegmentId> failedNow_;  // summaries that this poll could not replace
  std::vector<CoarseSpan> wanted_;
  int nextPartOf_ = 0;        // the rank whose turn it is
  std::size_t rawBytes_ = 0;  // read so far
  std::uint64_t rawRead_ = 0;
  int unreadableSegments_ = 0;
  std::optional<Error> unreadable_;
  std::uint64_t segmentsRead_ = 0;
};

}  // namespace lockstep
