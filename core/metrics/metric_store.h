// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/coarse_part.h"
#include "metrics/metric_sample.h"
#include "metrics/store/rank_pixels.h"

namespace lockstep {

/// Which steps of which ranks somebody looks at, and how closely.
struct StepsInSight {
  std::vector<Rank> ranks;  // none: all
  Step from = 0, to = -1;   // the last one, inclusive
  double stepsPerPixel = 1;
};

/// All samples of a run, by name and rank, free of duplicates, in columns of some 6 bytes a sample (RankColumns). A rank that
/// was restarted has several attempts, one after another in time, each in step order.
///
/// Not every sample has to be in memory: of a part of the past there may only be what it comes to, in buckets of many steps
/// (CoarsePart, keepWithin). Pictures show it as such: with its extremes in each column that a bucket reaches.
///
/// One owner adds; anybody else reads a snapshot, in whatever thread, while the owner goes on.
class MetricStore {
 public:
  /// How far a rank was at some time.
  struct Reached {
    int attempt = 0;  // from 0
    Step step = 0;
  };

  MetricStore();
  ~MetricStore();
  MetricStore(MetricStore&& other) noexcept;
  MetricStore& operator=(MetricStore&& other) noexcept;

  /// Samples of one rank that come in one call share rows: as many as there are at once is cheaper than one by one.
  void add(std::span<const MetricSeriesBatch> batches);
  void add(const MetricSeriesBatch& batch) { add(std::span(&batch, 1)); }

  /// A part of the past, or a finer one in place of what stood for it before.
  void add(const CoarsePart& part);
  /// Has at most so many bytes of samples from now on, as far as they can be read again (MetricSeriesBatch::segments): of the
  /// oldest ones, and of what is not in sight first, only that is kept what 256 rows each come to. Cost: a look at each chunk.
  void keepWithin(std::size_t bytes, const StepsInSight& sight);
  /// Whether of these steps of that rank not every sample is here.
  [[nodiscard]] bool isCoarse(Rank rank, Step from, Step to) const;
  /// Whether that is so of anything.
  [[nodiscard]] bool hasCoarse() const;
  /// What is coarse there, and with more steps to a bucket than to a pixel: what is worth being read.
  [[nodiscard]] std::vector<CoarseSpan> coarseIn(const StepsInSight& sight) const;

  /// What is here now and never changes. Cost: one pointer per rank; the next add() copies the last chunk of each rank
  /// that it adds to.
  [[nodiscard]] std::shared_ptr<const MetricStore> snapshot();

  /// Of a snapshot: what was there when each rank's clock showed `end` of that rank; nothing that is later
  /// (RankColumns::until), and no rank that had nothing yet. Of what is coarse, the buckets that had ended; one that had begun by
  /// then is not there, but counts as coarse (isCoarse). In whatever thread. Cost: a copy of up to 4,096 rows for each
  /// rank.
  [[nodiscard]] std::shared_ptr<const MetricStore> until(const std::function<TimePoint(Rank)>& end) const;

  /// The rows of a rank, one attempt after another in time; empty: it has none. As long as the store stays as it is.
  [[nodiscard]] std::span<const Attempt> attempts(Rank rank) const;

  [[nodiscard]] std::vector<std::string> names() const;  // sorted
  [[nodiscard]] std::vector<Rank> ranks() const;         // that have a sample of anything
  [[nodiscard]] std::vector<Rank> ranks(std::string_view name) const;
  /// A copy, attempt by attempt; empty if none. Of what is coarse: nothing.
  [[nodiscard]] std::vector<MetricPoint> series(std::string_view name, Rank rank) const;
  /// As series(), and of what is coarse the last sample of each bucket, about when it was.
  [[nodiscard]] std::vector<MetricPoint> points(std::string_view name, Rank rank) const;
  /// The last of the newest attempt that has any.
  [[nodiscard]] std::optional<MetricPoint> last(std::string_view name, Rank rank) const;
  /// The last one when the rank was that far: of that attempt, or of the newest one before it that has any.
  [[nodiscard]] std::optional<MetricPoint> last(std::string_view name, Rank rank, const Reached& by) const;
  /// The last `count` of the newest attempt that has any, in step order.
  [[nodiscard]] std::vector<MetricPoint> newest(std::string_view name, Rank rank, std::size_t count) const;
  /// The last `count` of that attempt when the rank was that far, in step order.
  [[nodiscard]] std::vector<MetricPoint> newest(std::string_view name, Rank rank, std::size_t count,
                                                const Reached& by) const;
  /// The one at the nearest step; of several that are as near, that of the newest attempt.
  [[nodiscard]] std::optional<MetricPoint> nearest(std::string_view name, Rank rank, double step) const;
  /// The smallest and the largest step of all ranks' samples.
  [[nodiscard]] std::optional<std::pair<Step, Step>> steps(std::string_view name) const;
  /// The row of a rank nearest to a step, whatever was measured in it; of several as near that of the newest attempt. What is
  /// coarse counts as if it had a row of each step, in equal times within a bucket; likewise in reachedAt().
  [[nodiscard]] std::optional<RowKey> nearestRow(Rank rank, double step) const;
  /// How far a rank was at a time, by its own clock: the attempt that had begun last, and the step of its last row
  /// by then. Absent: it had not begun.
  [[nodiscard]] std::optional<Reached> reachedAt(Rank rank, TimePoint time) const;
  /// The first and the last time of all rows.
  [[nodiscard]] std::optional<std::pair<TimePoint, TimePoint>> times() const;
  /// From where to where a quantity of these ranks may have other samples than in an earlier snapshot of the same store;
  /// absent: it has the same. Cost: a comparison for each chunk.
  [[nodiscard]] std::optional<std::pair<Step, Step>> changedSteps(std::string_view name,
                                                                  std::span<const Rank> ranks,
                                                                  const MetricStore& before) const;
  /// Those that what is coarse stands for included. Cost: a look at every chunk.
  [[nodiscard]] std::size_t sampleCount() const;
  [[nodiscard]] std::size_t sampleCount(std::string_view name, Rank rank) const;
  [[nodiscard]] std::size_t bytes() const;  // of memory; likewise

  /// At most about 2 x `pixels` values of each attempt for the steps in [fromStep, toStep] and the nearest sample on
  /// either side, so that a line reaches the edges. Cost: forEachPixel().
  [[nodiscard]] std::vector<PixelSpan> spans(std::string_view name, Rank rank, double fromStep, double toStep,
                                             int pixels) const;
  void forEachPixel(std::string_view name, Rank rank, const PixelGrid& grid,
                    const std::function<void(const PixelPart&)>& visit) const;

 private:
  struct Names;
  struct OfRank {
    std::shared_ptr<RankColumns> table;
    bool isShared = false;  // with a snapshot: to be copied before it changes
  };
  MetricStore(const MetricStore& other);

  void forEachColumn(std::string_view name, Rank rank,
                     const std::function<void(const SampleChunk&, const ValueColumn&)>& visit) const;
  std::uint32_t idOf(const std::string& name);
  CoarseBlock blockOf(const SegmentSummary& summary);
  [[nodiscard]] std::optional<std::uint32_t> findId(std::string_view name) const;
  [[nodiscard]] const RankColumns* tableOf(Rank rank) const;
  RankColumns& changeable(Rank rank);

  std::shared_ptr<Names> names_;
  bool areNamesShared_ = false;
  std::map<Rank, OfRank> ranks_;
};

}  // namespace lockstep
