// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <vector>

#include "logs/log_book.h"
#include "widgets/logs/line_list.h"

namespace lockstep {

/// The lines of a run and which of them the user marked, shared by all models that show them. A line is known by its
/// place in the order of time, which changes as lines come late or the oldest go; the signals say how. UI thread.
class LogLines : public QObject {
  Q_OBJECT
 public:
  explicit LogLines(QObject* parent = nullptr, LogBook::Limits limits = {});

  void add(const std::vector<LogLine>& lines);
  void clear();

  [[nodiscard]] const LogBook& book() const { return book_; }
  [[nodiscard]] std::size_t size() const { return book_.size(); }
  /// The first line that is later than `time`, or not earlier; size(): there is none. Costs a logarithm.
  [[nodiscard]] std::size_t firstAfter(TimePoint time) const;
  [[nodiscard]] std::size_t firstFrom(TimePoint time) const;

  [[nodiscard]] const LineList& marks() const { return marks_; }
  void toggleMark(std::size_t line);
  void clearMarks();

 signals:
  /// New lines are at these places now, ascending; what stood there moved behind them.
  void added(const std::vector<std::size_t>& places);
  void aboutToDrop(std::size_t oldest);
  void dropped(std::size_t oldest);
  void aboutToClear();
  void cleared();
  void marksChanged();

 private:
  LogBook book_;
  LineList marks_;
};

}  // namespace lockstep
