// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "metrics/metric_sample.h"

namespace lockstep {

/// Raw: what was recorded. Summary: the extremes and means of several raw segments, for a first picture
/// (docs/formats/metric-segments.md 7).
enum class SegmentLevel : std::uint8_t { Raw = 0, Summary = 1 };

/// One immutable, numbered object of a rank's metrics: rows (step, time) x named columns; a cell may be
/// absent. The byte format, its versions and what a reader must tolerate: docs/formats/metric-segments.md.
/// This is its only code.
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

/// Larger ones are no segments: a writer begins the next one long before.
inline constexpr std::size_t kMaxSegmentBytes = 8 << 20;
inline constexpr std::size_t kMaxDecodedBytes = 128 << 20;

[[nodiscard]] std::string encodeSegment(const MetricSegment& segment);
/// DataLoss for anything torn, truncated, of a wrong checksum or hostile, or larger than `kMaxSegmentBytes`;
/// never more memory than 64x the input, nor than `kMaxDecodedBytes`.
[[nodiscard]] Result<MetricSegment> decodeSegment(std::string_view bytes);

/// "rank-00003/raw/0000000007.lsm", relative to layout::metricsFolder.
[[nodiscard]] std::string segmentName(Rank rank, std::uint64_t sequence,
                                      SegmentLevel level = SegmentLevel::Raw);

struct SegmentId {
  Rank rank;
  SegmentLevel level = SegmentLevel::Raw;
  std::uint64_t sequence = 0;
};
/// The inverse of segmentName(); nullopt for any other name, and for numbers beyond all that is written.
[[nodiscard]] std::optional<SegmentId> parseSegmentName(std::string_view name);

}  // namespace lockstep
