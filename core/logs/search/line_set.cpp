// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/search/line_set.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lockstep {
namespace {

constexpr std::uint64_t kInChunk = 65'536;
constexpr std::size_t kWords = kInChunk / 64;
constexpr std::uint32_t kInPiece = kInChunk / 16;
constexpr std::size_t kMaxInList = 4096;  // beyond it a bitmap is smaller

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
  if (chunks_.empty() || chunks_.back().chunk->base != base) {
    auto chunk = std::make_shared<Chunk>();
    chunk->base = base;
    const std::uint64_t before = size();
    isLastShared_ = false;
    chunks_.push_back({std::move(chunk), before});
  } else if (isLastShared_) {
    chunks_.back().chunk = std::make_shared<Chunk>(*chunks_.back().chunk);
    isLastShared_ = false;
  }
  return *chunks_.back().chunk;
}

void LineSet::appendFrom(const LineSet& other, std::uint64_t first, std::uint64_t end, std::uint64_t shift) {
  auto held = std::upper_bound(
      other.chunks_.begin(), other.chunks_.end(), first,
      [](std::uint64_t wanted, const Held& one) { return wanted < one.chunk->base + kInChunk; });
  for (; held != other.chunks_.end() && held->chunk->base < end; ++held) {
    const Chunk& chunk = *held->chunk;
    const bool isWhole = first <= chunk.base && chunk.base + kInChunk <= end;
    if (isWhole && shift == 0 && (chunks_.empty() || chunks_.back().chunk->base < chunk.base)) {
      chunks_.push_back({held->chunk, size()});
      isLastShared_ = other.isLastShared_ = true;
      continue;
    }
    const auto placeOf = [&chunk](std::uint64_t line) {
      if (line <= chunk.base) return std::uint32_t{0};
      return line - chunk.base >= kInChunk ? chunk.count
                                           : chunk.countBefore(static_cast<std::uint32_t>(line - chunk.base));
    };
    chunk.visitRuns(placeOf(first), placeOf(end), [&](std::uint32_t low, std::uint32_t count) {
      appendRange(chunk.base + low + shift, count);
    });
  }
}

LineSet LineSet::replaced(std::uint64_t first, std::uint64_t end, const LineSet& piece) const {
  LineSet made;
  made.appendFrom(*this, 0, first);
  made.appendFrom(piece, first, end);
  made.appendFrom(*this, end, UINT64_MAX);
  return made;
}

LineSet LineSet::movedTo(const std::vector<SameLines>& same) const {
  LineSet made;
  for (const SameLines& lines : same)
    made.appendFrom(*this, lines.older, lines.older + lines.count, lines.newer - lines.older);
  return made;
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
    if (bits.empty() && count + howMany > kMaxInList) toBits();
    for (std::uint32_t low = from; low < from + howMany; ++low) {
      if (bits.empty())
        list.push_back(static_cast<std::uint16_t>(low));
      else
        setBit(low);
    }
  }
  count += howMany;
}

void LineSet::Chunk::toListOrBits() {
  if (count > kMaxInList) return toBits();
  for (std::uint32_t i = 0; i < count; ++i) list.push_back(static_cast<std::uint16_t>(first + i));
}

void LineSet::Chunk::setBit(std::uint32_t low) {
  bits[low / 64] |= std::uint64_t{1} << low % 64;
  ++inPiece[low / kInPiece];
}

void LineSet::Chunk::toBits() {
  const std::vector<std::uint16_t> numbers = std::exchange(list, {});
  const bool wasRange = numbers.empty();
  bits.assign(kWords, 0);
  inPiece = {};
  for (std::uint32_t i = 0; wasRange && i < count; ++i) setBit(first + i);
  for (const std::uint16_t low : numbers) setBit(low);
}

