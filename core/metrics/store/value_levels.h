// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "metrics/store/value_summary.h"

namespace lockstep {

/// Values one after another, and a pyramid over them: a block stands for 16 values, a group for 16 blocks.
/// First and last are no part of it, they are read from the values. Cost of append(): amortised O(1); of summary(): at
/// most 2 x 15 values, 2 x 15 blocks and a group for every 256 values. `T`: float or double.
template <class T>
class ValueLevels {
 public:
  static constexpr std::size_t kFan = 16;

  void append(T value) {
    values_.push_back(value);
    if (values_.size() % kFan == 0) closeBlock();
    if (values_.size() % (kFan * kFan) == 0) closeGroup();
  }
  [[nodiscard]] const std::vector<T>& values() const { return values_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] T value(std::size_t index) const { return values_[index]; }
  /// Of the values [first, end).
  [[nodiscard]] ValueSummary summary(std::size_t first, std::size_t end) const {
    ValueSummary result;
    for (std::size_t i = first; i < end;) {
      if (i % (kFan * kFan) == 0 && i + kFan * kFan <= end) {
        addGroup(result, i / (kFan * kFan));
        i += kFan * kFan;
      } else if (i % kFan == 0 && i + kFan <= end) {
        addBlock(result, i / kFan);
        i += kFan;
      } else {
        const std::size_t stop = std::min(end, (i / kFan + 1) * kFan);
        while (i < stop) result.add(values_[i++]);
      }
    }
    if (result.finite == 0) return result;
    result.first = values_[*firstFinite(first, end)];
    result.last = values_[*lastFinite(first, end)];
    return result;
  }
  /// The place of the first, or last, finite value among [first, end).
  [[nodiscard]] std::optional<std::size_t> firstFinite(std::size_t first, std::size_t end) const {
    for (std::size_t i = first; i < end; ++i) {
      if (std::isfinite(values_[i])) return i;
      if (i % kFan == 0 && i + kFan <= end && finiteIn(i / kFan) == 0) i += kFan - 1;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::size_t> lastFinite(std::size_t first, std::size_t end) const {
    for (std::size_t i = end; i > first; --i) {
      if (std::isfinite(values_[i - 1])) return i - 1;
      if (i % kFan == 0 && i >= first + kFan && finiteIn(i / kFan - 1) == 0) i -= kFan - 1;
    }
    return std::nullopt;
  }
  /// Forgets the values from `count` on.
  void keepFirst(std::size_t count) {
    values_.resize(count);
    blocks_.resize(count / kFan);
    if (!finite_.empty()) finite_.resize(blocks_.size());
    groups_.resize(count / (kFan * kFan));
  }
  void shrink() {
    values_.shrink_to_fit();
    blocks_.shrink_to_fit();
    finite_.shrink_to_fit();
    groups_.shrink_to_fit();
  }
  [[nodiscard]] std::size_t bytes() const {
    return values_.capacity() * sizeof(T) + blocks_.capacity() * sizeof(Block) + finite_.capacity() +
           groups_.capacity() * sizeof(Group);
  }

 private:
  struct Block {
    T min, max, mean;
  };
  struct Group {
    T min, max;
    double sum;
    std::uint16_t finite, notFinite;
  };

  [[nodiscard]] std::size_t finiteIn(std::size_t block) const {
    return finite_.empty() ? kFan : finite_[block];
  }
  void closeBlock() {
    ValueSummary all;
    for (std::size_t i = values_.size() - kFan; i < values_.size(); ++i) all.add(values_[i]);
    blocks_.push_back({static_cast<T>(all.min), static_cast<T>(all.max), static_cast<T>(all.mean())});
    if (all.notFinite > 0 && finite_.empty()) finite_.assign(blocks_.size() - 1, std::uint8_t{kFan});
    if (all.notFinite > 0 || !finite_.empty()) finite_.push_back(static_cast<std::uint8_t>(all.finite));
  }
  void closeGroup() {
    ValueSummary all;
    for (std::size_t block = blocks_.size() - kFan; block < blocks_.size(); ++block) addBlock(all, block);
    groups_.push_back({static_cast<T>(all.min), static_cast<T>(all.max), all.sum,
                       static_cast<std::uint16_t>(all.finite), static_cast<std::uint16_t>(all.notFinite)});
  }
  void addBlock(ValueSummary& into, std::size_t index) const {
    const Block& block = blocks_[index];
    const std::size_t finite = finiteIn(index);
    widen(into, block.min, block.max, static_cast<double>(block.mean) * static_cast<double>(finite));
    into.finite += finite;
    into.notFinite += kFan - finite;
  }
  void addGroup(ValueSummary& into, std::size_t index) const {
    const Group& group = groups_[index];
    widen(into, group.min, group.max, group.sum);
    into.finite += group.finite;
    into.notFinite += group.notFinite;
  }
  static void widen(ValueSummary& into, double min, double max, double sum) {
    into.min = std::min(into.min, min);
    into.max = std::max(into.max, max);
    into.sum += sum;
  }

  std::vector<T> values_;
  std::vector<Block> blocks_;         // the whole ones
  std::vector<std::uint8_t> finite_;  // values of each block that are finite; empty: all
  std::vector<Group> groups_;         // the whole ones
};

}  // namespace lockstep
