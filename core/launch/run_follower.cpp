// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_follower.h"

#include <algorithm>
#include <utility>

namespace lockstep {

RunFollower::RunFollower(TrainingRun run, std::shared_ptr<Launcher> launcher, std::unique_ptr<LogSource> logs,
                         std::unique_ptr<MetricReader> metrics, std::shared_ptr<Clock> clock,
                         std::unique_ptr<HealthReader> health)
    : run_(std::move(run)),
      launcher_(std::move(launcher)),
      logs_(std::move(logs)),
      metrics_(std::move(metrics)),
      health_(std::move(health)),
      clock_(std::move(clock)),
      wasLongOver_(run_.finished && clock_->now() - *run_.finished >= kLongOver) {}

RunUpdate RunFollower::poll(const std::stop_token& stop) {
  RunUpdate update;
  ask();
  waitForAnswers(stop);
  takeState(update);
  takeLogs(update);
  takeMetrics(update);
  takeHealth(update);
  update.isWaiting = !haveAllAnsweredSince(SteadyPoint::min());
  addFindings(update);
  update.run = run_;
  update.unreadableSegments = unreadableSegments_;
  update.segmentsRead = segmentsRead_;
  update.metricBytesRead = metricBytesRead_;
  update.segmentsKnown = segmentsKnown_;
  update.areLinesBehind = areLinesBehind_;
  update.areLinesAwaited = logs_ && !logsAsked_.hasAnswerSince(SteadyPoint::min());
  update.areSamplesAwaited = metrics_ && !metricsAsked_.hasAnswerSince(SteadyPoint::min());
  if (newestDatum_) update.dataLag = delay_ + (clock_->steady() - newestCame_);
  noteEnd(update);
  return update;
}

void RunFollower::ask() {
  const SteadyPoint now = clock_->steady();
  if (!stateAsked_.isOpen())
    stateAsked_.ask(
        now, [this, run = run_](const std::stop_token& stop) { return launcher_->refresh(run, stop); });
  if (logs_ && !logsAsked_.isOpen())
    logsAsked_.ask(now, [this](const std::stop_token& stop) { return logs_->poll(stop); });
  if (metrics_ && !metricsAsked_.isOpen()) askMetrics(now);
  if (health_ && !healthAsked_.isOpen())
    healthAsked_.ask(now, [this](const std::stop_token& stop) { return health_->poll(stop); });
}

void RunFollower::askMetrics(SteadyPoint now) {
  metrics_->wantFiner(std::exchange(wanted_, {}));
  if (isOver() && !std::exchange(isEndNoted_, true)) metrics_->noteEnd();
  metricsAsked_.ask(now, [this](const std::stop_token& stop) { return metrics_->poll(stop); });
}

void RunFollower::waitForAnswers(const std::stop_token& stop) {
  const std::stop_callback pass(stop, [this] {
    stateAsked_.stop();
    logsAsked_.stop();
    metricsAsked_.stop();
    healthAsked_.stop();
  });
  const auto until = std::chrono::steady_clock::now() + kAnswerTime;
  // Metrics that are late are waited for again, and so are lines of the past: whoever reads it looks without a pause.
  metricsAsked_.waitUntil(until);
  if (!stateAsked_.isLate()) stateAsked_.waitUntil(until);
  if (areLinesBehind_ || !logsAsked_.isLate()) logsAsked_.waitUntil(until);
  if (!healthAsked_.isLate()) healthAsked_.waitUntil(until);
}

void RunFollower::takeState(RunUpdate& update) {
  auto run = stateAsked_.take();
  if (!run) return;
  if (*run)
    run_ = **std::move(run);
  else
    update.problems.push_back(std::move(run->error()));
}

void RunFollower::takeLogs(RunUpdate& update) {
  auto lines = logsAsked_.take();
  if (!lines) return;
  areLinesBehind_ = *lines && logs_->isBehind();
  update.linesWholeUntil = logs_->wholeUntil();
  if (!*lines) return update.problems.push_back(std::move(lines->error()));
  update.lines = **std::move(lines);
  for (const LogLine& line : update.lines) noteDatum(line.time);
}

void RunFollower::takeMetrics(RunUpdate& update) {
  update.areSamplesBehind = wasBehind_ && metricsAsked_.isOpen();
  update.isReading = metricsAsked_.isOpen();
  auto answer = metricsAsked_.take();
  if (!answer) return;
  update.isReading = false;
  auto& news = *answer;
  update.areSamplesBehind = wasBehind_ = news && news->isBehind;
  if (!news) return update.problems.push_back(std::move(news.error()));
  update.metrics = std::move(news->batches);
  update.parts = std::move(news->parts);
  unreadableSegments_ = news->unreadableSegments;
  segmentsRead_ = news->segmentsRead;
  segmentsKnown_ = news->segmentsKnown;
  metricBytesRead_ = news->bytesRead;
  metricFindings_ = std::move(news->findings);
  for (const MetricSeriesBatch& batch : update.metrics) {
    for (const MetricPoint& point : batch.points) noteDatum(point.time);
  }
  for (const CoarsePart& part : update.parts)
    for (const SegmentSummary& summary : part.summaries)
      for (const SegmentSummary::Bucket& bucket : summary.buckets) noteDatum(bucket.last.time);
}

// How long it was on its way, only the calendars can tell; how long ago it came must not depend on them.
void RunFollower::noteDatum(TimePoint time) {
  if (newestDatum_ && time <= *newestDatum_) return;
  newestDatum_ = time;
  delay_ = std::max(clock_->now() - time, std::chrono::nanoseconds(0));
  newestCame_ = clock_->steady();
}

void RunFollower::takeHealth(RunUpdate& update) {
  if (auto health = healthAsked_.take()) {
    isHealthKnown_ = health->has_value();
    if (isHealthKnown_)
      update.health = **std::move(health);
    else
      update.problems.push_back(std::move(health->error()));
  }
  update.isHealthKnown = isHealthKnown_;
}

// What the metrics found stands beside what the health found: both are told in the same place.
void RunFollower::addFindings(RunUpdate& update) {
  if (update.health) newestHealth_ = update.health;
  const bool isNew = update.health || metricFindings_.size() > reportedFindings_;
  if (metricFindings_.empty() || !isNew) return;
  reportedFindings_ = metricFindings_.size();
  auto health = newestHealth_ ? std::make_shared<RunHealth>(*newestHealth_) : std::make_shared<RunHealth>();
  health->unreadable.insert(health->unreadable.end(), metricFindings_.begin(), metricFindings_.end());
  update.health = std::move(health);
}

bool RunFollower::isOver() const {
  return isTerminal(stateOf(run_)) && allNodesEnded(run_);
}

bool RunFollower::haveAllAnsweredSince(SteadyPoint time) const {
  return stateAsked_.hasAnswerSince(time) && (!logs_ || logsAsked_.hasAnswerSince(time)) &&
         (!metrics_ || metricsAsked_.hasAnswerSince(time)) && (!health_ || healthAsked_.hasAnswerSince(time));
}

// Silence counts from those only that have been asked since, and have answered.
void RunFollower::noteEnd(RunUpdate& update) {
  const bool over = isOver();
  const bool isWhole = !update.isBehind() && segmentsRead_ >= segmentsKnown_;
  const bool quiet = isWhole && update.lines.empty() && update.metrics.empty() && update.parts.empty() &&
                     update.problems.empty();
  const SteadyPoint now = clock_->steady();
  if (!quiet) lastNews_ = now;
  if (!over) overSince_ = quietSince_ = std::nullopt;
  if (over && (!overSince_ || update.isBehind())) overSince_ = now;  // a long past is no late data
  if (over && (!quiet || !quietSince_)) quietSince_ = now;
  update.ended = over && ((now - *quietSince_ >= kLateDataTimeout && haveAllAnsweredSince(*quietSince_)) ||
                          (now - *overSince_ >= kLateDataLimit && haveAllAnsweredSince(*overSince_)) ||
                          (wasLongOver_ && quiet && haveAllAnsweredSince(lastNews_)));
}

}  // namespace lockstep
