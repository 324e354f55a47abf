// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "timeline/run_timeline.h"
#include "widgets/runs/time/time_track.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace lockstep {

class RunClock;

/// The bar that shows the time of a run and moves it: live, play and pause, how fast, the track, where the time and the
/// cursor are, and what is chosen. Says what it is told of the run, and tells the clock what the user wants.
class TimeBar : public QWidget {
  Q_OBJECT
 public:
  /// The clock must outlive it.
  explicit TimeBar(RunClock* clock, QWidget* parent = nullptr);

  /// From the beginning of the run to its end, or to now while it goes on; nothing: as far as samples tell.
  void setRunSpan(const std::optional<TimeTrack::Span>& span);
  /// Which step is when, and whose clocks are off. Not null.
  void setTimeline(std::shared_ptr<const RunTimeline> timeline);
  /// By time.
  void setMarks(const std::vector<RunMark>& marks);
  /// Whether more is to come: what is newest is live, or the end.
  void setRunning(bool isRunning);
  /// Space plays and pauses, comma and full stop go a step back and on, with Shift ten. False: no key of the bar.
  bool handleKey(const QKeyEvent* event);
  [[nodiscard]] TimeTrack* track() const { return track_; }
  /// What stands beside the track: "14:20:31 · step 812".
  [[nodiscard]] QString placeText() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void createButtons();
  void arrange();
  void listen();
  void fitPlace();
  void showSpan();
  void showMode();
  void showPlace();
  void showWindow();
  void goSteps(Step steps);
  [[nodiscard]] std::chrono::nanoseconds length() const;

  RunClock* clock_;
  std::shared_ptr<const RunTimeline> timeline_;  // never null
  std::optional<TimeTrack::Span> run_;
  bool isRunning_ = false;
  QToolButton* live_;
  QToolButton* play_;
  QComboBox* speed_;
  TimeTrack* track_;
  QLabel* place_;
  QToolButton* clocks_;
  QToolButton* window_;
};

}  // namespace lockstep
