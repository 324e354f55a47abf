// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

#include "logs/store/line_order.h"

namespace lockstep {

/// A few of the lines of a log, by their places in it, ascending: marks, what is unfolded. Of many, LineSet is the smaller
/// one. Look-ups cost the logarithm of the number of lines.
class LineList {
 public:
  using Line = std::uint64_t;

  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] bool isEmpty() const { return lines_.empty(); }
  [[nodiscard]] Line at(std::size_t place) const { return lines_[place]; }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }

  [[nodiscard]] bool contains(Line line) const;
  /// How many are smaller than `line`: where it stands, or would.
  [[nodiscard]] std::size_t countBefore(Line line) const;
  [[nodiscard]] std::size_t countIn(Line from, Line end) const;

  void clear() { lines_.clear(); }
  /// In if it was out, and the other way round; whether it is in now.
  bool toggle(Line line);
  /// Follows its lines to where they stand in a newer order; those that have gone are forgotten.
  void moveTo(const std::vector<SameLines>& same);

 private:
  std::vector<Line> lines_;
};

}  // namespace lockstep
