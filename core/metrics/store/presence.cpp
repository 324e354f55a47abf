// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/presence.h"

#include <algorithm>
#include <bit>

namespace lockstep {
namespace {
constexpr std::uint32_t kBits = 64;
}

Presence::Presence(std::uint32_t rows) {
  for (std::uint32_t row = 0; row < rows; ++row) append(row);
}

void Presence::append(std::uint32_t row) {
  while (words_.size() <= row / kBits) {
    words_.push_back(0);
    before_.push_back(static_cast<std::uint16_t>(count_));
  }
  words_.back() |= std::uint64_t{1} << (row % kBits);
  ++count_;
}

std::uint32_t Presence::countBefore(std::uint32_t row) const {
  const std::size_t word = row / kBits;
  if (word >= words_.size()) return count_;
  const std::uint64_t below = words_[word] & ((std::uint64_t{1} << (row % kBits)) - 1);
  return before_[word] + static_cast<std::uint32_t>(std::popcount(below));
}

std::uint32_t Presence::row(std::uint32_t index) const {
  const auto after = std::upper_bound(before_.begin(), before_.end(), index);
  const auto word = static_cast<std::size_t>(after - before_.begin()) - 1;
  std::uint64_t bits = words_[word];
  for (std::uint32_t skipped = before_[word]; skipped < index; ++skipped) bits &= bits - 1;
  return static_cast<std::uint32_t>(word) * kBits + static_cast<std::uint32_t>(std::countr_zero(bits));
}

void Presence::keepFirst(std::uint32_t rows) {
  count_ = countBefore(rows);
  if (words_.size() <= rows / kBits) return;
  const bool isWhole = rows % kBits == 0;
  words_.resize(rows / kBits + (isWhole ? 0 : 1));
  before_.resize(words_.size());
  if (!isWhole) words_.back() &= (std::uint64_t{1} << (rows % kBits)) - 1;
}

void Presence::shrink() {
  words_.shrink_to_fit();
  before_.shrink_to_fit();
}

std::size_t Presence::bytes() const {
  return words_.capacity() * sizeof(words_[0]) + before_.capacity() * sizeof(before_[0]);
}

}  // namespace lockstep
