// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/line_file.h"

#include <algorithm>

namespace lockstep {

std::uint64_t LineFile::blockEnd(std::size_t block) const {
  return block + 1 < index.blocks.size() ? index.blocks[block + 1].offset : index.bytes;
}

std::uint64_t LineFile::linesIn(std::size_t block) const {
  const std::uint64_t end = block + 1 < index.blocks.size() ? index.blocks[block + 1].firstLine : index.lines;
  return end - index.blocks[block].firstLine;
}

void BlockText::load(const LineFile& file, std::size_t block, std::uint64_t most) {
  const std::uint64_t begin = file.index.blocks[block].offset, end = file.blockEnd(block);
  const std::uint64_t wanted = std::min(most, end - begin);
  if (bytes_ == file.bytes.get() && block_ == block && end_ == end && wanted_ >= wanted) return;
  bytes_ = file.bytes.get();
  block_ = block;
  end_ = end;
  wanted_ = wanted;
  whole_ = end - begin;
  starts_.clear();
  times_.clear();
  syntax_ = file.syntax;
  timeBefore_ = file.index.blocks[block].time;
  text_.resize(wanted);
  text_.resize(bytes_->read(begin, std::span(text_.data(), text_.size())));
}

void BlockText::findStarts() {
  if (!starts_.empty()) return;
  const std::string_view text = text_;
  starts_.push_back(0);
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    if (at + 1 < text.size()) starts_.push_back(at + 1);
}

std::size_t BlockText::lines() {
  findStarts();
  return starts_.size();
}

std::size_t BlockText::start(std::size_t n) {
  findStarts();
  return n < starts_.size() ? starts_[n] : text_.size();
}

std::string_view BlockText::line(std::size_t n, bool* isCut) {
  findStarts();
  if (isCut) *isCut = n >= starts_.size();
  if (n >= starts_.size()) return {};
  std::string_view rest = std::string_view(text_).substr(starts_[n]);
  if (n + 1 < starts_.size()) return rest.substr(0, starts_[n + 1] - starts_[n] - 1);
  if (rest.ends_with('\n')) {
    rest.remove_suffix(1);
  } else if (isCut) {
    *isCut = text_.size() < whole_;
  }
  return rest;
}

TimePoint BlockText::time(std::size_t n) {
  n = std::min(n, lines() - 1);
  while (times_.size() <= n) {
    const std::int64_t own = timeOf(syntax_, line(times_.size()));
    times_.push_back(own != kNoTime ? own : times_.empty() ? timeBefore_ : times_.back());
  }
  return TimePoint(std::chrono::nanoseconds(times_[n] == kNoTime ? 0 : times_[n]));
}

BlockText& BlockTexts::load(std::size_t number, const LineFile& file, std::size_t block, std::uint64_t most) {
  constexpr std::size_t kMuch = 4 << 20;
  if (number >= texts_.size()) texts_.resize(number + 1);
  BlockText& text = texts_[number];
  if (text.text().size() > kMuch) text = BlockText();  // one huge line is not carried along
  text.load(file, block, most);
  return text;
}

}  // namespace lockstep
