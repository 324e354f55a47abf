// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_status.h"

#include "diagnosis_view.h"
#include "metrics/run_progress.h"
#include "run_view.h"

namespace lockstep::cli {
namespace {

void readMetrics(RunStatus& status, RunServices& services, const LineChoice& lines) {
  auto samples = readSamples(status.run, services, lines, status.metrics);
  if (!samples) return status.problems.push_back(std::move(samples.error()));
  status.read = std::move(samples->read);
  status.rules = std::move(samples->rules);
  if (status.read.problem) status.problems.push_back(*status.read.problem);
}

void readHealth(RunStatus& status, RunServices& services) {
  if (status.run.workDir.empty()) return;  // a job that no agent of ours runs
  const auto watcher = services.health(status.run);
  const auto health = watcher ? (*watcher)->poll({}) : tl::unexpected(watcher.error());
  if (!health) return status.problems.push_back(health.error());
  if (*health) status.health = **health;
}

}  // namespace

RunStatus statusOf(const TrainingRun& run, RunServices& services, const LineChoice& lines) {
  RunStatus status;
  status.run = run;
  if (auto now = services.launcher()->refresh(run, {})) {
    status.run = *std::move(now);
  } else {
    status.problems.push_back(std::move(now.error()));
    return status;
  }
  readMetrics(status, services, lines);
  readHealth(status, services);
  auto& unreadable = status.health.unreadable;
  unreadable.insert(unreadable.end(), status.read.findings.begin(), status.read.findings.end());
  if (status.read.unreadable) unreadable.push_back(*status.read.unreadable);
  status.report = diagnose(status.run, status.metrics.snapshot(), status.health, services);
  return status;
}

RunCost costNow(const RunStatus& status) {
  RunSummary summary = summaryOf(status.run);
  const PriceTable prices = pricesHere();
  summary.perHour = pricePerHour(status.run.trainYaml, prices);
  summary.currency = prices.currency;
  RunProgress progress;
  progress.update(status.metrics);
  const TimePoint now = SystemClock().now();
  return costOf(summary, now, progress.remaining(now));
}

}  // namespace lockstep::cli
