// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include "base/digest.h"
#include "base/encoding.h"
#include "base/plain_nan.h"
#include "metrics/segment_bytes.h"

// The format is specified in docs/formats/metric-segments.md. Section numbers below are that page's.
namespace lockstep {
namespace {

constexpr std::string_view kMagic = "LSM\x1A";
constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 8;
constexpr std::size_t kTrailerBytes = 4;
constexpr std::size_t kMaxExpansion = 64;  // decoded bytes per encoded byte, section 6
constexpr std::int64_t kMaxSequence = std::int64_t{1} << 48;
constexpr std::uint8_t kHasPresence = 0x01;
constexpr std::uint8_t kFloat32 = 0x02;

using Cells = std::vector<std::optional<double>>;

std::size_t decodedBytes(std::uint64_t rows, std::uint64_t columns) {
  return static_cast<std::size_t>(rows * sizeof(MetricSegment::Row) +
                                  rows * columns * sizeof(Cells::value_type));
}

bool fitsFloat32(double value) {
  if (!std::isfinite(value)) return true;
  return std::fabs(value) <= FLT_MAX && static_cast<double>(static_cast<float>(value)) == value;
}

void encodeAxis(const std::vector<MetricSegment::Row>& rows, ByteWriter& out) {
  std::uint64_t previous = 0;
  for (const auto& row : rows) {
    const auto step = static_cast<std::uint64_t>(row.step);
    out.signedVarint(static_cast<std::int64_t>(step - previous));
    previous = step;
  }
  previous = 0;
  for (const auto& row : rows) {
    const auto nanos = static_cast<std::uint64_t>(row.time.time_since_epoch().count());
    out.signedVarint(static_cast<std::int64_t>(nanos - previous));
    previous = nanos;
  }
}

void encodePresence(const Cells& cells, ByteWriter& out) {
  std::uint8_t bits = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i]) bits = static_cast<std::uint8_t>(bits | (1U << (i % 8)));
    if (i % 8 == 7) out.byte(std::exchange(bits, std::uint8_t{0}));
  }
  if (cells.size() % 8 != 0) out.byte(bits);
}

void encodeColumn(const MetricSegment::Column& column, ByteWriter& out) {
  const bool full =
      std::all_of(column.cells.begin(), column.cells.end(), [](const auto& c) { return c.has_value(); });
  const bool narrow = std::all_of(column.cells.begin(), column.cells.end(),
                                  [](const auto& c) { return !c || fitsFloat32(*c); });
  out.varint(column.name.size());
  out.bytes(column.name);
  out.byte(static_cast<std::uint8_t>((full ? 0 : kHasPresence) | (narrow ? kFloat32 : 0)));
  if (!full) encodePresence(column.cells, out);
  for (const auto& cell : column.cells) {
    if (!cell) continue;
    if (narrow)
      out.u32(std::bit_cast<std::uint32_t>(static_cast<float>(plainNan(*cell))));
    else
      out.u64(std::bit_cast<std::uint64_t>(plainNan(*cell)));
  }
}

tl::unexpected<Error> torn(std::string cause) {
  return failure(ErrorCode::DataLoss, "cannot read a metric segment", std::move(cause));
}

std::vector<MetricSegment::Row> decodeAxis(ByteReader& in, std::size_t count) {
  std::vector<MetricSegment::Row> rows(count);
  std::uint64_t previous = 0;
  for (auto& row : rows) {
    previous += static_cast<std::uint64_t>(in.signedVarint());
    row.step = static_cast<Step>(previous);
  }
  previous = 0;
  for (auto& row : rows) {
    previous += static_cast<std::uint64_t>(in.signedVarint());
    row.time = TimePoint(std::chrono::nanoseconds(static_cast<std::int64_t>(previous)));
  }
  return rows;
}

double decodeCell(ByteReader& in, bool narrow) {
  if (narrow) return plainNan(static_cast<double>(std::bit_cast<float>(in.u32())));
  return plainNan(std::bit_cast<double>(in.u64()));
}

Result<MetricSegment::Column> decodeColumn(ByteReader& in, std::size_t rows) {
  MetricSegment::Column column;
  column.name = std::string(in.bytes(in.varint()));
  const std::uint8_t encoding = in.byte();
  if (in.failed()) return torn("it ends inside a column's head");
  if (column.name.empty() || !isUtf8(column.name)) return torn("a column has no valid name");
  if ((encoding & ~(kHasPresence | kFloat32)) != 0)
    return torn(fmt::format("the cells of '{}' have the unknown encoding {}", column.name, encoding));
  const bool partial = (encoding & kHasPresence) != 0;
  const std::string_view presence = partial ? in.bytes((rows + 7) / 8) : std::string_view();
  if (in.failed()) return torn(fmt::format("it ends inside the cells of '{}'", column.name));
  column.cells.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    if (partial && (static_cast<unsigned char>(presence[i / 8]) >> (i % 8) & 1U) == 0) continue;
    column.cells[i] = decodeCell(in, (encoding & kFloat32) != 0);
  }
  if (in.failed()) return torn(fmt::format("it ends inside the cells of '{}'", column.name));
  return column;
}

Result<void> checkEnvelope(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes + kTrailerBytes || bytes.substr(0, kMagic.size()) != kMagic)
    return torn("it does not begin as a metric segment does");
  const std::string_view body = bytes.substr(0, bytes.size() - kTrailerBytes);
  ByteReader trailer(bytes.substr(body.size()));
  if (trailer.u32() != crc32c(body)) return torn("its checksum does not match its bytes");
  const auto version = static_cast<std::uint8_t>(bytes[4]);
  if (version != kVersion)
    return torn(fmt::format("it has format version {}, this program reads version {}", version, kVersion));
  return {};
}

