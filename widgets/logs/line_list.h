// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep {

/// Some of the lines of a log, by their places in it, ascending: those that a filter lets through, errors, marks. Places
/// change as lines come late or the oldest go; moveUp and dropOldest follow. 4 bytes a line; look-ups cost its logarithm.
class LineList {
 public:
  using Line = std::uint32_t;

  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] bool empty() const { return lines_.empty(); }
  [[nodiscard]] Line operator[](std::size_t place) const { return lines_[place]; }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }

  [[nodiscard]] bool contains(Line line) const;
  /// The place of a line, or of the first one after it; size(): there is none.
  [[nodiscard]] std::size_t placeOf(Line line) const;
  /// How many lie in [from, end).
  [[nodiscard]] std::size_t countIn(Line from, Line end) const;

  void clear() { lines_.clear(); }
  /// Ascending, none of them there yet.
  void insert(const std::vector<Line>& lines);
  /// In if it was out, and the other way round; whether it is in now.
  bool toggle(Line line);
  /// Lets go of this line and all after it.
  void truncate(Line line);

  /// New lines took these places, ascending, so that those behind them moved.
  void moveUp(const std::vector<std::size_t>& places);
  /// The first `count` lines of the log went.
  void dropOldest(std::size_t count);

  // For what shows the set as rows.
  void eraseAt(std::size_t place, std::size_t count);
  void insertAt(std::size_t place, const Line* lines, std::size_t count);

 private:
  std::vector<Line> lines_;
};

}  // namespace lockstep
