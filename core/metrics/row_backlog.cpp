// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/row_backlog.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace lockstep {

void RowBacklog::add(Step step, TimePoint time, std::span<const NamedValue> values) {
  if (chunks_.empty() || chunks_.back().rows.size() >= kRowsPerChunk) {
    if (spare_.empty()) {
      chunks_.emplace_back();
      chunks_.back().rows.reserve(kRowsPerChunk);
    } else {
      chunks_.push_back(std::move(spare_.back()));
      spare_.pop_back();
    }
  }
  Chunk& chunk = chunks_.back();
  chunk.rows.push_back({step, time, values.size()});
  chunk.cells.insert(chunk.cells.end(), values.begin(), values.end());
  ++rowCount_;
}

std::vector<RowBacklog::Chunk> RowBacklog::take(std::size_t maxChunks, const Limits& limits) {
  std::vector<Chunk> taken;
  taken.reserve(std::min(maxChunks, chunks_.size()));
  std::size_t cells = 0, rows = 0;
  std::unordered_set<std::string_view> names;
  while (taken.size() < maxChunks && !chunks_.empty()) {
    cells += chunks_.front().cells.size();
    rows += chunks_.front().rows.size();
    for (const auto& [name, value] : chunks_.front().cells) names.insert(name);
    const bool isTooMuch = cells > limits.cells || rows * names.size() > limits.table;
    if (isTooMuch && !taken.empty()) break;
    rowCount_ -= chunks_.front().rows.size();
    taken.push_back(std::move(chunks_.front()));
    chunks_.pop_front();
  }
  return taken;
}

std::size_t RowBacklog::dropOldest() {
  auto dropped = take(1, {});
  const std::size_t rows = dropped.empty() ? 0 : dropped.front().rows.size();
  recycle(std::move(dropped));
  return rows;
}

void RowBacklog::recycle(std::vector<Chunk> chunks) {
  for (auto& chunk : chunks) {
    if (spare_.size() >= kSpareChunks) return;
    chunk.rows.clear();
    chunk.cells.clear();
    spare_.push_back(std::move(chunk));
  }
}

}  // namespace lockstep
