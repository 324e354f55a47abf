// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "metrics/segments/segment_envelope.h"
#include "metrics/store/row_axis.h"
#include "metrics/store/value_summary.h"

namespace lockstep {

/// What 16, 256 or 4,096 raw segments of a rank come to: buckets of rows that were recorded one after another, and for
/// each quantity in each bucket how many values, their extremes, the first, the last and the mean. For pictures of a
/// long past (docs/formats/metric-segments.md 7). An object like a raw segment: immutable and numbered.
struct SegmentSummary {
  /// From where to where its rows reach; their steps and times go up from bucket to bucket.
  struct Bucket {
    RowKey first, last;  // the smallest step and time, the largest step and time
  };
  struct Cell {
    ValueSummary values;
    Step first = 0, last = 0;  // steps of the first and the last sample, of whatever value
  };
  struct Column {
    std::string name;
    std::vector<std::optional<Cell>> cells;  // one for each bucket; absent: no sample
  };

  SegmentId id;
  std::vector<Bucket> buckets;
  std::vector<Column> columns;

  /// That column; a new one, absent in all buckets, if there is none yet.
  Column& column(std::string_view name);
};

/// Whether the buckets go up, so that they can be searched. What was recorded while steps went back does not.
[[nodiscard]] bool isAscending(const SegmentSummary& summary);

/// The mean of a column whose values are all binary32 is rounded to that; all else comes back as it was.
[[nodiscard]] std::string encodeSummary(const SegmentSummary& summary);
/// DataLoss for anything torn, of another level or hostile: what it says is consistent, finite and ascending, its steps and
/// times are such as a run can have. Never more memory than 64x the input, nor than `kMaxDecodedBytes`.
[[nodiscard]] Result<SegmentSummary> decodeSummary(std::string_view bytes);

}  // namespace lockstep
