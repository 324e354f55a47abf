// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_follower.h"

#include <algorithm>
#include <utility>

#include "launch/rank_rows.h"

namespace lockstep {

RunFollower::RunFollower(TrainingRun run, std::shared_ptr<Launcher> launcher, std::unique_ptr<LogSource> logs,
                         std::unique_ptr<MetricReader> metrics, std::shared_ptr<Clock> clock,
                         std::unique_ptr<HealthReader> health, std::unique_ptr<JobRunMetrics> monitored)
    : run_(std::move(run)),
      launcher_(std::move(launcher)),
      logs_(std::move(logs)),
      metrics_(std::move(metrics)),
      health_(std::move(health)),
      monitored_(std::move(monitored)),
      clock_(std::move(clock)),
      wasLongOver_(run_.finished && clock_->now() - *run_.finished >= kLongOver) {}

RunUpdate RunFollower::poll(const std::stop_token& stop) {
  RunUpdate update;
  ask();
  const auto begin = std::chrono::steady_clock::now();
  waitForLines(update, stop);
  // Neither lines that are here nor those that may come next wait for what is slower.
  const bool hurries = !update.lines.empty() || areLinesQuick();
  waitForOthers(hurries ? std::chrono::steady_clock::now() + kLinesTime : begin + kAnswerTime, stop);
  takeState(update);
  takeLogs(update);
  takeMetrics(update);
  takeHealth(update);
  takeMonitored(update);
  fill(update);
  addPrinted(update);
  addMonitored(update);
  noteEnd(update);
  return update;
}

RunUpdate RunFollower::pollLines(const std::stop_token& stop) {
  RunUpdate update;
  const SteadyPoint now = clock_->steady();
  if (!logsAsked_.isOpen() && areLinesQuick() && now - linesAsked_ >= linesInterval()) {
    askLogs(now);
    waitForLines(update, stop);
  } else if (logsAsked_.isAnswered()) {
    takeLogs(update);
  }
  if (stateAsked_.isAnswered()) takeState(update);
  if (metricsAsked_.isAnswered()) takeMetrics(update);
  if (healthAsked_.isAnswered()) takeHealth(update);
  takeMonitored(update);
  update.isReading = metricsAsked_.isOpen();
  fill(update);
  addPrinted(update);
  addMonitored(update);
  noteEnd(update);
  update.ended = false;
  update.problems.clear();
  for (const auto& problem : problems_)
    if (problem) update.problems.push_back(*problem);
  return update;
}

void RunFollower::fill(RunUpdate& update) {
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
  update.nextLines = nextLines();
}

std::optional<std::chrono::milliseconds> RunFollower::nextLines() const {
  const bool isOpen =
      stateAsked_.isOpen() || logsAsked_.isOpen() || metricsAsked_.isOpen() || healthAsked_.isOpen();
  if (isOpen) return kLinesInterval;
  if (!areLinesQuick()) return std::nullopt;
  return linesInterval();
}

std::chrono::milliseconds RunFollower::linesInterval() const {
  return std::max(kLinesInterval, std::chrono::ceil<std::chrono::milliseconds>(10 * linesTook_.load()));
}

bool RunFollower::areLinesQuick() const {
  return logs_ && linesTook_.load() <= kQuickAnswer;
}

void RunFollower::ask() {
  const SteadyPoint now = clock_->steady();
  if (!stateAsked_.isOpen())
    stateAsked_.ask(
        now, [this, run = run_](const std::stop_token& stop) { return launcher_->refresh(run, stop); });
  if (logs_ && !logsAsked_.isOpen()) askLogs(now);
  if (metrics_ && !metricsAsked_.isOpen()) askMetrics(now);
  if (health_ && !healthAsked_.isOpen())
    healthAsked_.ask(now, [this](const std::stop_token& stop) { return health_->poll(stop); });
  if (isMonitoringDue())
    monitoredAsked_.ask(
        now, [this, run = run_](const std::stop_token& stop) { return monitored_->poll(run, stop); });
}

void RunFollower::askLogs(SteadyPoint now) {
  linesAsked_ = now;
  logsAsked_.ask(now, [this](const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    auto lines = logs_->poll(stop);
    linesTook_ = std::chrono::steady_clock::now() - begin;
    return lines;
  });
}

void RunFollower::askMetrics(SteadyPoint now) {
  metrics_->wantFiner(std::exchange(wanted_, {}));
  if (isOver() && !std::exchange(isEndNoted_, true)) metrics_->noteEnd();
  metricsAsked_.ask(now, [this](const std::stop_token& stop) { return metrics_->poll(stop); });
}

void RunFollower::stopQuestions() {
  stateAsked_.stop();
  logsAsked_.stop();
  metricsAsked_.stop();
  healthAsked_.stop();
  monitoredAsked_.stop();
}

/// And takes them, if they come.
void RunFollower::waitForLines(RunUpdate& update, const std::stop_token& stop) {
  const std::stop_callback pass(stop, [this] { stopQuestions(); });
  // Lines of the past that are late are waited for again: whoever reads it looks without a pause.
  if (areLinesBehind_ || !logsAsked_.isLate())
    logsAsked_.waitUntil(std::chrono::steady_clock::now() + kAnswerTime);
  if (logsAsked_.isAnswered()) takeLogs(update);
}

void RunFollower::waitForOthers(std::chrono::steady_clock::time_point until, const std::stop_token& stop) {
  const std::stop_callback pass(stop, [this] { stopQuestions(); });
  metricsAsked_.waitUntil(until);  // likewise
  if (!stateAsked_.isLate()) stateAsked_.waitUntil(until);
  if (!healthAsked_.isLate()) healthAsked_.waitUntil(until);
}

template <class Answer>
void RunFollower::note(const Answer& answer, Source source, RunUpdate& update) {
  std::optional<Error>& problem = problems_[static_cast<std::size_t>(source)];
  problem.reset();
  if (answer) return;
  problem = answer.error();
  update.problems.push_back(answer.error());
}

void RunFollower::takeState(RunUpdate& update) {
  auto run = stateAsked_.take();
  if (!run) return;
  note(*run, Source::State, update);
  if (*run) run_ = **std::move(run);
}

void RunFollower::takeLogs(RunUpdate& update) {
  auto lines = logsAsked_.take();
  if (!lines) return;
  areLinesBehind_ = *lines && logs_->isBehind();
  update.linesWholeUntil = logs_->wholeUntil();
  note(*lines, Source::Logs, update);
  if (!*lines) return;
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
  note(news, Source::Metrics, update);
  if (!news) return;
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

// Nodes with our agent leave metrics from the first second on; those of others never do.
void RunFollower::addPrinted(RunUpdate& update) {
  if (segmentsKnown_ > 0) printed_.reset();
  if (!firstLines_ && !update.lines.empty()) firstLines_ = clock_->steady();
  const bool isTimeUp = firstLines_ && clock_->steady() - *firstLines_ >= kMetricsTimeout;
  const bool isSure = !update.areSamplesAwaited && !update.areSamplesBehind && (isTimeUp || isOver());
  update.isWithoutMetrics = isWithoutMetrics_ = segmentsKnown_ == 0 && isSure;
  if (!printed_) return;
  for (const LogLine& line : update.lines) printed_->add(line.rank, line.time, line.text);
  if (!update.isWithoutMetrics) return;
  for (MetricSeriesBatch& batch : printed_->take()) update.metrics.push_back(std::move(batch));
  update.lineRules = printed_->uses();
}

// Nobody waits for it: the service is minutes late anyway. At the end it is asked once more.
bool RunFollower::isMonitoringDue() const {
  if (!monitored_ || !isWithoutMetrics_ || monitoredAsked_.isOpen()) return false;
  const bool isLast = overSince_ && !unmonitored_ && !monitoredAsked_.hasAnswerSince(*overSince_);
  return isLast || monitored_->isDue();
}

void RunFollower::takeMonitored(RunUpdate& update) {
  if (auto values = monitoredAsked_.take()) {
    unmonitored_ = *values ? std::nullopt : std::optional(values->error());
    if (*values) update.monitored = **std::move(values);
    for (const MonitoredValue& value : update.monitored) noteDatum(value.time);
  }
  update.unmonitored = unmonitored_;
}

void RunFollower::addMonitored(RunUpdate& update) {
  if (!printed_ || !isWithoutMetrics_) return;
  monitoredSamples_.note(update.metrics);
  monitoredSamples_.add(std::exchange(update.monitored, {}));
  if (update.areLinesBehind || update.areLinesAwaited || !monitoredSamples_.isWaiting()) return;
  const bool isAll = wasLongOver_ || (overSince_ && clock_->steady() - *overSince_ >= kLateDataTimeout);
  for (MetricSeriesBatch& batch :
       monitoredSamples_.take(run_, firstRanksOf(run_, monitoredSamples_.ranks()), clock_->now(), isAll))
    update.metrics.push_back(std::move(batch));
}

bool RunFollower::isMonitoringAwaited(const RunUpdate& update, SteadyPoint now) const {
  if (!monitored_ || !update.isWithoutMetrics || now - *overSince_ >= kLateDataLimit) return false;
  if (monitoredSamples_.isWaiting()) return true;
  return !unmonitored_ && !monitoredAsked_.hasAnswerSince(*overSince_);
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
    note(*health, Source::Health, update);
    if (isHealthKnown_) update.health = **std::move(health);
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
                     update.monitored.empty() && update.problems.empty();
  const SteadyPoint now = clock_->steady();
  if (!quiet) lastNews_ = now;
  if (!over) overSince_ = quietSince_ = std::nullopt;
  if (over && (!overSince_ || update.isBehind())) overSince_ = now;  // a long past is no late data
  if (over && (!quiet || !quietSince_)) quietSince_ = now;
  update.ended = over && ((now - *quietSince_ >= kLateDataTimeout && haveAllAnsweredSince(*quietSince_)) ||
                          (now - *overSince_ >= kLateDataLimit && haveAllAnsweredSince(*overSince_)) ||
                          (wasLongOver_ && quiet && haveAllAnsweredSince(lastNews_)));
  update.ended = update.ended && !isMonitoringAwaited(update, now);
}

}  // namespace lockstep
