// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/time/run_replay.h"

#include <utility>

#include "widgets/runs/time/run_clock.h"

namespace lockstep {

RunPast answered(RunPast wanted) {
  if (&wanted.timeline->samples() != wanted.all.get())
    wanted.timeline = std::make_shared<const RunTimeline>(wanted.all, *wanted.timeline);
  wanted.samples = wanted.time ? wanted.timeline->until(*wanted.time) : wanted.all;
  return wanted;
}

RunReplay::RunReplay(RunClock* clock, QObject* parent)
    : QObject(parent),
      clock_(clock),
      timeline_(std::make_shared<const RunTimeline>()),
      samples_(std::make_shared<const MetricStore>()) {
  connect(clock, &RunClock::endChanged, this, &RunReplay::followClock);
}

void RunReplay::clear() {
  open_.reset();
  shownEnd_.reset();
  samples_ = std::make_shared<const MetricStore>();
  timeline_ = std::make_shared<const RunTimeline>();
  clock_->clear();
  emit timelineChanged();
}

void RunReplay::setSamples(std::shared_ptr<const MetricStore> samples) {
  samples_ = std::move(samples);
  if (!clock_->end()) show(samples_, std::nullopt);
  ask();
}

void RunReplay::followClock() {
  clock_->end() ? ask() : show(samples_, std::nullopt);
}

void RunReplay::ask() {
  if (open_) return;
  const RunPast question{samples_, timeline_, clock_->end(), nullptr};
  open_ = question;
  emit wanted(question);
}

void RunReplay::take(const RunPast& past) {
  if (!open_ || open_->all != past.all || open_->time != past.time || !past.samples) return;
  open_.reset();
  if (past.timeline != timeline_) {
    timeline_ = past.timeline;
    clock_->setSpan(timeline_->span());
    emit timelineChanged();
  }
  const auto end = clock_->end();
  if (past.time && end) show(past.samples, past.time);
  if (samples_ != past.all || (end && end != past.time)) ask();
}

void RunReplay::show(const std::shared_ptr<const MetricStore>& samples, std::optional<TimePoint> end) {
  shownEnd_ = end;
  emit shown(samples);
}

}  // namespace lockstep
