// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <memory>
#include <optional>

#include "timeline/run_timeline.h"

namespace lockstep {

class RunClock;

/// What a page wants to know of the samples of a run, which takes time: asked by RunReplay::wanted(), answered by its take().
struct RunPast {
  std::shared_ptr<const MetricStore> all;
  std::shared_ptr<const RunTimeline>
      timeline;                   // asked: an older one, or of these; answered: of these. Never null
  std::optional<TimePoint> time;  // up to which it is shown; nothing: all of it
  std::shared_ptr<const MetricStore> samples;  // answered: until then
};
/// The answer. Blocks for as long as a look at all ranks and a copy of a part of the samples take: for a thread that may.
[[nodiscard]] RunPast answered(RunPast wanted);

/// What a page is to show of a run: all samples where its clock is live, else those that were there at its end. Finding out
/// which step is when, and cutting the samples, takes time, so somebody with a thread does it; one question is open at a time,
/// and what moves meanwhile is asked next. What is live does not wait for it. UI thread.
class RunReplay : public QObject {
  Q_OBJECT
 public:
  /// The clock must outlive it.
  explicit RunReplay(RunClock* clock, QObject* parent = nullptr);

  void clear();
  /// All samples of the run so far; not null.
  void setSamples(std::shared_ptr<const MetricStore> samples);
  [[nodiscard]] const std::shared_ptr<const MetricStore>& samples() const { return samples_; }
  /// The answer to wanted(), which tells the clock the span of the samples; one to a question that nobody asks any more is
  /// ignored.
  void take(const RunPast& past);
  /// Of the samples, or of a little while before. Never null.
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
  void followClock();
  void ask();
  void show(const std::shared_ptr<const MetricStore>& samples, std::optional<TimePoint> end);

  RunClock* clock_;
  std::shared_ptr<const RunTimeline> timeline_;
  std::shared_ptr<const MetricStore> samples_;
  std::optional<RunPast> open_;  // the question that is being answered
  std::optional<TimePoint> shownEnd_;
};

}  // namespace lockstep
