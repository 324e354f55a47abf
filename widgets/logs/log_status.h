// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/common/layout/filling.h"
#include "widgets/logs/log_model.h"

class QLabel;

namespace lockstep {

/// The line below a log: how many lines there are and are hidden, what a command could not do, and until when the service
/// has the lines, too.
class LogStatus : public QWidget {
  Q_OBJECT
 public:
  explicit LogStatus(QWidget* parent = nullptr);

  /// `isReadingPast`: older lines are still on their way.
  void showCounts(const LogModel& model, bool isReadingPast);
  /// Until something else is shown; empty: nothing.
  void say(const QString& text);
  /// Until when the service has what is kept here; nullopt: that is not known, or it is not kept here.
  void setRetention(std::optional<TimePoint> until, TimePoint now);

 private:
  QLabel* counts_;
  QLabel* said_;
  QLabel* retention_;
};

/// What a log says that shows no line.
[[nodiscard]] QString emptyLogText(const LogModel& model, Filling filling);

}  // namespace lockstep
