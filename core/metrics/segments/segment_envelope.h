// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "base/error.h"
#include "metrics/segments/segment_bytes.h"
#include "metrics/segments/segment_name.h"

namespace lockstep {

/// What every object of a rank begins with (docs/formats/metric-segments.md 3). Its version follows from its level.
struct SegmentHead {
  SegmentId id;
  std::uint64_t rows = 0, columns = 0;
};

/// Larger ones are no segments: a writer begins the next one long before.
inline constexpr std::size_t kMaxSegmentBytes = 8 << 20;
inline constexpr std::size_t kMaxDecodedBytes = 128 << 20;
/// Decoded bytes per encoded byte.
inline constexpr std::size_t kMaxExpansion = 64;

void writeHead(const SegmentHead& head, ByteWriter& out);
/// Pads what is sparse, so that what a reader allocates stays in proportion to what it was given, and adds the checksum.
[[nodiscard]] std::string sealed(ByteWriter&& out, std::size_t decodedBytes);

/// A head, and what lies behind it.
struct OpenedSegment {
  SegmentHead head;
  ByteReader body;
};
/// Checks the checksum, the version and the head. DataLoss: torn, newer than this program, or not of `levels`. The numbers
/// of rows and columns are bounded by the length alone.
[[nodiscard]] Result<OpenedSegment> openSegment(std::string_view bytes, SegmentLevel firstLevel,
                                                SegmentLevel lastLevel);

/// Whether so much may be allocated for a segment of that length.
[[nodiscard]] bool mayDecode(std::uint64_t decodedBytes, std::size_t encodedBytes);
[[nodiscard]] tl::unexpected<Error> tornSegment(std::string cause);

}  // namespace lockstep
