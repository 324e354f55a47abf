// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/coarse_block.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "metrics/store/sample_chunk.h"

namespace lockstep {
namespace {

constexpr std::uint32_t kRowsPerBucket = 256;  // as the coarsest level of a column's pyramid

CoarseBlock::Bucket bucketOf(const RowAxis& axis, std::uint32_t first, std::uint32_t end) {
  CoarseBlock::Bucket bucket{axis.key(first), axis.key(end - 1)};
  for (std::uint32_t row = first; row < end; ++row) {
    bucket.first.time = std::min(bucket.first.time, axis.time(row));
    bucket.last.time = std::max(bucket.last.time, axis.time(row));
  }
  return bucket;
}

CoarseBlock::Column columnOf(const SampleChunk& chunk, std::uint32_t id) {
  CoarseBlock::Column column{id, {}};
  const ValueColumn& values = *chunk.column(id);
  for (std::uint32_t row = 0, bucket = 0; row < chunk.size(); row += kRowsPerBucket, ++bucket) {
    const std::uint32_t first = values.indexAt(row);
    const std::uint32_t end = values.indexAt(std::min(row + kRowsPerBucket, chunk.size()));
    if (first < end)
      column.cells.push_back(
          {bucket, values.summary(first, end), chunk.step(values, first), chunk.step(values, end - 1)});
  }
  return column;
}

}  // namespace

RowKey CoarseBlock::Bucket::rowAt(Step step) const {
  if (step <= first.step) return first;
  if (step >= last.step) return {last.step, last.time};
  const double steps = static_cast<double>(last.step) - static_cast<double>(first.step);
  const double share = (static_cast<double>(step) - static_cast<double>(first.step)) / steps;
  const auto time = std::ceil(share * static_cast<double>((last.time - first.time).count()));
  return {step, std::min(last.time, first.time + TimePoint::duration(static_cast<std::int64_t>(time)))};
}

RowKey CoarseBlock::Bucket::rowBy(TimePoint time) const {
  if (time >= last.time) return last;
  Step reached = first.step, behind = last.step;  // a search, so that it is exactly what rowAt() says
  while (reached + 1 < behind) {
    const Step middle = std::midpoint(reached, behind);
    (rowAt(middle).time <= time ? reached : behind) = middle;
  }
  return rowAt(reached);
}

CoarseBlock coarsened(const SampleChunk& chunk) {
  CoarseBlock block;
  block.segments = chunk.segments();
  for (std::uint32_t row = 0; row < chunk.size(); row += kRowsPerBucket)
    block.buckets.push_back(bucketOf(chunk.axis(), row, std::min(row + kRowsPerBucket, chunk.size())));
  for (const std::uint32_t id : chunk.ids()) block.columns.push_back(columnOf(chunk, id));
  return block;
}

}  // namespace lockstep
