// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/coarse_block.h"

#include <algorithm>

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

CoarseBlock coarsened(const SampleChunk& chunk) {
  CoarseBlock block;
  block.segments = chunk.segments();
  for (std::uint32_t row = 0; row < chunk.size(); row += kRowsPerBucket)
    block.buckets.push_back(bucketOf(chunk.axis(), row, std::min(row + kRowsPerBucket, chunk.size())));
  for (const std::uint32_t id : chunk.ids()) block.columns.push_back(columnOf(chunk, id));
  return block;
}

}  // namespace lockstep
