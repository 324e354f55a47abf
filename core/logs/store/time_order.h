// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "logs/store/line_order.h"

namespace lockstep {

/// A line in an order of times, 16 bytes.
struct TimedLine {
  std::int64_t time = 0;        // ns since 1970
  std::uint64_t file : 24 = 0;  // counted over the life of the owner
  std::uint64_t line : 40 = 0;
};

/// Lines in the order of their times, equal times in the order of arrival.
class TimeOrder final : public LineOrder {
 public:
  using Chunk = std::vector<TimedLine>;

  /// `files` are those of the snapshot, ascending: numbers in the life of the owner.
  TimeOrder(std::vector<std::shared_ptr<const Chunk>> chunks, std::vector<std::uint64_t> files);
  [[nodiscard]] std::uint64_t size() const override { return starts_.back(); }
  [[nodiscard]] std::size_t partCount() const override { return chunks_.size(); }
  [[nodiscard]] std::size_t partOf(std::uint64_t index) const override;
  [[nodiscard]] std::uint64_t partStart(std::size_t number) const override { return starts_[number]; }
  [[nodiscard]] OrderPart part(std::size_t number) const override;
  [[nodiscard]] std::uint64_t commonStart(const LineOrder& older) const override;
  /// Cost: a look at each chunk, and at each line of those that changed.
  [[nodiscard]] std::vector<SameLines> sameLines(const LineOrder& older) const override;
  [[nodiscard]] bool isByTime() const override { return true; }

 private:
  struct Place;
  [[nodiscard]] bool hasFile(std::uint64_t file) const;
  std::vector<std::shared_ptr<const Chunk>> chunks_;
  std::vector<std::uint64_t> starts_;  // index of each chunk's first line, and of the end
  std::vector<std::uint64_t> files_;
};

/// Puts lines in such an order. A batch costs its own size where it is newer than all others, and a copy of some 2,000
/// lines for each place that late lines go to.
class TimeOrderBuilder {
 public:
  /// In any order of time; in the order of arrival.
  void add(std::vector<TimedLine> lines);
  /// All lines of that file.
  void drop(std::uint64_t file);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::shared_ptr<const TimeOrder> order(std::vector<std::uint64_t> files);

 private:
  struct Slot {
    std::shared_ptr<TimeOrder::Chunk> chunk;
    bool isShared = false;  // with an order: to be copied before it changes
  };
  std::size_t slotFor(std::int64_t time) const;
  void insert(std::size_t slot, const TimedLine* first, const TimedLine* last);
  TimeOrder::Chunk& changeable(std::size_t slot);

  std::vector<Slot> slots_;
  std::uint64_t size_ = 0;
};

}  // namespace lockstep
