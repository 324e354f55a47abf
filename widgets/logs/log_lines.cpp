// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_lines.h"

namespace lockstep {
namespace {

/// The first line for which `isBehind`, which holds for all lines after it.
std::size_t firstWhere(const LogBook& book, const auto& isBehind) {
  std::size_t from = 0, end = book.size();
  while (from < end) {
    const std::size_t middle = from + (end - from) / 2;
    if (isBehind(book.line(middle).time))
      end = middle;
    else
      from = middle + 1;
  }
  return from;
}

}  // namespace

LogLines::LogLines(QObject* parent, LogBook::Limits limits) : QObject(parent), book_(limits) {}

void LogLines::add(const std::vector<LogLine>& lines) {
  if (lines.empty()) return;
  const auto places = book_.add(lines);
  marks_.moveUp(places);
  emit added(places);
  const std::size_t surplus = book_.surplus();
  if (surplus == 0) return;
  emit aboutToDrop(surplus);
  book_.dropOldest(surplus);
  marks_.dropOldest(surplus);
  emit dropped(surplus);
}

void LogLines::clear() {
  emit aboutToClear();
  book_.clear();
  marks_.clear();
  emit cleared();
}

std::size_t LogLines::firstAfter(TimePoint time) const {
  return firstWhere(book_, [time](TimePoint other) { return other > time; });
}

std::size_t LogLines::firstFrom(TimePoint time) const {
  return firstWhere(book_, [time](TimePoint other) { return other >= time; });
}

void LogLines::toggleMark(std::size_t line) {
  marks_.toggle(static_cast<LineList::Line>(line));
  emit marksChanged();
}

void LogLines::clearMarks() {
  marks_.clear();
  emit marksChanged();
}

}  // namespace lockstep
