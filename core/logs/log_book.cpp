// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/log_book.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace lockstep {
namespace {

constexpr std::size_t kBlockBytes = 256 * 1024;
constexpr std::size_t kMaxLine = 16 * 1024 * 1024;

}  // namespace

std::vector<std::size_t> LogBook::add(const std::vector<LogLine>& lines) {
  std::vector<Entry> fresh;
  fresh.reserve(lines.size());
  for (const auto& line : lines) fresh.push_back(entryOf(line));
  std::stable_sort(fresh.begin(), fresh.end(),
                   [](const Entry& a, const Entry& b) { return a.time < b.time; });
  // Merged from behind: lines come late by little, so that only the end is moved.
  std::vector<std::size_t> places(fresh.size());
  std::size_t old = entries_.size();
  entries_.resize(old + fresh.size());
  std::size_t to = entries_.size();
  for (std::size_t next = fresh.size(); next > 0;) {
    if (old > 0 && entries_[old - 1].time > fresh[next - 1].time) {
      entries_[--to] = entries_[--old];
      continue;
    }
    entries_[--to] = fresh[--next];
    places[next] = to;
  }
  return places;
}

void LogBook::clear() {
  *this = LogBook(limits_);
}

std::size_t LogBook::surplus() const {
  if (entries_.size() <= limits_.lines && textBytes_ <= limits_.bytes) return 0;
  const std::size_t linesKept = limits_.lines - limits_.lines / 10;
  const std::size_t bytesKept = limits_.bytes - limits_.bytes / 10;
  std::size_t bytes = textBytes_;
  std::size_t count = 0;
  for (; count < entries_.size() && (entries_.size() - count > linesKept || bytes > bytesKept); ++count)
    bytes -= entries_[count].length;
  return count;
}

void LogBook::dropOldest(std::size_t count) {
  if (count == 0) return;
  for (std::size_t i = 0; i < count; ++i) textBytes_ -= entries_[i].length;
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(count));
  dropped_ += count;
  // What is left moves together: lines come in another order than they stand, so that hardly a block would
  // get empty.
  const auto old = std::exchange(blocks_, {});
  blockSize_ = blockFree_ = 0;
  for (Entry& entry : entries_) entry.text = keep({entry.text, entry.length});
}

LogLineView LogBook::line(std::size_t index) const {
  const Entry& entry = entries_[index];
  return {entry.time, std::string_view(entry.text, entry.length), nodes_[entry.node],
          entry.rank < 0 ? std::nullopt : std::optional(Rank(entry.rank)), entry.level};
}

std::vector<std::uint32_t> LogBook::matching(const LogFilter& filter, std::size_t first) const {
  std::vector<std::uint32_t> result;
  for (std::size_t i = first; i < entries_.size(); ++i)
    if (filter.accepts(line(i))) result.push_back(static_cast<std::uint32_t>(i));
  return result;
}

LogBook::Entry LogBook::entryOf(const LogLine& line) {
  Entry entry;
  const std::string_view text = std::string_view(line.text).substr(0, kMaxLine);
  entry.time = line.time;
  entry.text = keep(text);
  entry.length = static_cast<std::uint32_t>(text.size());
  textBytes_ += text.size();
  entry.node = nodeIndex(line.node);
  entry.level = line.level;
  if (!line.rank) return entry;
  entry.rank = line.rank->value;
  const auto place = std::lower_bound(ranks_.begin(), ranks_.end(), *line.rank);
  if (place == ranks_.end() || *place != *line.rank) ranks_.insert(place, *line.rank);
  return entry;
}

const char* LogBook::keep(std::string_view text) {
  if (blocks_.empty() || text.size() > blockFree_) {
    const std::size_t size = std::max(kBlockBytes, text.size());
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    blockFree_ = size;
    blockSize_ = size;
  }
  char* const place = blocks_.back().get() + (blockSize_ - blockFree_);
  if (!text.empty()) std::memcpy(place, text.data(), text.size());
  blockFree_ -= text.size();
  return place;
}

std::uint16_t LogBook::nodeIndex(const std::string& name) {
  const auto found = std::find(nodes_.begin(), nodes_.end(), name);
  if (found != nodes_.end()) return static_cast<std::uint16_t>(found - nodes_.begin());
  // More nodes than any cluster has: the rest share the last name rather than a wrong index.
  if (nodes_.size() < std::numeric_limits<std::uint16_t>::max()) nodes_.push_back(name);
  return static_cast<std::uint16_t>(nodes_.size() - 1);
}

}  // namespace lockstep
