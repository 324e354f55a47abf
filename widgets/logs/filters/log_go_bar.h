// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <optional>
#include <variant>

#include "base/clock.h"

class QLabel;
class QLineEdit;

namespace lockstep {

/// Where in a log somebody wants to go: to a line by its number, from 1, or to a time.
using LogPlace = std::variant<std::size_t, TimePoint>;

/// "12345", "12:04:10.5" (local time, of the day that `day` lies in), "2026-01-31 12:04" (local time) or RFC 3339 text.
/// nullopt: it is none of them.
[[nodiscard]] std::optional<LogPlace> parseLogPlace(const QString& text, TimePoint day);

/// Asks for a line or a time. Enter goes there, Escape closes it; what is neither is said beside the field.
class LogGoBar : public QWidget {
  Q_OBJECT
 public:
  explicit LogGoBar(QWidget* parent = nullptr);
  /// `day`: a time of the day that times without a date are meant in.
  void open(TimePoint day);

 public slots:
  void close();

 signals:
  void lineWanted(std::size_t number);  // from 1
  void timeWanted(lockstep::TimePoint time);
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void go();

  QLineEdit* text_;
  QLabel* mistake_;
  TimePoint day_{};
};

}  // namespace lockstep
