// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <vector>

#include "app/desktop/shell/application.h"

namespace lockstep {

class Dashboard;
class MetricPlot;
class MetricStore;

/// Opens a run in the real window, reads it to its end, zooms and pans along a fixed path, and prints one line of JSON:
///   firstPictureMs  from asking for the run until all charts in sight are drawn of what came first, as finely as can be
///   firstPictureBytes, firstPictureRanks  what had been read for it, and of how many ranks it is
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
  [[nodiscard]] QList<MetricPlot*> charts() const;  // in sight
  [[nodiscard]] bool isPictureWhole() const;

  Application& application_;
  QTimer timer_;
  QElapsedTimer sinceAsked_, sinceTick_;
  const MetricStore* samples_ = nullptr;  // the newest ones, to tell others from them
  struct FirstPicture {
    qint64 ms = -1;  // there is none yet
    std::uint64_t bytes = 0;
    std::size_t ranks = 0;
  };
  FirstPicture first_;
  qint64 loadedMs_ = -1;
  int stalls_ = 0;
};

}  // namespace lockstep
