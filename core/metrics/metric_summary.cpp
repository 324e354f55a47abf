// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_summary.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep {
namespace {

constexpr std::size_t kBuckets = 2;  // per raw segment

/// Which rows of [first, last) one column keeps: its smallest, largest, last value and its first that is no
/// number.
std::vector<std::size_t> keptRows(const MetricSegment::Column& column, std::size_t first, std::size_t last) {
  std::optional<std::size_t> low, high, newest, odd;
  for (std::size_t i = first; i < last; ++i) {
    if (!column.cells[i]) continue;
    const double value = *column.cells[i];
    newest = i;
    if (!std::isfinite(value)) {
      if (!odd) odd = i;
      continue;
    }
    if (!low || value < *column.cells[*low]) low = i;
    if (!high || value > *column.cells[*high]) high = i;
  }
  std::vector<std::size_t> kept;
  for (const auto& row : {low, high, newest, odd})
    if (row) kept.push_back(*row);
  return kept;
}

}  // namespace

std::optional<MetricSegment> SummaryBuilder::add(const MetricSegment& raw) {
  if (raw.sequence % kRawPerSummary == 0) {
    summary_ = {};
    summary_.rank = raw.rank;
    summary_.level = SegmentLevel::Summary;
    summary_.sequence = raw.sequence / kRawPerSummary;
    collected_ = 0;
  }
  if (raw.sequence != summary_.sequence * kRawPerSummary + collected_)
    return std::nullopt;  // began within a group
  std::map<std::size_t, std::vector<std::pair<std::string_view, double>>> rows;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    const std::size_t first = raw.rows.size() * bucket / kBuckets;
    const std::size_t last = raw.rows.size() * (bucket + 1) / kBuckets;
    for (const auto& column : raw.columns)
      for (const std::size_t row : keptRows(column, first, last)) {
        auto& cells = rows[row];
        if (cells.empty() || cells.back().first != column.name)
          cells.emplace_back(column.name, *column.cells[row]);
      }
  }
  for (const auto& [row, cells] : rows) summary_.append(raw.rows[row].step, raw.rows[row].time, cells);
  if (++collected_ != kRawPerSummary) return std::nullopt;
  return std::move(summary_);
}

}  // namespace lockstep
