// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/time/run_clock.h"

#include <QTimer>
#include <algorithm>

namespace lockstep {
namespace {

constexpr int kFrameMs = 50;

}  // namespace

RunClock::RunClock(QObject* parent) : QObject(parent), timer_(new QTimer(this)) {
  timer_->setInterval(kFrameMs);
  connect(timer_, &QTimer::timeout, this, [this] { advance(SystemClock().steady()); });
}

void RunClock::clear() {
  setCursor(std::nullopt);
  setWindow(std::nullopt);
  goLive();
  setSpan(std::nullopt);
}

void RunClock::setSpan(const std::optional<std::pair<TimePoint, TimePoint>>& span) {
  if (span == span_) return;
  span_ = span;
  if (!span_) goLive();
  emit spanChanged();
}

std::optional<TimePoint> RunClock::end() const {
  return mode_ == Mode::Live ? std::nullopt : std::optional(end_);
}

TimePoint RunClock::position() const {
  if (mode_ != Mode::Live) return end_;
  return span_ ? span_->second : TimePoint{};
}

void RunClock::setMode(Mode mode, std::optional<TimePoint> from) {
  if (mode == mode_) return;
  const bool wasLive = mode_ == Mode::Live;
  if (wasLive) end_ = from.value_or(position());
  mode_ = mode;
  if (mode == Mode::Playing) {
    last_ = SystemClock().steady();
    timer_->start();
  } else {
    timer_->stop();
  }
  emit modeChanged();
  if (wasLive || mode == Mode::Live) emit endChanged();
}

void RunClock::setEnd(TimePoint end) {
  if (end == end_) return;
  end_ = end;
  emit endChanged();
}

void RunClock::goLive() {
  setMode(Mode::Live);
}

void RunClock::pause() {
  if (span_) setMode(Mode::Paused);
}

void RunClock::play() {
  if (!span_ || mode_ == Mode::Playing) return;
  setMode(Mode::Playing, span_->first);
}

void RunClock::togglePlay() {
  mode_ == Mode::Playing ? pause() : play();
}

void RunClock::seek(TimePoint time) {
  if (!span_) return;
  if (time >= span_->second) return goLive();
  const TimePoint end = std::max(time, span_->first);
  if (mode_ == Mode::Live) return setMode(Mode::Paused, end);
  setEnd(end);
}

void RunClock::setSpeed(double speed) {
  speed_ = std::max(speed, kWhole);
}

void RunClock::advance(SteadyPoint now) {
  if (mode_ != Mode::Playing || !span_) return;
  const auto passed = std::max(now - last_, SteadyPoint::duration::zero());
  last_ = now;
  const double whole = std::chrono::duration<double>(span_->second - span_->first) /
                       std::chrono::duration<double>(kWholeTakes);
  const double nanos =
      static_cast<double>(std::chrono::nanoseconds(passed).count()) * (speed_ > 0 ? speed_ : whole);
  const auto left = static_cast<double>((span_->second - end_).count());
  if (nanos >= left) return goLive();
  setEnd(end_ + std::chrono::nanoseconds(static_cast<std::int64_t>(nanos)));
}

void RunClock::setCursor(const std::optional<RunCursor>& cursor) {
  if (cursor == cursor_) return;
  cursor_ = cursor;
  emit cursorChanged();
}

void RunClock::setWindow(std::optional<RunWindow> window) {
  if (window && window->from > window->to) std::swap(window->from, window->to);
  if (window == window_) return;
  window_ = std::move(window);
  emit windowChanged();
}

}  // namespace lockstep
