// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <memory>
#include <optional>

#include "timeline/run_timeline.h"

namespace lockstep {

class RunClock;

/// The samples of a run as they were at some time: asked for by RunReplay::wanted(), answered by its take().
struct RunPast {
  std::shared_ptr<const RunTimeline> timeline;  // of all samples
  TimePoint time{};
  std::shared_ptr<const MetricStore> samples;  // of the answer: until then
};
/// The answer. Blocks for as long as a copy of a part of the samples takes: for a thread that may.
[[nodiscard]] RunPast answered(RunPast wanted);

/// What a page is to show of a run: all samples where its clock is live, else those that were there at its end. Cutting them
/// takes time, so somebody with a thread does it; one question is open at a time, and what moves meanwhile is asked next.
/// UI thread.
class RunReplay : public QObject {
  Q_OBJECT
 public:
  /// The clock must outlive it.
  explicit RunReplay(RunClock* clock, QObject* parent = nullptr);

  void clear();
  /// All samples of the run so far; not null. Tells the clock their span.
  void setSamples(std::shared_ptr<const MetricStore> samples);
  /// The answer to wanted(); one to a question that nobody asks any more is ignored.
  void take(const RunPast& past);
  /// Never null.
  [[nodiscard]] const std::shared_ptr<const RunTimeline>& timeline() const { return timeline_; }
  /// Up to which time the samples were cut that were shown last; nothing: they are all.
  [[nodiscard]] const std::optional<TimePoint>& shownEnd() const { return shownEnd_; }

 signals:
  /// The run's one clock may be another now.
  void timelineChanged();
  void wanted(const lockstep::RunPast& past);
  /// To be shown from now on, until the next.
  void shown(const std::shared_ptr<const lockstep::MetricStore>& samples);

 private:
  void update();
  void show(const std::shared_ptr<const MetricStore>& samples, std::optional<TimePoint> end);

  RunClock* clock_;
  std::shared_ptr<const RunTimeline> timeline_;
  std::shared_ptr<const MetricStore> samples_;
  std::optional<RunPast> open_;  // the question that is being answered
  bool isOld_ = false;           // and is not what is wanted by now
  std::optional<TimePoint> shownEnd_;
};

}  // namespace lockstep