Result<void> decodeBody(ByteReader& in, std::size_t size, MetricSegment& segment) {
  const std::uint64_t rank = in.varint();
  segment.sequence = in.varint();
  const std::uint64_t rows = in.varint();
  const std::uint64_t columns = in.varint();
  if (in.failed() || rank > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    return torn("its head is not valid");
  // Two bytes at least for each row, three for each column: no count can exceed the input, no product can
  // overflow.
  if (rows > size / 2 || columns > size / 3 ||
      decodedBytes(rows, columns) > std::min(kMaxExpansion * size, kMaxDecodedBytes))
    return torn(fmt::format("it claims {} rows and {} columns in {} bytes", rows, columns, size));
  segment.rank = Rank(static_cast<int>(rank));
  segment.rows = decodeAxis(in, static_cast<std::size_t>(rows));
  if (in.failed()) return torn("it ends inside its row axis");
  std::unordered_set<std::string_view> names;
  segment.columns.reserve(static_cast<std::size_t>(columns));
  for (std::uint64_t i = 0; i < columns; ++i) {
    auto column = decodeColumn(in, segment.rows.size());
    if (!column) return failure(std::move(column.error()));
    segment.columns.push_back(std::move(*column));
    if (!names.insert(segment.columns.back().name).second)
      return torn(fmt::format("the column '{}' is there twice", segment.columns.back().name));
  }
  return {};
}

}  // namespace

void MetricSegment::append(Step step, TimePoint time,
                           const std::vector<std::pair<std::string_view, double>>& values) {
  rows.push_back({step, time});
  for (const auto& [name, value] : values) {
    auto column =
        std::find_if(columns.begin(), columns.end(), [&, n = name](const Column& c) { return c.name == n; });
    if (column == columns.end()) column = columns.insert(columns.end(), Column{std::string(name), {}});
    column->cells.resize(rows.size());
    column->cells.back() = value;
  }
  for (auto& column : columns) column.cells.resize(rows.size());
}

std::string encodeSegment(const MetricSegment& segment) {
  ByteWriter out;
  out.bytes(kMagic);
  out.byte(kVersion);
  out.byte(static_cast<std::uint8_t>(segment.level));
  out.byte(0);  // flags, section 3
  out.byte(0);
  out.varint(static_cast<std::uint64_t>(segment.rank.value));
  out.varint(segment.sequence);
  out.varint(segment.rows.size());
  out.varint(segment.columns.size());
  encodeAxis(segment.rows, out);
  for (const auto& column : segment.columns) encodeColumn(column, out);
  // A sparse segment is padded, so that what a reader allocates stays in proportion to what it was given.
  const std::size_t needed =
      (decodedBytes(segment.rows.size(), segment.columns.size()) + kMaxExpansion - 1) / kMaxExpansion;
  out.padTo(needed > kTrailerBytes ? needed - kTrailerBytes : 0);
  out.u32(crc32c(out.text()));
  return std::move(out).take();
}

Result<MetricSegment> decodeSegment(std::string_view bytes) {
  if (bytes.size() > kMaxSegmentBytes)
    return torn(
        fmt::format("it has {} bytes, more than the {} that one may have", bytes.size(), kMaxSegmentBytes));
  if (auto ok = checkEnvelope(bytes); !ok) return failure(std::move(ok.error()));
  MetricSegment segment;
  const auto level = static_cast<std::uint8_t>(bytes[5]);
  if (level > static_cast<std::uint8_t>(SegmentLevel::Summary))
    return torn(fmt::format("it has the unknown level {}", level));
  if (bytes[6] != 0 || bytes[7] != 0) return torn("it has flags that this program does not know");
  segment.level = static_cast<SegmentLevel>(level);
  ByteReader in(bytes.substr(kHeaderBytes, bytes.size() - kHeaderBytes - kTrailerBytes));
  if (auto ok = decodeBody(in, bytes.size(), segment); !ok) return failure(std::move(ok.error()));
  return segment;
}

std::string segmentName(Rank rank, std::uint64_t sequence, SegmentLevel level) {
  return fmt::format("rank-{:05}/{}/{:010}.lsm", rank.value, level == SegmentLevel::Raw ? "raw" : "sum",
                     sequence);
}

std::optional<SegmentId> parseSegmentName(std::string_view name) {
  SegmentId place;
  const std::string_view whole = name;
  const auto number = [&name](std::string_view before, std::string_view after, auto& value) {
    if (!name.starts_with(before)) return false;
    name.remove_prefix(before.size());
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
    if (error != std::errc() || value < 0) return false;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    if (!name.starts_with(after)) return false;
    name.remove_prefix(after.size());
    return true;
  };
  std::int64_t sequence = 0;
  if (!number("rank-", "/", place.rank.value)) return std::nullopt;
  place.level = name.starts_with("sum/") ? SegmentLevel::Summary : SegmentLevel::Raw;
  if (!number(place.level == SegmentLevel::Raw ? "raw/" : "sum/", ".lsm", sequence) || !name.empty())
    return std::nullopt;
  place.sequence = static_cast<std::uint64_t>(sequence);
  // "rank-7/raw/0.lsm" would be a second name of the same segment.
  const bool isIts =
      sequence <= kMaxSequence && segmentName(place.rank, place.sequence, place.level) == whole;
  return isIts ? std::optional(place) : std::nullopt;
}

}  // namespace lockstep
