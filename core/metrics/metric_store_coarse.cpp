// SPDX-License-Identifier: GPL-3.0-or-later
// What of a run is not in memory but for what it comes to.
#include <algorithm>
#include <limits>
#include <tuple>

#include "metrics/metric_store.h"
#include "metrics/sample_rows.h"

namespace lockstep {
namespace {

/// Samples that could be given up.
struct Removable {
  bool isInSight = false;
  TimePoint time{};
  Rank rank;
  std::shared_ptr<const SampleChunk> chunk;
};

bool isInSight(const SampleChunk& chunk, Rank rank, const StepsInSight& sight) {
  return chunk.last().step >= sight.from && chunk.first().step <= sight.to &&
         (sight.ranks.empty() || std::ranges::find(sight.ranks, rank) != sight.ranks.end());
}

}  // namespace

void MetricStore::add(const CoarsePart& part) {
  std::vector<CoarseBlock> blocks;
  for (const SegmentSummary& summary : part.summaries) blocks.push_back(blockOf(summary));
  SampleRows rows;
  for (const MetricSeriesBatch& batch : part.batches)
    rows.add(idOf(batch.name), batch.points, batch.segments);
  RankColumns& table = changeable(part.rank);
  if (!part.replaces.isEmpty()) return table.replaceCoarse(part.replaces, blocks, rows.take());
  for (const CoarseBlock& block : blocks) table.add(block);
  table.add(rows.take());
}

CoarseBlock MetricStore::blockOf(const SegmentSummary& summary) {
  CoarseBlock block;
  block.segments = summary.id.segments();
  for (const auto& bucket : summary.buckets) block.buckets.push_back({bucket.first, bucket.last});
  for (const auto& from : summary.columns) {
    CoarseBlock::Column column{idOf(from.name), {}};
    for (std::size_t i = 0; i < from.cells.size(); ++i)
      if (const auto& cell = from.cells[i])
        column.cells.push_back({static_cast<std::uint32_t>(i), cell->values, cell->first, cell->last});
    block.columns.push_back(std::move(column));
  }
  std::ranges::sort(block.columns, {}, &CoarseBlock::Column::id);
  return block;
}

void MetricStore::keepWithin(std::size_t bytes, const StepsInSight& sight) {
  std::size_t used = 0;
  std::vector<Removable> removable;
  for (const auto& [rank, ofRank] : ranks_) {
    for (const Attempt& attempt : ofRank.table->attempts()) {
      for (const auto& chunk : attempt.chunks) {
        if (chunk->isCoarse()) continue;
        used += chunk->bytes();
        // The last one is still being written.
        if (RankColumns::canBeCoarse(*chunk) && chunk != attempt.chunks.back())
          removable.push_back({isInSight(*chunk, rank, sight), chunk->maxTime(), rank, chunk});
      }
    }
  }
  if (used <= bytes) return;
  std::ranges::sort(removable, {},
                    [](const Removable& one) { return std::tuple(one.isInSight, one.time, one.rank); });
  const std::size_t wanted = bytes / 10 * 9;  // so that it is not done again for each sample
  for (const Removable& one : removable) {
    if (used <= wanted) return;
    used -= std::min(used, one.chunk->bytes());
    changeable(one.rank).coarsen(one.chunk);
  }
}

bool MetricStore::isCoarse(Rank rank, Step from, Step to) const {
  const RankColumns* table = tableOf(rank);
  return table != nullptr && !table->coarseIn(from, to, 0).empty();
}

bool MetricStore::hasCoarse() const {
  constexpr Step kFrom = std::numeric_limits<Step>::min(), kTo = std::numeric_limits<Step>::max();
  return std::ranges::any_of(
      ranks_, [](const auto& one) { return !one.second.table->coarseIn(kFrom, kTo, 0).empty(); });
}

std::vector<CoarseSpan> MetricStore::coarseIn(const StepsInSight& sight) const {
  std::vector<CoarseSpan> found;
  for (const Rank rank : sight.ranks.empty() ? ranks() : sight.ranks) {
    const RankColumns* table = tableOf(rank);
    if (table == nullptr) continue;
    for (const SegmentSpan& segments : table->coarseIn(sight.from, sight.to, sight.stepsPerPixel))
      found.push_back({rank, segments});
  }
  return found;
}

}  // namespace lockstep
