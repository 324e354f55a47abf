// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/metric_segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "base/plain_nan.h"
#include "base/text/encoding.h"
#include "metrics/segments/segment_bytes.h"

// The format is specified in docs/formats/metric-segments.md. Section numbers below are that page's.
namespace lockstep {
namespace {

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
  if (in.failed()) return tornSegment("it ends inside a column's head");
  if (column.name.empty() || !isUtf8(column.name)) return tornSegment("a column has no valid name");
  if ((encoding & ~(kHasPresence | kFloat32)) != 0)
    return tornSegment(fmt::format("the cells of '{}' have the unknown encoding {}", column.name, encoding));
  const bool partial = (encoding & kHasPresence) != 0;
  const std::string_view presence = partial ? in.bytes((rows + 7) / 8) : std::string_view();
  if (in.failed()) return tornSegment(fmt::format("it ends inside the cells of '{}'", column.name));
  column.cells.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    if (partial && (static_cast<unsigned char>(presence[i / 8]) >> (i % 8) & 1U) == 0) continue;
    column.cells[i] = decodeCell(in, (encoding & kFloat32) != 0);
  }
  if (in.failed()) return tornSegment(fmt::format("it ends inside the cells of '{}'", column.name));
  return column;
}

Result<void> decodeBody(ByteReader& in, const SegmentHead& head, MetricSegment& segment) {
  segment.rows = decodeAxis(in, static_cast<std::size_t>(head.rows));
  if (in.failed()) return tornSegment("it ends inside its row axis");
  std::unordered_set<std::string_view> names;
  segment.columns.reserve(static_cast<std::size_t>(head.columns));
  for (std::uint64_t i = 0; i < head.columns; ++i) {
    auto column = decodeColumn(in, segment.rows.size());
    if (!column) return failure(std::move(column.error()));
    segment.columns.push_back(std::move(*column));
    if (!names.insert(segment.columns.back().name).second)
      return tornSegment(fmt::format("the column '{}' is there twice", segment.columns.back().name));
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
  writeHead({{segment.rank, segment.level, segment.sequence}, segment.rows.size(), segment.columns.size()},
            out);
  encodeAxis(segment.rows, out);
  for (const auto& column : segment.columns) encodeColumn(column, out);
  return sealed(std::move(out), decodedBytes(segment.rows.size(), segment.columns.size()));
}

Result<MetricSegment> decodeSegment(std::string_view bytes) {
  auto opened = openSegment(bytes, SegmentLevel::Raw, SegmentLevel::Summary);
  if (!opened) return failure(std::move(opened.error()));
  const SegmentHead& head = opened->head;
  if (!mayDecode(decodedBytes(head.rows, head.columns), bytes.size()))
    return tornSegment(
        fmt::format("it claims {} rows and {} columns in {} bytes", head.rows, head.columns, bytes.size()));
  MetricSegment segment;
  segment.rank = head.id.rank;
  segment.level = head.id.level;
  segment.sequence = head.id.sequence;
  if (auto ok = decodeBody(opened->body, head, segment); !ok) return failure(std::move(ok.error()));
  return segment;
}

}  // namespace lockstep
