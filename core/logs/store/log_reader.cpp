// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/log_reader.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::uint64_t kHeadBytes = 4096;  // of a kept line, before its text

}  // namespace

LogReader::Place LogReader::placeOf(std::uint64_t index) {
  if (!hasPart_ || index < part_.first || index >= part_.first + part_.count) {
    part_ = snapshot_->order().part(snapshot_->order().partOf(index));
    hasPart_ = true;
    run_ = 0;
    runStart_ = part_.first;
  }
  if (index < runStart_) {
    run_ = 0;
    runStart_ = part_.first;
  }
  while (index - runStart_ >= part_.runs[run_].count) runStart_ += part_.runs[run_++].count;
  const LineRun& run = part_.runs[run_];
  const LineFile& file = *snapshot_->files()[run.file];
  const std::uint64_t line = run.first + (index - runStart_);
  const std::size_t block = file.index.blocks.blockOf(line);
  return {&file, run.file, block, static_cast<std::size_t>(line - file.index.blocks[block].firstLine)};
}

LogLineView LogReader::line(std::uint64_t index) {
  const Place place = placeOf(index);
  const LineFile& file = *place.file;
  BlockText& block = blocks_.load(place.number, file, place.block, kBlockBytes + kHeadBytes + kMaxShown);
  const std::string_view raw = block.line(place.line, &isCut_);
  LogLineView view;
  view.node = file.node;
  const auto parts = takeApart(file.syntax, raw);
  if (!parts) return view;
  view.text = parts->text.substr(0, kMaxShown);
  isCut_ = isCut_ || view.text.size() < parts->text.size();
  view.rank = parts->rank;
  view.level = parts->level;
  view.time =
      parts->time != kNoTime ? TimePoint(std::chrono::nanoseconds(parts->time)) : block.time(place.line);
  if (parts->node.empty()) return view;
  view.node = parts->node;
  if (view.node.find('%') == std::string_view::npos) return view;
  node_ = decodeField(view.node);
  view.node = node_;
  return view;
}

std::string LogReader::wholeText(std::uint64_t index) {
  const LogLineView shown = line(index);
  if (!isCut_) return std::string(shown.text);
  const Place place = placeOf(index);
  BlockText whole;
  whole.load(*place.file, place.block, UINT64_MAX);
  return std::string(textOf(place.file->syntax, whole.line(place.line)));
}

std::uint64_t LogReader::lowerBound(TimePoint time) {
  std::uint64_t low = 0, high = size();
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (line(middle).time < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace lockstep
