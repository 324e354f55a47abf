// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "metrics/store/sample_chunk.h"

namespace lockstep {

/// Rows of a rank between two restarts: chunks of ascending keys, none of them empty.
struct Attempt {
  std::vector<std::shared_ptr<const SampleChunk>> chunks;
  TimePoint minTime{}, maxTime{};

  [[nodiscard]] Step minStep() const { return chunks.front()->first().step; }
  [[nodiscard]] Step maxStep() const { return chunks.back()->last().step; }
};

/// All samples of one rank. A training that resumes repeats steps: where the steps of the rows, by their times, go back by
/// more than one (threads of a rank record side by side, so one says nothing), the next attempt begins. Which attempts
/// there are depends on the rows, not on the order in which they came; beyond kMaxAttempts none is told apart.
///
/// Costs: rows after all others amortised O(1) each; others as many rows as the chunks have that they fall into; a
/// restart that shows late all rows of the rank, once. Copies share their chunks. Not thread-safe, but what is const may
/// be read by several threads.
class RankColumns {
 public:
  static constexpr std::size_t kMaxAttempts = 64;

  /// A cell that is there already stays as it is. Rows whose steps and times lie within what a coarse chunk stands for are
  /// taken to be in it, and change nothing.
  void add(const RowBlock& block);
  /// Rows that only is known of what they come to.
  void add(const CoarseBlock& block);
  /// In place of the coarse chunk that stands for exactly these segments; nothing where there is none. Of a chunk that was rows
  /// once (coarsen), rows that it did not have are not taken: they are elsewhere.
  void replaceCoarse(const SegmentSpan& segments, std::span<const CoarseBlock> by, const RowBlock& rows);
  /// Keeps of the chunk that is not in use for appending what it comes to. Only one that can be read again.
  void coarsen(const std::shared_ptr<const SampleChunk>& chunk);
  /// The segments of the coarse chunks that reach into these steps, with buckets of more than `stepsPerBucket` on average; of a past
  /// (until) also of those in whose midst it ends, as far as what had begun by then reaches.
  [[nodiscard]] std::vector<SegmentSpan> coarseIn(Step from, Step to, double stepsPerBucket) const;
  /// Call it on a copy, and on what was copied: a chunk of both is not to be changed by one of them.
  void shareChunks() { open_.reset(); }

  [[nodiscard]] std::span<const Attempt> attempts() const { return attempts_; }
  /// There is nothing, not even what is only known to have been there (until).
  [[nodiscard]] bool isEmpty() const { return attempts_.empty() && cuts_.empty(); }
  /// The rows that were there at that time, by this rank's clock: none is later, and of rows that threads recorded side by
  /// side some of the last step may be missing. Of a coarse chunk in whose midst that time is, the buckets that end
  /// by then are kept; what is in the next one is not, but coarseIn() knows of it. Shares the chunks that are whole. Cost: a look at
  /// each chunk, and a copy of one for each attempt.
  [[nodiscard]] RankColumns until(TimePoint end) const;
  /// The smallest and the largest step at which that quantity has a sample.
  [[nodiscard]] std::optional<std::pair<Step, Step>> steps(std::uint32_t id) const;
  [[nodiscard]] std::size_t valueCount() const;  // cost: all chunks
  [[nodiscard]] std::size_t bytes() const;       // likewise
  /// Whether that chunk could be coarse: it is whole, it is rows, and they can be read again.
  [[nodiscard]] static bool canBeCoarse(const SampleChunk& chunk);

 private:
  using Chunks = std::vector<std::shared_ptr<const SampleChunk>>;
  /// A bucket that had begun and not ended when a past ends.
  struct CutBucket {
    Step first = 0, last = 0;
    double stepsPerBucket = 0;
    SegmentSpan segments;
  };
  // Each late restart is found once; more often only where somebody makes up rows to keep us busy.
  static constexpr std::size_t kMaxRebuilds = 4 * kMaxAttempts;

  void noteSteps(const RowBlock& block);
  void noteCut(const Attempt& attempt, TimePoint end);
  [[nodiscard]] bool isAfterAll(const RowBlock& block) const;
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> attemptsOf(const std::vector<RowKey>& keys) const;
  bool distribute(const RowBlock& block);
  [[nodiscard]] bool contradictsCoarse(const RowBlock& block,
                                       const std::vector<std::uint32_t>& attempts) const;
  void rebuild(const RowBlock& more);
  void append(Attempt& attempt, const RowBlock& block);
  [[nodiscard]] std::shared_ptr<SampleChunk> openChunk(Attempt& attempt);
  bool merge(Attempt& attempt, const RowBlock& block);
  void insert(const std::shared_ptr<const SampleChunk>& chunk);
  [[nodiscard]] std::size_t attemptAround(const SampleChunk& chunk);
  static bool place(Attempt& attempt, const std::shared_ptr<const SampleChunk>& coarse);
  static void addChunks(const RowBlock& block, Chunks& to);
  static void addAround(const std::shared_ptr<const SampleChunk>& coarse, const RowBlock& rows, Chunks& to);

  std::vector<Attempt> attempts_;
  std::shared_ptr<SampleChunk> open_;  // the last chunk that append() has filled, if it is nobody else's
  std::map<std::uint32_t, std::pair<Step, Step>> steps_;
  std::vector<CutBucket> cuts_;  // of a past
  std::size_t rebuilds_ = 0;
};

}  // namespace lockstep
