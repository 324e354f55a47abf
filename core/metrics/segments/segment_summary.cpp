// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/segment_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include "base/text/encoding.h"

// The format is specified in docs/formats/metric-segments.md 7.
namespace lockstep {
namespace {

using Bucket = SegmentSummary::Bucket;
using Cell = SegmentSummary::Cell;
using Column = SegmentSummary::Column;

constexpr std::uint8_t kSomeAbsent = 0x01;
constexpr std::uint8_t kNarrow = 0x02;
constexpr std::uint64_t kMaxValues = std::uint64_t{1} << 32;
constexpr Step kMaxSteps = Step{1} << 53;
constexpr TimePoint kLatestTime = std::chrono::sys_days(std::chrono::year(2200) / 1 / 1);

// What the format counts for memory, whatever a compiler makes of it.
constexpr std::uint64_t kBucketSize = 32, kCellSize = 80;
static_assert(sizeof(Bucket) <= kBucketSize && sizeof(std::optional<Cell>) <= kCellSize);

std::uint64_t decodedSize(std::uint64_t buckets, std::uint64_t columns) {
  return buckets * kBucketSize + buckets * columns * kCellSize;
}

bool isNarrow(double value) {
  return std::fabs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

bool isNarrow(const std::optional<Cell>& cell) {
  if (!cell || cell->values.finite == 0) return true;
  const ValueSummary& values = cell->values;
  return isNarrow(values.min) && isNarrow(values.max) && isNarrow(values.first) && isNarrow(values.last);
}

/// One number after another, as differences.
class DifferenceWriter {
 public:
  explicit DifferenceWriter(ByteWriter& out) : out_(out) {}
  void write(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    out_.signedVarint(static_cast<std::int64_t>(bits - std::exchange(before_, bits)));
  }

 private:
  ByteWriter& out_;
  std::uint64_t before_ = 0;
};

class DifferenceReader {
 public:
  explicit DifferenceReader(ByteReader& in) : in_(in) {}
  std::int64_t read() {
    before_ += static_cast<std::uint64_t>(in_.signedVarint());
    return static_cast<std::int64_t>(before_);
  }

 private:
  ByteReader& in_;
  std::uint64_t before_ = 0;
};

void writeBuckets(const std::vector<Bucket>& buckets, ByteWriter& out) {
  DifferenceWriter steps(out), times(out);
  for (const Bucket& bucket : buckets) {
    steps.write(bucket.first.step);
    steps.write(bucket.last.step);
    times.write(bucket.first.time.time_since_epoch().count());
    times.write(bucket.last.time.time_since_epoch().count());
  }
}

std::vector<Bucket> readBuckets(ByteReader& in, std::size_t count) {
  std::vector<Bucket> buckets(count);
  DifferenceReader steps(in), times(in);
  for (Bucket& bucket : buckets) {
    bucket.first.step = steps.read();
    bucket.last.step = steps.read();
    bucket.first.time = TimePoint(std::chrono::nanoseconds(times.read()));
    bucket.last.time = TimePoint(std::chrono::nanoseconds(times.read()));
  }
  return buckets;
}

void writeNumber(double value, bool narrow, ByteWriter& out) {
  if (narrow)
    out.u32(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  else
    out.u64(std::bit_cast<std::uint64_t>(value));
}

double readNumber(ByteReader& in, bool narrow) {
  return narrow ? static_cast<double>(std::bit_cast<float>(in.u32())) : std::bit_cast<double>(in.u64());
}

void writeCell(const Cell& cell, const Bucket& bucket, bool narrow, ByteWriter& out) {
  const ValueSummary& values = cell.values;
  out.varint(values.finite);
  out.varint(values.notFinite);
  out.varint(static_cast<std::uint64_t>(cell.first - bucket.first.step));
  out.varint(static_cast<std::uint64_t>(bucket.last.step - cell.last));
  if (values.finite == 0) return;
  writeNumber(values.last, narrow, out);
  if (values.finite == 1) return;
  for (const double value : {values.min, values.max, values.first, values.mean()})
    writeNumber(value, narrow, out);
}

void writeColumn(const Column& column, const std::vector<Bucket>& buckets, ByteWriter& out) {
  const bool full = std::ranges::all_of(column.cells, [](const auto& cell) { return cell.has_value(); });
  const bool narrow = std::ranges::all_of(column.cells, [](const auto& cell) { return isNarrow(cell); });
  out.varint(column.name.size());
  out.bytes(column.name);
  out.byte(static_cast<std::uint8_t>((full ? 0 : kSomeAbsent) | (narrow ? kNarrow : 0)));
  for (std::size_t i = 0; i < buckets.size(); i += 8) {
    std::uint8_t bits = 0;
    for (std::size_t j = i; j < std::min(i + 8, buckets.size()); ++j)
      if (column.cells[j]) bits = static_cast<std::uint8_t>(bits | (1U << (j % 8)));
    if (!full) out.byte(bits);
  }
  for (std::size_t i = 0; i < buckets.size(); ++i)
    if (column.cells[i]) writeCell(*column.cells[i], buckets[i], narrow, out);
}

/// Whether its numbers can be those of some values; how a mean was rounded does not matter.
bool isConsistent(const ValueSummary& values, double mean) {
  if (values.finite == 0) return true;
  const bool isFinite = std::isfinite(values.min) && std::isfinite(values.max) && std::isfinite(mean);
  const auto isWithin = [&values](double value) { return value >= values.min && value <= values.max; };
  return isFinite && isWithin(values.first) && isWithin(values.last);
}

Result<Cell> readCell(ByteReader& in, const Bucket& bucket, bool narrow) {
  Cell cell;
  ValueSummary& values = cell.values;
  values.finite = in.varint();
  values.notFinite = in.varint();
  const std::uint64_t before = in.varint(), behind = in.varint();
  double mean = 0;
  if (values.finite > 0) values.min = values.max = values.first = values.last = mean = readNumber(in, narrow);
  if (values.finite > 1)
    for (double* value : {&values.min, &values.max, &values.first, &mean}) *value = readNumber(in, narrow);
  if (in.failed()) return tornSegment("it ends inside its cells");
  const auto width = static_cast<std::uint64_t>(bucket.last.step - bucket.first.step);
  if (values.isEmpty() || values.finite > kMaxValues || values.notFinite > kMaxValues || before > width ||
      behind > width - before || !isConsistent(values, mean))
    return tornSegment("a cell holds what no values come to");
  cell.first = bucket.first.step + static_cast<Step>(before);
  cell.last = bucket.last.step - static_cast<Step>(behind);
  if (values.finite > 0)
    values.sum = std::clamp(mean, values.min, values.max) * static_cast<double>(values.finite);
  return cell;
}

Result<Column> readColumn(ByteReader& in, const std::vector<Bucket>& buckets) {
  Column column;
  column.name = std::string(in.bytes(in.varint()));
  const std::uint8_t encoding = in.byte();
  if (in.failed()) return tornSegment("it ends inside a column's head");
  if (column.name.empty() || !isUtf8(column.name)) return tornSegment("a column has no valid name");
  if ((encoding & ~(kSomeAbsent | kNarrow)) != 0)
    return tornSegment(fmt::format("the cells of '{}' have the unknown encoding {}", column.name, encoding));
  const bool partial = (encoding & kSomeAbsent) != 0;
  const std::string_view presence = partial ? in.bytes((buckets.size() + 7) / 8) : std::string_view();
  if (in.failed()) return tornSegment(fmt::format("it ends inside the cells of '{}'", column.name));
  column.cells.resize(buckets.size());
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    if (partial && (static_cast<unsigned char>(presence[i / 8]) >> (i % 8) & 1U) == 0) continue;
    auto cell = readCell(in, buckets[i], (encoding & kNarrow) != 0);
    if (!cell) return failure(std::move(cell.error()));
    column.cells[i] = *cell;
  }
  return column;
}

bool isPossible(const Bucket& bucket) {
  return bucket.first.step >= -kMaxSteps && bucket.last.step <= kMaxSteps &&
         bucket.first.time >= TimePoint() && bucket.last.time < kLatestTime;
}

Result<void> readBody(ByteReader& in, const SegmentHead& head, SegmentSummary& summary) {
  summary.buckets = readBuckets(in, static_cast<std::size_t>(head.rows));
  if (in.failed()) return tornSegment("it ends inside its buckets");
  if (!std::ranges::all_of(summary.buckets, isPossible) || !isAscending(summary))
    return tornSegment("its buckets are not such as a run can have");
  std::unordered_set<std::string> names;
  for (std::uint64_t i = 0; i < head.columns; ++i) {
    auto column = readColumn(in, summary.buckets);
    if (!column) return failure(std::move(column.error()));
    if (!names.insert(column->name).second)
      return tornSegment(fmt::format("the column '{}' is there twice", column->name));
    summary.columns.push_back(*std::move(column));
  }
  return {};
}

}  // namespace

SegmentSummary::Column& SegmentSummary::column(std::string_view name) {
  const auto found = std::ranges::find(columns, name, &Column::name);
  if (found != columns.end()) return *found;
  columns.push_back({std::string(name), std::vector<std::optional<Cell>>(buckets.size())});
  return columns.back();
}

bool isAscending(const SegmentSummary& summary) {
  const Bucket* before = nullptr;
  for (const Bucket& bucket : summary.buckets) {
    if (bucket.last.step < bucket.first.step || bucket.last.time < bucket.first.time) return false;
    if (before != nullptr &&
        (bucket.first.step < before->first.step || bucket.last.step < before->last.step ||
         bucket.first.time < before->first.time || bucket.last.time < before->last.time))
      return false;
    before = &bucket;
  }
  return true;
}

std::string encodeSummary(const SegmentSummary& summary) {
  ByteWriter out;
  writeHead({summary.id, summary.buckets.size(), summary.columns.size()}, out);
  writeBuckets(summary.buckets, out);
  for (const Column& column : summary.columns) writeColumn(column, summary.buckets, out);
  return sealed(std::move(out), decodedSize(summary.buckets.size(), summary.columns.size()));
}

Result<SegmentSummary> decodeSummary(std::string_view bytes) {
  auto opened = openSegment(bytes, SegmentLevel::Of16, SegmentLevel::Of4096);
  if (!opened) return failure(std::move(opened.error()));
  const SegmentHead& head = opened->head;
  if (!mayDecode(decodedSize(head.rows, head.columns), bytes.size()))
    return tornSegment(fmt::format("it claims {} buckets and {} columns in {} bytes", head.rows, head.columns,
                                   bytes.size()));
  SegmentSummary summary;
  summary.id = head.id;
  if (auto ok = readBody(opened->body, head, summary); !ok) return failure(std::move(ok.error()));
  return summary;
}

}  // namespace lockstep
