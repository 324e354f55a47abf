// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/line_blocks.h"

#include <algorithm>

namespace lockstep {

std::uint64_t BlockFacts::rankBit(const std::optional<Rank>& rank) {
  constexpr int kNoRankBit = 63;
  return std::uint64_t{1} << (rank ? rank->value % kNoRankBit : kNoRankBit);
}

void BlockFacts::add(const std::optional<Rank>& rank, LogLevel level, TimePoint time) {
  const std::int64_t at = time.time_since_epoch().count();
  minTime = std::min(minTime, at);
  maxTime = std::max(maxTime, at);
  ranks |= rankBit(rank);
  levels = static_cast<std::uint8_t>(levels | 1U << static_cast<unsigned>(level));
}

void LineBlocks::append(const LineBlock& block) {
  // What older copies know of a chunk ends before this place, so that they never look at it.
  if (count_ % kPerChunk == 0) chunks_.push_back(std::make_shared<Chunk>());
  chunks_.back()->blocks[count_++ % kPerChunk] = block;
}

std::size_t LineBlocks::blockOf(std::uint64_t line) const {
  std::size_t low = 0, high = count_;  // the answer is in [low, high)
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    if ((*this)[middle].firstLine <= line)
      low = middle;
    else
      high = middle;
  }
  return low;
}

std::optional<BlockFacts> LineBlocks::facts(std::size_t n) const {
  const FactsCell& cell = chunks_[n / kPerChunk]->facts[n % kPerChunk];
  if (cell.state.load(std::memory_order_acquire) != 2) return std::nullopt;
  return cell.facts;
}

void LineBlocks::noteFacts(std::size_t n, const BlockFacts& facts) const {
  FactsCell& cell = chunks_[n / kPerChunk]->facts[n % kPerChunk];
  int nothing = 0;
  if (!cell.state.compare_exchange_strong(nothing, 1)) return;  // somebody else found out the same
  cell.facts = facts;
  cell.state.store(2, std::memory_order_release);
}

}  // namespace lockstep
