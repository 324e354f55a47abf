// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>
#include <memory>

#include "base/bounds.h"
#include "base/digest.h"
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "memory_object_store.h"
#include "metrics/metric_reader.h"
#include "metrics/metric_store.h"
#include "metrics/segments/metric_index.h"
#include "metrics/segments/metric_segment.h"
#include "metrics/segments/segment_summary.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxObjects = 24;
constexpr std::size_t kTrailerBytes = 4;
constexpr int kPolls = 8;  // an unreadable segment is given up before
constexpr std::size_t kMaxExpansion = 64;
const std::string kDescription = "run.json", kIndex = "index.json";

// No fuzzer finds a checksum by trying.
std::string withChecksum(std::string_view bytes) {
  if (bytes.size() < kTrailerBytes) return std::string(bytes);
  std::string fixed(bytes.substr(0, bytes.size() - kTrailerBytes));
  const std::uint32_t sum = crc32c(fixed);
  for (unsigned shift = 0; shift < 32; shift += 8) fixed += static_cast<char>(sum >> shift & 0xFFU);
  return fixed;
}

bool sameCells(const MetricSegment::Column& a, const MetricSegment::Column& b) {
  return a.name == b.name &&
         std::equal(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end(), [](auto x, auto y) {
           return x.has_value() == y.has_value() &&
                  (!x || std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y));
         });
}

std::string checkSegment(std::string_view bytes) {
  const auto segment = decodeSegment(bytes);
  if (!segment) return wordless(segment.error(), ErrorCode::DataLoss);
  const std::size_t rows = segment->rows.size();
  if (16 * rows * (segment->columns.size() + 1) > kMaxExpansion * bytes.size())
    return "a segment that holds more than its bytes allow";
  for (const auto& column : segment->columns)
    if (column.name.empty() || column.cells.size() != rows) return "a column of another length";
  const auto again = decodeSegment(encodeSegment(*segment));
  if (!again) return "written again, it cannot be read: " + describe(again.error());
  const bool same = again->rank == segment->rank && again->sequence == segment->sequence &&
                    again->rows.size() == rows &&
                    std::equal(segment->columns.begin(), segment->columns.end(), again->columns.begin(),
                               again->columns.end(), sameCells);
  return same ? "" : "written again, it is another segment";
}

std::string checkSummary(std::string_view bytes) {
  const auto summary = decodeSummary(bytes);
  if (!summary) return wordless(summary.error(), ErrorCode::DataLoss);
  const std::size_t buckets = summary->buckets.size();
  if (buckets * (32 + 80 * summary->columns.size()) > kMaxExpansion * bytes.size())
    return "a summary that holds more than its bytes allow";
  if (!isAscending(*summary)) return "a summary whose buckets do not go up";
  for (const auto& column : summary->columns)
    if (column.name.empty() || column.cells.size() != buckets) return "a column of another length";
  const auto again = decodeSummary(encodeSummary(*summary));
  if (!again) return "written again, it cannot be read: " + describe(again.error());
  const bool same = again->id == summary->id && again->buckets.size() == buckets &&
                    again->columns.size() == summary->columns.size();
  return same ? "" : "written again, it is another summary";
}

std::string checkIndex(std::string_view text) {
  const auto index = parseMetricIndex(text);
  if (!index) return wordless(index.error(), ErrorCode::DataLoss);
  const auto again = parseMetricIndex(toText(*index));
  return again && again->segments == index->segments ? "" : "an index that does not read back";
}

std::string checkName(std::string_view name) {
  const auto place = parseSegmentName(name);
  if (!place) return {};
  if (place->rank.value < 0) return "a rank below zero";
  const auto again = parseSegmentName(segmentName(place->rank, place->sequence, place->level));
  const bool same = again && again->rank == place->rank && again->sequence == place->sequence &&
                    again->level == place->level;
  return same ? "" : "a name that does not read back: " + std::string(name);
}

// Points of a series stand in the order of their steps, no series comes without points, and what is told has words.
std::string checkUpdate(const MetricReader::Update& update, MetricStore& samples) {
  for (const MetricSeriesBatch& batch : update.batches) {
    if (batch.points.empty()) return "a series without points";
    if (batch.rank.value < 0 || batch.rank.value >= kMaxRanks) return "a rank that no cluster has";
    for (std::size_t i = 1; i < batch.points.size(); ++i)
      if (batch.points[i].step < batch.points[i - 1].step) return "steps out of order";
  }
  for (const CoarsePart& part : update.parts) {
    if (part.rank.value < 0 || part.rank.value >= kMaxRanks) return "a rank that no cluster has";
    samples.add(part);
  }
  samples.add(update.batches);
  for (const Error& finding : update.findings)
    if (std::string wrong = wordless(finding, ErrorCode::DataLoss); !wrong.empty()) return wrong;
  return update.segmentsRead > update.segmentsKnown ? "more segments read than there are" : "";
}

/// As a window does: what is in sight is asked for, what is too much is given up.
std::string checkReader(const std::shared_ptr<MemoryObjectStore>& store, MetricDetail detail) {
  MetricReader reader(store, "metrics", kDescription, {detail, 1 << 10});
  MetricStore samples;
  const StepsInSight sight{{}, 0, 1000, 0.5};
  for (int poll = 0; poll < kPolls; ++poll) {
    reader.wantFiner(samples.coarseIn(sight));
    const auto update = reader.poll({});
    if (!update) return "what was written badly is told as a failure: " + describe(update.error());
    if (std::string wrong = checkUpdate(*update, samples); !wrong.empty()) return wrong;
    for (const std::string& name : samples.names())
      for (const Rank rank : samples.ranks(name)) (void)samples.spans(name, rank, -1000, 1000, 50);
    samples.keepWithin(1 << 10, sight);
  }
  return {};
}

}  // namespace

std::string tryMetrics(std::string_view input) {
  const auto store = std::make_shared<MemoryObjectStore>();
  Parts parts(input);
  for (std::size_t i = 0; i < kMaxObjects && parts.more(); ++i) {
    const std::string name(parts.text());
    const std::string bytes = withChecksum(parts.counted());
    if (std::string wrong = checkName(name); !wrong.empty()) return wrong;
    if (std::string wrong = checkSegment(bytes); !wrong.empty()) return wrong;
    if (std::string wrong = checkSummary(bytes); !wrong.empty()) return wrong;
    if (name == kDescription || name == kIndex)
      store->set((name == kIndex ? "metrics/" : "") + name,
                 bytes.substr(0, bytes.size() - std::min(bytes.size(), kTrailerBytes)));
    else
      store->set("metrics/" + name, bytes);
  }
  if (std::string wrong = checkSegment(input); !wrong.empty()) return wrong;
  if (std::string wrong = checkSummary(input); !wrong.empty()) return wrong;
  if (std::string wrong = checkIndex(input); !wrong.empty()) return wrong;
  std::string wrong = checkReader(store, MetricDetail::Overview);
  return wrong.empty() ? checkReader(store, MetricDetail::Everything) : wrong;
}

}  // namespace lockstep
