// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_lines.h"

namespace lockstep {
namespace {

LogChange changeBetween(const LogSnapshot& newer, const std::shared_ptr<const LogSnapshot>& older) {
  LogChange change;
  if (older) change.same = newer.sameLines(*older);
  std::uint64_t then = 0, now = 0;
  const auto note = [](std::vector<LineRange>& ranges, std::uint64_t first, std::uint64_t end) {
    if (first < end) ranges.push_back({first, end});
  };
  for (const SameLines& same : change.same) {
    note(change.gone, then, same.older);
    note(change.fresh, now, same.newer);
    then = same.older + same.count;
    now = same.newer + same.count;
  }
  note(change.gone, then, older ? older->size() : 0);
  note(change.fresh, now, newer.size());
  return change;
}

}  // namespace

bool LogChange::isOnlyAtEnd() const {
  return gone.empty() && (same.empty() || (same.size() == 1 && same.front().newer == 0));
}

LogLines::LogLines(QObject* parent) : QObject(parent) {}

LogLines::~LogLines() = default;

void LogLines::setLog(std::shared_ptr<const LogSnapshot> log) {
  if (!log || log == reader_.snapshot()) return;
  const LogChange change = changeBetween(*log, reader_.snapshot());
  emit aboutToChange(change);
  reader_ = LogReader(log);
  seeker_ = LogReader(std::move(log));
  if (!change.isOnlyAtEnd()) marks_.moveTo(change.same);
  emit changed(change);
}

void LogLines::clear() {
  emit aboutToClear();
  reader_ = seeker_ = LogReader();
  marks_.clear();
  emit cleared();
}

std::vector<std::string> LogLines::nodes() const {
  return log() ? log()->nodes() : std::vector<std::string>();
}

std::vector<Rank> LogLines::ranks() const {
  return log() ? log()->ranks() : std::vector<Rank>();
}

LogLineView LogLines::line(std::uint64_t line) const {
  return reader_.line(line);
}

std::string LogLines::wholeText(std::uint64_t line) const {
  return reader_.wholeText(line);
}

std::uint64_t LogLines::firstAfter(TimePoint time) const {
  return time == TimePoint::max() ? size() : firstFrom(time + std::chrono::nanoseconds(1));
}

std::uint64_t LogLines::firstFrom(TimePoint time) const {
  return seeker_.lowerBound(time);
}

void LogLines::toggleMark(std::uint64_t line) {
  marks_.toggle(line);
  emit marksChanged();
}

void LogLines::clearMarks() {
  marks_.clear();
  emit marksChanged();
}

}  // namespace lockstep
