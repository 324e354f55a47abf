// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <vector>

#include "app/desktop/shell/application.h"

namespace lockstep {

class Dashboard;
class MetricPlot;

/// Opens a run in the real window, reads it to its end, zooms and pans along a fixed path, and prints one line of JSON:
///   firstPictureMs  from asking for the run to the first chart with a sample
///   loadedMs        to the last sample that came
///   frameMs         {p50, p99, max}: from a key press to the painted window
///   stallsOver50ms  while loading and while moving
///   samples, ranks, charts, residentMb
///   bytesRead       of segments and summaries, from the work dir
/// Then the program ends: 0, or 1 with a message on stderr when the run cannot be opened or nothing of it comes.
class DashboardBench : public QObject {
  Q_OBJECT
 public:
  explicit DashboardBench(Application& application);

 private:
  void begin();
  void look();
  void move();
  void report(std::vector<double> frames);
  void fail(const QString& why);
  [[nodiscard]] Dashboard& dashboard() const;

  Application& application_;
  QTimer timer_;
  QElapsedTimer sinceAsked_, sinceTick_;
  std::size_t samples_ = 0;
  qint64 firstPictureMs_ = -1, loadedMs_ = -1;
  int stalls_ = 0;
};

}  // namespace lockstep
