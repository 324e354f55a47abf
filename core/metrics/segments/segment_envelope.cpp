// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/segment_envelope.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/digest.h"

namespace lockstep {
namespace {

constexpr std::string_view kMagic = "LSM\x1A";
constexpr std::uint8_t kNewestVersion = 2;
constexpr std::size_t kHeaderBytes = 8;
constexpr std::size_t kTrailerBytes = 4;

std::uint8_t versionOf(SegmentLevel level) {
  return level <= SegmentLevel::Summary ? 1 : 2;
}

Result<void> checkEnvelope(std::string_view bytes) {
  if (bytes.size() > kMaxSegmentBytes)
    return tornSegment(
        fmt::format("it has {} bytes, more than the {} that one may have", bytes.size(), kMaxSegmentBytes));
  if (bytes.size() < kHeaderBytes + kTrailerBytes || bytes.substr(0, kMagic.size()) != kMagic)
    return tornSegment("it does not begin as a metric segment does");
  const std::string_view body = bytes.substr(0, bytes.size() - kTrailerBytes);
  ByteReader trailer(bytes.substr(body.size()));
  if (trailer.u32() != crc32c(body)) return tornSegment("its checksum does not match its bytes");
  return {};
}

Result<SegmentLevel> levelIn(std::string_view bytes) {
  const auto version = static_cast<std::uint8_t>(bytes[4]);
  const auto level = static_cast<std::uint8_t>(bytes[5]);
  if (version == 0 || version > kNewestVersion)
    return tornSegment(fmt::format("it has format version {}, this program reads versions up to {}", version,
                                   kNewestVersion));
  if (level > static_cast<std::uint8_t>(SegmentLevel::Of4096) ||
      versionOf(static_cast<SegmentLevel>(level)) != version)
    return tornSegment(fmt::format("it has the unknown level {}", level));
  if (bytes[6] != 0 || bytes[7] != 0) return tornSegment("it has flags that this program does not know");
  return static_cast<SegmentLevel>(level);
}

}  // namespace

tl::unexpected<Error> tornSegment(std::string cause) {
  return failure(ErrorCode::DataLoss, "cannot read a metric segment", std::move(cause));
}

bool mayDecode(std::uint64_t decodedBytes, std::size_t encodedBytes) {
  return decodedBytes <= std::min(kMaxExpansion * encodedBytes, kMaxDecodedBytes);
}

void writeHead(const SegmentHead& head, ByteWriter& out) {
  out.bytes(kMagic);
  out.byte(versionOf(head.id.level));
  out.byte(static_cast<std::uint8_t>(head.id.level));
  out.byte(0);  // flags, section 3
  out.byte(0);
  out.varint(static_cast<std::uint64_t>(head.id.rank.value));
  out.varint(head.id.sequence);
  out.varint(head.rows);
  out.varint(head.columns);
}

std::string sealed(ByteWriter&& out, std::size_t decodedBytes) {
  const std::size_t needed = (decodedBytes + kMaxExpansion - 1) / kMaxExpansion;
  out.padTo(needed > kTrailerBytes ? needed - kTrailerBytes : 0);
  out.u32(crc32c(out.text()));
  return std::move(out).take();
}

Result<OpenedSegment> openSegment(std::string_view bytes, SegmentLevel firstLevel, SegmentLevel lastLevel) {
  if (auto ok = checkEnvelope(bytes); !ok) return failure(std::move(ok.error()));
  const auto level = levelIn(bytes);
  if (!level) return failure(level.error());
  if (*level < firstLevel || *level > lastLevel)
    return tornSegment(
        fmt::format("it has the level {}, which is not that of its name", static_cast<int>(*level)));
  OpenedSegment opened{{},
                       ByteReader(bytes.substr(kHeaderBytes, bytes.size() - kHeaderBytes - kTrailerBytes))};
  SegmentHead& head = opened.head;
  const std::uint64_t rank = opened.body.varint();
  head.id.sequence = opened.body.varint();
  head.rows = opened.body.varint();
  head.columns = opened.body.varint();
  if (opened.body.failed() || rank > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    return tornSegment("its head is not valid");
  // Two bytes at least for each row, three for each column: no count can exceed the input, no product can overflow.
  if (head.rows > bytes.size() / 2 || head.columns > bytes.size() / 3)
    return tornSegment(
        fmt::format("it claims {} rows and {} columns in {} bytes", head.rows, head.columns, bytes.size()));
  head.id.rank = Rank(static_cast<int>(rank));
  head.id.level = *level;
  return opened;
}

}  // namespace lockstep
