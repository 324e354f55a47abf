// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <functional>
#include <optional>

#include "widgets/logs/log_table.h"

namespace lockstep {

/// Goes from line to line in a log: errors, marks, numbers, times. UI thread.
class LogNavigation : public QObject {
  Q_OBJECT
 public:
  explicit LogNavigation(LogTable* table);

  /// The line that is current; nullopt: none is.
  [[nodiscard]] std::optional<std::uint64_t> current() const;
  /// Shows a line, unfolding it where it is folded; of one that the filter hides, the next one that it does not.
  void showLine(std::uint64_t line);
  /// The error after the current line, or before it, of the same rank (of any, where no line is current), round the end;
  /// so many of other ranks are looked at.
  static constexpr std::uint64_t kMaxLookedAt = 100'000;
  void goToError(bool forward);
  void goToMark(bool forward);
  /// Marks the selected lines; if all of them are marked, takes the marks away.
  void toggleMarks();
  void goToNumber(quint64 number);  // from 1
  void goToTime(TimePoint time);

 signals:
  /// Why it went nowhere.
  void said(const QString& text);

 private:
  void goRound(const auto& lines, bool forward, const std::function<bool(std::uint64_t)>& isWanted,
               const QString& none);

  LogTable* table_;
  LogModel* model_;
};

}  // namespace lockstep
