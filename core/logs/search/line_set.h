// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "logs/store/line_order.h"

namespace lockstep {

/// Ascending line numbers, compressed: per 65,536 lines a list (2 bytes a number), a bitmap (8 KiB) or a range, whichever is
/// smallest. Copies share what is there, so that a copy of many millions of numbers is cheap: give one to another thread
/// while this one grows. Each copy belongs to one thread at a time.
class LineSet {
 public:
  LineSet() = default;
  LineSet(const LineSet& other);
  LineSet& operator=(const LineSet& other);
  LineSet(LineSet&& other) noexcept = default;
  LineSet& operator=(LineSet&& other) noexcept = default;
  ~LineSet() = default;
  /// All of [0, count).
  [[nodiscard]] static LineSet all(std::uint64_t count);

  /// `line` is beyond all that are here.
  void append(std::uint64_t line) { appendRange(line, 1); }
  void appendRange(std::uint64_t first, std::uint64_t count);
  /// Takes over those of `other` in [first, end), each `shift` further on; all are beyond those that are here. What is
  /// not shifted is shared in pieces of 65,536 lines; else the cost is a few ns a number.
  void appendFrom(const LineSet& other, std::uint64_t first, std::uint64_t end, std::uint64_t shift = 0);
  /// Forgets those from `line` on.
  void truncate(std::uint64_t line);
  /// This set with what `piece` has in [first, end) instead of what is there now.
  [[nodiscard]] LineSet replaced(std::uint64_t first, std::uint64_t end, const LineSet& piece) const;
  /// Where the lines of this set stand in a newer order; those that have gone are left out.
  [[nodiscard]] LineSet movedTo(const std::vector<SameLines>& same) const;

  [[nodiscard]] std::uint64_t size() const;
  [[nodiscard]] bool isEmpty() const { return size() == 0; }
  /// The n-th one, n < size(). Cost: a binary search, and in a dense part a look at up to 80 words.
  [[nodiscard]] std::uint64_t at(std::uint64_t n) const;
  /// How many are smaller than `line`: where it stands, or would.
  [[nodiscard]] std::uint64_t countBefore(std::uint64_t line) const;
  [[nodiscard]] std::uint64_t countIn(std::uint64_t first, std::uint64_t end) const {
    return first < end ? countBefore(end) - countBefore(first) : 0;
  }
  [[nodiscard]] bool contains(std::uint64_t line) const;
  /// The numbers from the n-th one on, at most `count`. Cost: some ns each.
  [[nodiscard]] std::vector<std::uint64_t> list(std::uint64_t n, std::uint64_t count) const;
  [[nodiscard]] std::size_t memory() const;  // bytes

 private:
  struct Chunk {
    std::uint64_t base = 0;  // a multiple of 65,536
    std::uint32_t count = 0;
    std::uint16_t first = 0;          // of a range, which it is when it has neither list nor bits
    std::vector<std::uint16_t> list;  // ascending
    std::vector<std::uint64_t> bits;
    std::array<std::uint16_t, 16> inPiece{};  // of the bits: how many are set in each 64 words

    [[nodiscard]] bool isRange() const { return list.empty() && bits.empty(); }
    void append(std::uint32_t from, std::uint32_t howMany);
    void setBit(std::uint32_t low);
    void toListOrBits();
    void toBits();
    [[nodiscard]] std::uint32_t at(std::uint32_t n) const;
    [[nodiscard]] std::uint32_t countBefore(std::uint32_t low) const;
    /// Its n-th to before its end-th one, as runs of neighbours.
    void visitRuns(std::uint32_t n, std::uint32_t end, const auto& run) const;
  };
  struct Held {
    std::shared_ptr<Chunk> chunk;
    std::uint64_t before = 0;  // numbers in the chunks before
  };
  Chunk& changeable(std::uint64_t base);
  /// The chunk that has the n-th one.
  [[nodiscard]] std::vector<Held>::const_iterator chunkOf(std::uint64_t n) const;

  std::vector<Held> chunks_;
  mutable bool isLastShared_ =
      false;  // with a copy: to be copied before it changes. The others change no more.
};

}  // namespace lockstep