std::uint32_t LineSet::Chunk::at(std::uint32_t n) const {
  if (isRange()) return first + n;
  if (bits.empty()) return list[n];
  std::size_t piece = 0;
  for (; n >= inPiece[piece]; ++piece) n -= inPiece[piece];
  for (std::size_t word = piece * kInPiece / 64;; ++word) {
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
  for (std::size_t piece = 0; piece < low / kInPiece; ++piece) smaller += inPiece[piece];
  for (std::size_t word = low / kInPiece * kInPiece / 64; word < low / 64; ++word)
    smaller += static_cast<std::uint32_t>(std::popcount(bits[word]));
  if (low % 64 != 0)
    smaller +=
        static_cast<std::uint32_t>(std::popcount(bits[low / 64] & ((std::uint64_t{1} << low % 64) - 1)));
  return smaller;
}

void LineSet::Chunk::visitRuns(std::uint32_t n, std::uint32_t end, const auto& run) const {
  if (n >= end) return;
  if (isRange()) return run(first + n, end - n);
  if (!bits.empty()) {
    std::uint32_t low = at(n);
    for (std::uint32_t left = end - n; left > 0;) {
      while (low % 64 == 0 && bits[low / 64] == 0) low += 64;
      const std::uint64_t word = bits[low / 64] >> low % 64;
      low += static_cast<std::uint32_t>(word == 0 ? 64 - low % 64 : std::countr_zero(word));
      if (word == 0) continue;
      const auto ones = static_cast<std::uint32_t>(std::countr_one(bits[low / 64] >> low % 64));
      const std::uint32_t here = std::min(ones, left);
      run(low, here);
      low += here;
      left -= here;
    }
    return;
  }
  for (std::uint32_t begin = n; begin < end;) {
    std::uint32_t next = begin + 1;
    while (next < end && list[next] == list[next - 1] + 1) ++next;
    run(list[begin], next - begin);
    begin = next;
  }
}

std::uint64_t LineSet::size() const {
  return chunks_.empty() ? 0 : chunks_.back().before + chunks_.back().chunk->count;
}

std::vector<LineSet::Held>::const_iterator LineSet::chunkOf(std::uint64_t n) const {
  const auto after =
      std::upper_bound(chunks_.begin(), chunks_.end(), n,
                       [](std::uint64_t wanted, const Held& held) { return wanted < held.before; });
  return std::prev(after);
}

std::uint64_t LineSet::at(std::uint64_t n) const {
  const auto held = chunkOf(n);
  return held->chunk->base + held->chunk->at(static_cast<std::uint32_t>(n - held->before));
}

std::vector<std::uint64_t> LineSet::list(std::uint64_t n, std::uint64_t count) const {
  std::vector<std::uint64_t> lines;
  if (n >= size()) return lines;
  const std::uint64_t end = n + std::min(count, size() - n);
  lines.reserve(end - n);
  for (auto held = chunkOf(n); held != chunks_.end() && held->before < end; ++held) {
    const Chunk& chunk = *held->chunk;
    const auto from = static_cast<std::uint32_t>(std::max(n, held->before) - held->before);
    const auto to = static_cast<std::uint32_t>(std::min<std::uint64_t>(end - held->before, chunk.count));
    chunk.visitRuns(from, to, [&](std::uint32_t low, std::uint32_t length) {
      for (std::uint32_t i = 0; i < length; ++i) lines.push_back(chunk.base + low + i);
    });
  }
  return lines;
}

std::uint64_t LineSet::countBefore(std::uint64_t line) const {
  const auto after =
      std::upper_bound(chunks_.begin(), chunks_.end(), line,
                       [](std::uint64_t wanted, const Held& held) { return wanted < held.chunk->base; });
  if (after == chunks_.begin()) return 0;
  const Held& held = *std::prev(after);
  if (line - held.chunk->base >= kInChunk) return held.before + held.chunk->count;
  return held.before + held.chunk->countBefore(static_cast<std::uint32_t>(line - held.chunk->base));
}

bool LineSet::contains(std::uint64_t line) const {
  const std::uint64_t place = countBefore(line);
  return place < size() && at(place) == line;
}

void LineSet::truncate(std::uint64_t line) {
  const std::uint64_t stay = countBefore(line);
  while (!chunks_.empty() && chunks_.back().before >= stay) {
    chunks_.pop_back();
    isLastShared_ = true;  // perhaps: it was not looked after while others stood behind it
  }
  if (chunks_.empty() || size() == stay) return;
  const Held last = chunks_.back();
  chunks_.pop_back();
  Chunk& fresh = changeable(last.chunk->base);
  const auto count = static_cast<std::uint32_t>(stay - last.before);
  last.chunk->visitRuns(0, count,
                        [&fresh](std::uint32_t low, std::uint32_t length) { fresh.append(low, length); });
}

std::size_t LineSet::memory() const {
  std::size_t bytes = chunks_.capacity() * sizeof(chunks_[0]);
  for (const Held& held : chunks_)
    bytes += sizeof(Chunk) + held.chunk->list.capacity() * sizeof(std::uint16_t) +
             held.chunk->bits.capacity() * sizeof(std::uint64_t);
  return bytes;
}

}  // namespace lockstep
