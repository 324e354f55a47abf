// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "metrics/segments/segment_envelope.h"
#include "metrics/segments/segment_name.h"

namespace lockstep {

/// One immutable, numbered object of a rank's metrics: rows (step, time) x named columns; a cell may be
/// absent. Its level is Raw, or Summary. The byte format, its versions and what a reader must tolerate:
/// docs/formats/metric-segments.md. This is its only code.
class MetricSegment {
 public:
  struct Row {
    Step step = 0;
    TimePoint time{};
  };
  struct Column {
    std::string name;
    std::vector<std::optional<double>> cells;  // one per row; NaN and infinities are values
  };

  Rank rank;
  SegmentLevel level = SegmentLevel::Raw;
  std::uint64_t sequence = 0;  // 0, 1, 2… within a rank; a gap means a lost or late segment
  std::vector<Row> rows;       // in the order in which they were recorded
  std::vector<Column> columns;

  /// Adds a row; a name not seen before becomes a new column, absent in the rows before.
  void append(Step step, TimePoint time, const std::vector<std::pair<std::string_view, double>>& values);
};

[[nodiscard]] std::string encodeSegment(const MetricSegment& segment);
/// DataLoss for anything torn, truncated, of a wrong checksum, of another level or hostile, or larger than `kMaxSegmentBytes`;
/// never more memory than 64x the input, nor than `kMaxDecodedBytes`.
[[nodiscard]] Result<MetricSegment> decodeSegment(std::string_view bytes);

}  // namespace lockstep
