// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"

namespace lockstep {

class Dashboard;
class RunTime;

/// Ties the parts of a dashboard to each other by the run's clock: one cursor on all charts and, once it rests, in the log;
/// a stretch that is chosen on a chart or a heat map, on the bar of the time, or by the times of the log, in the log and in
/// all of them. UI thread.
class RunLinks : public QObject {
  Q_OBJECT
 public:
  /// Both outlive it.
  RunLinks(RunTime* time, Dashboard* dashboard, QObject* parent);

 private:
  void connectCursor();
  void connectWindow();
  void takeLine(TimePoint time, std::optional<Rank> rank);
  void takeTimes(std::optional<TimePoint> from, std::optional<TimePoint> until);
  void takeBrush(Step from, Step to, const std::vector<Rank>& ranks);
  void showCursor();
  void showCursorInLog();
  void showWindow();

  RunTime* time_;
  Dashboard* dashboard_;
  bool isFromLog_ = false;    // the cursor that is shown is a line's; the log has the times that are chosen
  bool isFromChart_ = false;  // the charts show already what is chosen
  bool hasChosenRanks_ = false;  // the log shows only the ranks of the stretch
  QTimer rest_;
};

}  // namespace lockstep
