// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/time/run_replay.h"

#include <utility>

#include "widgets/runs/time/run_clock.h"

namespace lockstep {

RunPast answered(RunPast wanted) {
  wanted.samples = wanted.timeline->until(wanted.time);
  return wanted;
}

RunReplay::RunReplay(RunClock* clock, QObject* parent)
    : QObject(parent),
      clock_(clock),
      timeline_(std::make_shared<const RunTimeline>()),
      samples_(std::make_shared<const MetricStore>()) {
  connect(clock, &RunClock::endChanged, this, &RunReplay::update);
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
  timeline_ = std::make_shared<const RunTimeline>(samples_);
  clock_->setSpan(timeline_->span());
  emit timelineChanged();
  update();
}

void RunReplay::update() {
  const auto end = clock_->end();
  if (!end) {
    open_.reset();
    return show(samples_, std::nullopt);
  }
  isOld_ = open_.has_value();
  if (isOld_) return;
  open_ = RunPast{timeline_, *end, nullptr};
  emit wanted(*open_);
}

void RunReplay::take(const RunPast& past) {
  if (!open_ || open_->timeline != past.timeline || open_->time != past.time || !past.samples) return;
  open_.reset();
  show(past.samples, past.time);
  if (std::exchange(isOld_, false)) update();
}

void RunReplay::show(const std::shared_ptr<const MetricStore>& samples, std::optional<TimePoint> end) {
  shownEnd_ = end;
  emit shown(samples);
}

}  // namespace lockstep
