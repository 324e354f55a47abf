// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_follower.h"

#include <algorithm>

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
  pollState(update, stop);
  pollLogs(update, stop);
  pollMetrics(update, stop);
  pollHealth(update, stop);
  addFindings(update);
  update.run = run_;
  update.unreadableSegments = unreadableSegments_;
  update.segmentsRead = segmentsRead_;
  update.segmentsKnown = segmentsKnown_;
  if (newestDatum_) update.dataLag = delay_ + (clock_->steady() - newestCame_);
  noteEnd(update);
  return update;
}

void RunFollower::pollState(RunUpdate& update, const std::stop_token& stop) {
  if (auto run = launcher_->refresh(run_, stop)) {
    run_ = *std::move(run);
  } else {
    update.problems.push_back(std::move(run.error()));
  }
}

void RunFollower::pollLogs(RunUpdate& update, const std::stop_token& stop) {
  if (!logs_) return;
  auto lines = logs_->poll(stop);
  if (!lines) {
    update.problems.push_back(std::move(lines.error()));
    return;
  }
  update.lines = *std::move(lines);
  for (const LogLine& line : update.lines) noteDatum(line.time);
}

void RunFollower::pollMetrics(RunUpdate& update, const std::stop_token& stop) {
  if (!metrics_) return;
  auto news = metrics_->poll(stop);
  if (!news) {
    update.problems.push_back(std::move(news.error()));
    return;
  }
  update.metrics = std::move(news->batches);
  unreadableSegments_ = news->unreadableSegments;
  update.isBehind = news->isBehind;
  segmentsRead_ = news->segmentsRead;
  segmentsKnown_ = news->segmentsKnown;
  metricFindings_ = std::move(news->findings);
  for (const MetricSeriesBatch& batch : update.metrics) {
    for (const MetricPoint& point : batch.points) noteDatum(point.time);
  }
}

// How long it was on its way, only the calendars can tell; how long ago it came must not depend on them.
void RunFollower::noteDatum(TimePoint time) {
  if (newestDatum_ && time <= *newestDatum_) return;
  newestDatum_ = time;
  delay_ = std::max(clock_->now() - time, std::chrono::nanoseconds(0));
  newestCame_ = clock_->steady();
}

void RunFollower::pollHealth(RunUpdate& update, const std::stop_token& stop) {
  if (!health_) return;
  auto health = health_->poll(stop);
  update.isHealthKnown = health.has_value();
  if (!health) return update.problems.push_back(std::move(health.error()));
  update.health = *std::move(health);
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

void RunFollower::noteEnd(RunUpdate& update) {
  const bool over = isTerminal(stateOf(run_)) && allNodesEnded(run_);
  const bool isWhole = !update.isBehind && segmentsRead_ >= segmentsKnown_;
  const bool quiet = isWhole && update.lines.empty() && update.metrics.empty() && update.problems.empty();
  const SteadyPoint now = clock_->steady();
  if (!over) overSince_ = quietSince_ = std::nullopt;
  if (over && (!overSince_ || update.isBehind)) overSince_ = now;  // a long past is no late data
  if (over && (!quiet || !quietSince_)) quietSince_ = now;
  update.ended = over && (now - *quietSince_ >= kLateDataTimeout || now - *overSince_ >= kLateDataLimit ||
                          (wasLongOver_ && quiet));
}

}  // namespace lockstep
