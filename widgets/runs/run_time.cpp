// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_time.h"

#include <algorithm>

#include "timeline/stale_ranks.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_header.h"
#include "widgets/runs/time/run_clock.h"
#include "widgets/runs/time/time_bar.h"
#include "widgets/runs/time/time_texts.h"

namespace lockstep {
namespace {

ChartMark::Kind kindOf(RunMark::Kind kind) {
  switch (kind) {
    case RunMark::Kind::Checkpoint:
      return ChartMark::Kind::Checkpoint;
    case RunMark::Kind::Restart:
      return ChartMark::Kind::Restart;
    case RunMark::Kind::Evaluation:
      return ChartMark::Kind::Evaluation;
    case RunMark::Kind::Alert:
      break;
  }
  return ChartMark::Kind::Alert;
}

}  // namespace

RunTime::RunTime(const Views& views, QWidget* parent)
    : QObject(parent),
      views_(views),
      clock_(new RunClock(this)),
      replay_(new RunReplay(clock_, this)),
      bar_(new TimeBar(clock_, parent)) {
  bar_->hide();
  connect(replay_, &RunReplay::wanted, this, &RunTime::wanted);
  connect(replay_, &RunReplay::shown, this, &RunTime::show);
  connect(replay_, &RunReplay::timelineChanged, this, &RunTime::showTimeline);
  connect(clock_, &RunClock::spanChanged, this, [this] { bar_->setVisible(clock_->span().has_value()); });
}

void RunTime::clear() {
  healthMarks_.clear();
  bar_->setRunSpan(std::nullopt);
  replay_->clear();
  views_.progress->clear();
  views_.header->setPast(std::nullopt);
  views_.dashboard->logView()->setEnd(std::nullopt);
  views_.dashboard->setTime(std::nullopt);
}

void RunTime::setRun(const TrainingRun& run, TimePoint now) {
  bar_->setRunning(!isTerminal(stateOf(run)));
  const bool isKnown = run.created > TimePoint{};
  bar_->setRunSpan(isKnown ? std::optional(TimeTrack::Span(run.created, run.finished.value_or(now)))
                           : std::nullopt);
}

void RunTime::setSamples(std::shared_ptr<const MetricStore> samples) {
  replay_->setSamples(std::move(samples));
}

void RunTime::noteHealth(const RunHealth& health, RunState state, SteadyPoint now) {
  std::vector<Stall> stalls;
  if (!isTerminal(state)) stalls = findStalls(health, now);
  if (state == RunState::Failed) stalls = findStallsAtEnd(health);
  if (healthMarks_.note(health, stalls)) showMarks();
}

void RunTime::show(const std::shared_ptr<const MetricStore>& samples) {
  const auto end = replay_->shownEnd();
  views_.progress->update(*samples);
  views_.header->setPast(end);
  views_.dashboard->logView()->setEnd(end);
  views_.dashboard->setSamples(samples);
  views_.dashboard->setTime(end);
  showStale();
}

void RunTime::showStale() {
  views_.dashboard->setStale(staleRanks(*timeline(), views_.dashboard->samples()));
}

void RunTime::showTimeline() {
  bar_->setTimeline(timeline());
  showStale();
  marks_ = marksIn(*timeline());
  showMarks();
}

void RunTime::showMarks() {
  std::vector<RunMark> marks;
  std::ranges::merge(marks_, healthMarks_.marks(), std::back_inserter(marks), {}, &RunMark::time,
                     &RunMark::time);
  if (marks == shownMarks_) return;
  shownMarks_ = marks;
  bar_->setMarks(marks);
  std::vector<ChartMark> ofCharts;
  for (const RunMark& mark : marks)
    ofCharts.push_back({mark.time, mark.step, markText(mark), kindOf(mark.kind)});
  views_.dashboard->setMarks(ofCharts);
}

}  // namespace lockstep
