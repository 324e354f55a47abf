// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/search/line_set.h"

#include <algorithm>
#include <bit>

namespace lockstep {
namespace {

constexpr std::uint64_t kInChunk = 65'536;
constexpr std::size_t kWords = kInChunk / 64;
constexpr std::size_t kMostInList = 4096;  // beyond it a bitmap is smaller

}  // namespace

LineSet LineSet::all(std::uint64_t count) {
  LineSet set;
  set.appendRange(0, count);
  return set;
}

void LineSet::appendRange(std::uint64_t first, std::uint64_t count) {
  while (count > 0) {
    const std::uint64_t low = first % kInChunk, here = std::min(count, kInChunk - low);
    changeable(first - low).append(static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(here));
    first += here;
    count -= here;
  }
}

LineSet::Chunk& LineSet::changeable(std::uint64_t base) {
  if (chunks_.empty() || chunks_.back()->base != base) {
    auto chunk = std::make_shared<Chunk>();
    chunk->base = base;
    chunk->before = size();
    isLastShared_ = false;
    chunks_.push_back(std::move(chunk));
  } else if (isLastShared_) {
    chunks_.back() = std::make_shared<Chunk>(*chunks_.back());
    isLastShared_ = false;
  }
  return *chunks_.back();
}

LineSet::LineSet(const LineSet& other) : chunks_(other.chunks_), isLastShared_(true) {
  other.isLastShared_ = true;
}

LineSet& LineSet::operator=(const LineSet& other) {
  if (this == &other) return *this;
  chunks_ = other.chunks_;
  isLastShared_ = other.isLastShared_ = true;
  return *this;
}

void LineSet::Chunk::append(std::uint32_t from, std::uint32_t howMany) {
  const bool staysRange = isRange() && (count == 0 || first + count == from);
  if (count == 0) first = static_cast<std::uint16_t>(from);
  if (!staysRange) {
    if (isRange()) toListOrBits();
    if (bits.empty() && count + howMany > kMostInList) toBits();
    for (std::uint32_t low = from; low < from + howMany; ++low) {
      if (bits.empty())
        list.push_back(static_cast<std::uint16_t>(low));
      else
        bits[low / 64] |= std::uint64_t{1} << low % 64;
    }
  }
  count += howMany;
}

void LineSet::Chunk::toListOrBits() {
  if (count > kMostInList) return toBits();
  for (std::uint32_t i = 0; i < count; ++i) list.push_back(static_cast<std::uint16_t>(first + i));
}

void LineSet::Chunk::toBits() {
  std::vector<std::uint64_t> words(kWords);
  const auto set = [&words](std::uint32_t low) { words[low / 64] |= std::uint64_t{1} << low % 64; };
  if (isRange())
    for (std::uint32_t i = 0; i < count; ++i) set(first + i);
  for (const std::uint16_t low : list) set(low);
  std::vector<std::uint16_t>().swap(list);
  bits = std::move(words);
}

std::uint32_t LineSet::Chunk::at(std::uint32_t n) const {
  if (isRange()) return first + n;
  if (bits.empty()) return list[n];
  for (std::size_t word = 0;; ++word) {
    const auto here = static_cast<std::uint32_t>(std::popcount(bits[word]));
    if (n >= here) {
      n -= here;
      continue;
    }
    std::uint64_t rest = bits[word];
    for (; n > 0; --n) rest &= rest - 1;
    return static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
  }
}

std::uint32_t LineSet::Chunk::countBefore(std::uint32_t low) const {
  if (isRange()) return low <= first ? 0 : std::min<std::uint32_t>(low - first, count);
  if (bits.empty())
    return static_cast<std::uint32_t>(std::lower_bound(list.begin(), list.end(), low) - list.begin());
  std::uint32_t smaller = 0;
  for (std::size_t word = 0; word < low / 64; ++word)
    smaller += static_cast<std::uint32_t>(std::popcount(bits[word]));
  if (low % 64 != 0)
    smaller +=
        static_cast<std::uint32_t>(std::popcount(bits[low / 64] & ((std::uint64_t{1} << low % 64) - 1)));
  return smaller;
}

std::uint64_t LineSet::size() const {
  return chunks_.empty() ? 0 : chunks_.back()->before + chunks_.back()->count;
}

std::uint64_t LineSet::at(std::uint64_t n) const {
  const auto after =
      std::upper_bound(chunks_.begin(), chunks_.end(), n,
                       [](std::uint64_t wanted, const auto& chunk) { return wanted < chunk->before; });
  const Chunk& chunk = **std::prev(after);
  return chunk.base + chunk.at(static_cast<std::uint32_t>(n - chunk.before));
}

std::uint64_t LineSet::countBefore(std::uint64_t line) const {
  const auto after =
      std::upper_bound(chunks_.begin(), chunks_.end(), line,
                       [](std::uint64_t wanted, const auto& chunk) { return wanted < chunk->base; });
  if (after == chunks_.begin()) return 0;
  const Chunk& chunk = **std::prev(after);
  if (line - chunk.base >= kInChunk) return chunk.before + chunk.count;
  return chunk.before + chunk.countBefore(static_cast<std::uint32_t>(line - chunk.base));
}

bool LineSet::contains(std::uint64_t line) const {
  const std::uint64_t place = countBefore(line);
  return place < size() && at(place) == line;
}

void LineSet::truncate(std::uint64_t line) {
  const std::uint64_t stay = countBefore(line);
  while (!chunks_.empty() && chunks_.back()->before >= stay) {
    chunks_.pop_back();
    isLastShared_ = true;  // perhaps: it was not looked after while others stood behind it
  }
  if (chunks_.empty() || size() == stay) return;
  const Chunk last = *chunks_.back();
  chunks_.pop_back();
  Chunk& fresh = changeable(last.base);
  const auto count = static_cast<std::uint32_t>(stay - last.before);
  if (last.isRange()) return fresh.append(last.first, count);
  for (std::uint32_t n = 0; n < count; ++n) fresh.append(last.at(n), 1);
}

std::size_t LineSet::memory() const {
  std::size_t bytes = chunks_.capacity() * sizeof(chunks_[0]);
  for (const auto& chunk : chunks_)
    bytes += sizeof(Chunk) + chunk->list.capacity() * sizeof(std::uint16_t) +
             chunk->bits.capacity() * sizeof(std::uint64_t);
  return bytes;
}

}  // namespace lockstep
