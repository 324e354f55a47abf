// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/line_list.h"

#include <algorithm>

namespace lockstep {

bool LineList::contains(Line line) const {
  return std::binary_search(lines_.begin(), lines_.end(), line);
}

std::size_t LineList::countBefore(Line line) const {
  return static_cast<std::size_t>(std::lower_bound(lines_.begin(), lines_.end(), line) - lines_.begin());
}

std::size_t LineList::countIn(Line from, Line end) const {
  return from < end ? countBefore(end) - countBefore(from) : 0;
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

void LineList::moveTo(const std::vector<SameLines>& same) {
  std::vector<Line> moved;
  auto lines = same.begin();
  for (const Line line : lines_) {
    while (lines != same.end() && lines->older + lines->count <= line) ++lines;
    if (lines != same.end() && lines->older <= line) moved.push_back(line - lines->older + lines->newer);
  }
  lines_ = std::move(moved);
}

}  // namespace lockstep
