// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <memory>
#include <vector>

#include "runs/training_run.h"
#include "timeline/health_marks.h"
#include "widgets/runs/time/run_replay.h"

namespace lockstep {

class Dashboard;
class RunClock;
class RunHeader;
class RunProgress;
class TimeBar;

/// Ties the clock of a run's page to its parts: while the clock is live they show everything, else the run as it was then,
/// and marks stand where something happened. UI thread; who has a thread answers wanted() with take().
class RunTime : public QObject {
  Q_OBJECT
 public:
  /// What shows the run; all of it outlives this object.
  struct Views {
    Dashboard* dashboard;
    RunHeader* header;
    RunProgress* progress;
  };
  RunTime(const Views& views, QWidget* parent);

  [[nodiscard]] TimeBar* bar() const { return bar_; }
  [[nodiscard]] RunClock* clock() const { return clock_; }
  /// All of the run, whatever is shown; never null.
  [[nodiscard]] const MetricStore& samples() const { return *replay_->samples(); }
  /// The same, to be kept; never null.
  [[nodiscard]] const std::shared_ptr<const MetricStore>& sharedSamples() const { return replay_->samples(); }
  /// Which step is when; never null.
  [[nodiscard]] const std::shared_ptr<const RunTimeline>& timeline() const { return replay_->timeline(); }

  void clear();
  /// From when to when it goes, and whether it does still.
  void setRun(const TrainingRun& run, TimePoint now);
  void setSamples(std::shared_ptr<const MetricStore> samples);
  /// A run that is over holds nobody up; one that failed may have been held up when it did.
  void noteHealth(const RunHealth& health, RunState state, SteadyPoint now);
  void take(const RunPast& past) { replay_->take(past); }

 signals:
  void wanted(const lockstep::RunPast& past);

 private:
  void show(const std::shared_ptr<const MetricStore>& samples);
  void showStale();
  void showTimeline();
  void showMarks();

  Views views_;
  RunClock* clock_;
  RunReplay* replay_;
  TimeBar* bar_;
  std::vector<RunMark> marks_, shownMarks_;  // what the samples tell; with what heartbeats tell
  HealthMarks healthMarks_;
};

}  // namespace lockstep
