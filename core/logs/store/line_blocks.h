// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "logs/log_line.h"

namespace lockstep {

inline constexpr std::uint64_t kBlockBytes = 64 * 1024;
inline constexpr std::int64_t kNoTime = INT64_MIN;

/// The lines that begin in one stretch of kBlockBytes of a file; a stretch in which none begins has no block.
struct LineBlock {
  std::uint64_t offset = 0;     // of its first line
  std::uint64_t firstLine = 0;  // its number in the file
  std::int64_t time = kNoTime;  // of the last line before it that says one, ns since 1970; kNoTime: none does
};

/// What is among the lines of a block, found out by the first search that looks at each of them.
struct BlockFacts {
  std::int64_t minTime = INT64_MAX, maxTime = INT64_MIN;
  std::uint64_t ranks = 0;  // bit r % 63 of each rank r; bit 63: lines of no rank
  std::uint8_t levels = 0;  // bit of each LogLevel

  void add(const std::optional<Rank>& rank, LogLevel level, TimePoint time);
  [[nodiscard]] static std::uint64_t rankBit(const std::optional<Rank>& rank);
};

/// The blocks of a file, ascending: some 64 bytes for each 64 KiB of it. Copies share them: the owner of one appends to it
/// while other threads read copies that were made before. Facts are noted and read by any thread.
class LineBlocks {
 public:
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const LineBlock& operator[](std::size_t n) const {
    return chunks_[n / kPerChunk]->blocks[n % kPerChunk];
  }
  /// Only the newest copy may be appended to.
  void append(const LineBlock& block);
  /// The block in which that line is; it is in one.
  [[nodiscard]] std::size_t blockOf(std::uint64_t line) const;
  [[nodiscard]] std::size_t memory() const { return chunks_.size() * (sizeof(Chunk) + sizeof(void*)); }

  [[nodiscard]] std::optional<BlockFacts> facts(std::size_t n) const;
  /// Not of a block that may still grow.
  void noteFacts(std::size_t n, const BlockFacts& facts) const;

 private:
  static constexpr std::size_t kPerChunk = 256;
  struct FactsCell {
    std::atomic<int> state{0};  // 0: nothing, 1: being written, 2: there
    BlockFacts facts;
  };
  struct Chunk {
    std::array<LineBlock, kPerChunk> blocks;
    std::array<FactsCell, kPerChunk> facts;
  };

  std::vector<std::shared_ptr<Chunk>> chunks_;
  std::size_t count_ = 0;
};

}  // namespace lockstep
