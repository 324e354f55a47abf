// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

/// Which rows of a chunk have a value: a bitmap that counts. All costs are O(1), those of row() a few bits.
class Presence {
 public:
  /// The first `rows` rows have one each.
  explicit Presence(std::uint32_t rows);
  /// `row` is beyond all before.
  void append(std::uint32_t row);
  /// How many rows before `row` have a value.
  [[nodiscard]] std::uint32_t countBefore(std::uint32_t row) const;
  /// The row of value `index`.
  [[nodiscard]] std::uint32_t row(std::uint32_t index) const;
  /// Forgets the rows from `rows` on.
  void keepFirst(std::uint32_t rows);
  void shrink();
  [[nodiscard]] std::size_t bytes() const;

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint16_t> before_;  // values before each word
  std::uint32_t count_ = 0;
};

}  // namespace lockstep
