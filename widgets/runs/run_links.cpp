// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_links.h"

#include <QScopedValueRollback>
#include <algorithm>

#include "widgets/logs/log_table.h"
#include "widgets/logs/log_view.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_time.h"
#include "widgets/runs/time/run_clock.h"

namespace lockstep {
namespace {

// A mouse that only passes over a chart does not move the log.
constexpr int kRestMs = 300;

}  // namespace

RunLinks::RunLinks(RunTime* time, Dashboard* dashboard, QObject* parent)
    : QObject(parent), time_(time), dashboard_(dashboard) {
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this, &RunLinks::showCursorInLog);
  connectCursor();
  connectWindow();
}

void RunLinks::connectCursor() {
  connect(dashboard_->logView(), &LogView::lineActivated, this, &RunLinks::takeLine);
  connect(dashboard_, &Dashboard::cursorMoved, this, [this](const std::optional<ChartCursor>& cursor) {
    time_->clock()->setCursor(cursor ? std::optional(RunCursor{cursor->time, cursor->step}) : std::nullopt);
  });
  connect(time_->clock(), &RunClock::cursorChanged, this, &RunLinks::showCursor);
}

void RunLinks::connectWindow() {
  connect(dashboard_, &Dashboard::brushed, this, &RunLinks::takeBrush);
  connect(dashboard_->logView(), &LogView::timesChosen, this, &RunLinks::takeTimes);
  connect(dashboard_->logView(), &LogView::ranksChosen, dashboard_, &Dashboard::chooseRanks);
  connect(time_->clock(), &RunClock::windowChanged, this, &RunLinks::showWindow);
}

void RunLinks::takeLine(TimePoint time, std::optional<Rank> rank) {
  const RunTimeline& timeline = *time_->timeline();
  const TimePoint aligned = rank ? timeline.aligned(*rank, time) : time;
  const QScopedValueRollback fromLog(isFromLog_, true);
  time_->clock()->setCursor(RunCursor{aligned, timeline.stepAt(aligned)});
}

/// The ranks of the stretch stay; what has no end in the log ends with the samples.
void RunLinks::takeTimes(std::optional<TimePoint> from, std::optional<TimePoint> until) {
  RunClock* const clock = time_->clock();
  const auto& span = clock->span();
  if (!span || (!from && !until)) return clock->setWindow(std::nullopt);
  RunWindow window{std::max(from.value_or(span->first), span->first),
                   std::min(until.value_or(span->second), span->second),
                   clock->window() ? clock->window()->ranks : std::vector<Rank>()};
  const QScopedValueRollback fromLog(isFromLog_, true);
  if (window.from <= window.to) clock->setWindow(std::move(window));
}

void RunLinks::takeBrush(Step from, Step to, const std::vector<Rank>& ranks) {
  const auto first = time_->timeline()->momentOf(from), last = time_->timeline()->momentOf(to);
  if (!first || !last) return;
  const QScopedValueRollback fromChart(isFromChart_, true);
  time_->clock()->setWindow(RunWindow{first->earliest, last->latest, ranks});
}

void RunLinks::showCursor() {
  const auto& cursor = time_->clock()->cursor();
  const bool isOnStep = cursor && cursor->step;
  dashboard_->setCursor(isOnStep ? std::optional(ChartCursor{*cursor->step, cursor->time}) : std::nullopt);
  if (isFromLog_)
    rest_.stop();
  else
    rest_.start();
}

void RunLinks::showCursorInLog() {
  LogView* log = dashboard_->logView();
  const auto& cursor = time_->clock()->cursor();
  // Whoever reads what comes is not taken away from it.
  if (cursor && log->table()->isFollowing()) return;
  log->setCursorTime(cursor ? std::optional(cursor->time) : std::nullopt);
}

void RunLinks::showWindow() {
  const auto& window = time_->clock()->window();
  LogView* log = dashboard_->logView();
  if (!isFromLog_)
    log->setTimeWindow(window ? std::optional(std::pair(window->from, window->to)) : std::nullopt);
  // What the user shows and hides in the log itself stays, unless ranks were chosen here.
  const bool choosesRanks = window && !window->ranks.empty();
  if (choosesRanks || hasChosenRanks_) log->showOnlyRanks(choosesRanks ? window->ranks : std::vector<Rank>());
  hasChosenRanks_ = choosesRanks;
  if (!window || isFromChart_) return;
  const auto from = time_->timeline()->stepAt(window->from), to = time_->timeline()->stepAt(window->to);
  // A restart in between: what lies between is in both attempts.
  if (to) dashboard_->showSteps(std::min(from.value_or(0), *to), std::max(from.value_or(0), *to));
}

}  // namespace lockstep
