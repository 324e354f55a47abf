// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/line_list.h"

#include <algorithm>

namespace lockstep {

bool LineList::contains(Line line) const {
  return std::binary_search(lines_.begin(), lines_.end(), line);
}

std::size_t LineList::placeOf(Line line) const {
  return static_cast<std::size_t>(std::lower_bound(lines_.begin(), lines_.end(), line) - lines_.begin());
}

std::size_t LineList::countIn(Line from, Line end) const {
  return from < end ? placeOf(end) - placeOf(from) : 0;
}

void LineList::insert(const std::vector<Line>& lines) {
  if (lines.empty()) return;
  // Late by little: only what lies behind the first of them is moved.
  const auto at = static_cast<std::ptrdiff_t>(placeOf(lines.front()));
  const auto old = static_cast<std::ptrdiff_t>(lines_.size());
  lines_.insert(lines_.end(), lines.begin(), lines.end());
  std::inplace_merge(lines_.begin() + at, lines_.begin() + old, lines_.end());
}

bool LineList::toggle(Line line) {
  const auto place = std::lower_bound(lines_.begin(), lines_.end(), line);
  const bool isThere = place != lines_.end() && *place == line;
  if (isThere)
    lines_.erase(place);
  else
    lines_.insert(place, line);
  return !isThere;
}

void LineList::truncate(Line line) {
  lines_.resize(placeOf(line));
}

void LineList::moveUp(const std::vector<std::size_t>& places) {
  if (places.empty()) return;
  std::size_t shift = 0;
  for (std::size_t i = placeOf(static_cast<Line>(places.front())); i < lines_.size(); ++i) {
    while (shift < places.size() && places[shift] <= lines_[i] + shift) ++shift;
    lines_[i] += static_cast<Line>(shift);
  }
}

void LineList::dropOldest(std::size_t count) {
  const auto end = lines_.begin() + static_cast<std::ptrdiff_t>(placeOf(static_cast<Line>(count)));
  lines_.erase(lines_.begin(), end);
  for (Line& line : lines_) line -= static_cast<Line>(count);
}

void LineList::eraseAt(std::size_t place, std::size_t count) {
  const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(place);
  lines_.erase(first, first + static_cast<std::ptrdiff_t>(count));
}

void LineList::insertAt(std::size_t place, const Line* lines, std::size_t count) {
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(place), lines, lines + count);
}

}  // namespace lockstep
