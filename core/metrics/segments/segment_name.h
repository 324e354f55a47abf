// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "metrics/store/segment_span.h"

namespace lockstep {

/// What an object of a rank holds: what was recorded, or what is kept of it for a first picture. Summary: some of the
/// samples of 16 raw segments, as format version 1 has it. Of16 …: what 16, 256 and 4,096 raw segments come to, as
/// version 2 has it. docs/formats/metric-segments.md 7.
enum class SegmentLevel : std::uint8_t { Raw = 0, Summary = 1, Of16 = 2, Of256 = 3, Of4096 = 4 };

/// How many objects of one level one of the next stands for.
inline constexpr std::uint64_t kSegmentFan = 16;

/// How many raw segments an object of that level stands for; it stands for those from number x this many on.
[[nodiscard]] std::uint64_t rawSegmentsIn(SegmentLevel level);
/// The next finer one: Of256 for Of4096 … Raw for Of16.
[[nodiscard]] SegmentLevel finer(SegmentLevel level);

struct SegmentId {
  Rank rank;
  SegmentLevel level = SegmentLevel::Raw;
  std::uint64_t sequence = 0;  // its number among those of its rank and level

  /// The raw segments that it stands for.
  [[nodiscard]] SegmentSpan segments() const;
  auto operator<=>(const SegmentId&) const = default;
};

/// "rank-00003/raw/0000000007.lsm", relative to layout::metricsFolder.
[[nodiscard]] std::string segmentName(Rank rank, std::uint64_t sequence,
                                      SegmentLevel level = SegmentLevel::Raw);
[[nodiscard]] inline std::string segmentName(const SegmentId& id) {
  return segmentName(id.rank, id.sequence, id.level);
}
/// The inverse of segmentName(); nullopt for any other name, and for numbers beyond all that is written.
[[nodiscard]] std::optional<SegmentId> parseSegmentName(std::string_view name);

/// Numbers beyond it are nobody's.
inline constexpr std::int64_t kMaxSequence = std::int64_t{1} << 48;

}  // namespace lockstep
