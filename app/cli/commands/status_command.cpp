// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "cli.h"
#include "follow_view.h"
#include "health_view.h"
#include "metrics/run_progress.h"
#include "output.h"
#include "rank_rows.h"
#include "run_metrics.h"
#include "target.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

struct Options {
  std::string run;
  bool json = false;
};

struct RunStatus {
  TrainingRun run;
  MetricStore metrics;
  ReadToEnd read;  // how much of the metrics
  RunHealth health;
  std::vector<Error> problems;
};

void readMetrics(RunStatus& status, RunServices& services) {
  const auto reader = services.metrics(status.run);
  if (!reader) return status.problems.push_back(reader.error());
  status.read = readAllMetrics(**reader, status.metrics, {});
  if (status.read.problem) status.problems.push_back(*status.read.problem);
}

void readHealth(RunStatus& status, RunServices& services) {
  const auto watcher = services.health(status.run);
  const auto health = watcher ? (*watcher)->poll({}) : tl::unexpected(watcher.error());
  if (!health) return status.problems.push_back(health.error());
  if (*health) status.health = **health;
}

// What the service and the work dir say; what cannot be read now stays as the store knows it, and is a
// problem.
RunStatus statusOf(const TrainingRun& run, RunServices& services) {
  RunStatus status{run, {}, {}, {}, {}};
  if (auto now = services.launcher()->refresh(run, {})) {
    status.run = *std::move(now);
  } else {
    status.problems.push_back(std::move(now.error()));
    return status;
  }
  readMetrics(status, services);
  readHealth(status, services);
  auto& unreadable = status.health.unreadable;
  unreadable.insert(unreadable.end(), status.read.findings.begin(), status.read.findings.end());
  if (status.read.unreadable) unreadable.push_back(*status.read.unreadable);
  return status;
}

std::chrono::nanoseconds elapsedOf(const TrainingRun& run) {
  return run.finished.value_or(SystemClock().now()) - run.created;
}

void printAsJson(const RunStatus& status) {
  json document = toJson(status.run);
  const StepProgress progress = stepProgress(status.metrics);
  document["elapsedSeconds"] = std::chrono::duration<double>(elapsedOf(status.run)).count();
  document["step"] = progress.step;
  document["totalSteps"] = progress.total ? json(*progress.total) : json(nullptr);
  document["segments"] = {
      {"read", status.read.segmentsRead - static_cast<std::uint64_t>(status.read.unreadableSegments)},
      {"known", status.read.segmentsKnown},
      {"unreadable", status.read.unreadableSegments}};
  document["diagnosis"] = status.run.failure.empty() ? json(nullptr) : json(status.run.failure);
  document["ranks"] = json::array();
  for (const RankRow& row : rankRows(status.run, status.metrics)) document["ranks"].push_back(toJson(row));
  document["health"] = toJson(status.health, stageOf(status.run), SystemClock().steady());
  document["problems"] = json::array();
  for (const Error& problem : status.problems) document["problems"].push_back(toJson(problem));
  printJson(document);
}

void printAsText(const RunStatus& status) {
  const RunState state = stateOf(status.run);
  const StepProgress progress = stepProgress(status.metrics);
  std::string line = fmt::format("{} {} {}", status.run.id.value, painted(toString(state), toneOf(state)),
                                 elapsedText(elapsedOf(status.run)));
  if (progress.step > 0) line += fmt::format(", step {}", progress.step);
  if (progress.step > 0 && progress.total) line += fmt::format(" of {}", *progress.total);
  printLine(line);
  if (!isReadOnly(status.run))
    printLine(fmt::format("job {}, work dir {}, profile {}", status.run.jobId.value, status.run.workDir,
                          status.run.profile));
  if (!status.run.failure.empty()) printLine(painted(status.run.failure, Tone::Bad));
  const SteadyPoint now = SystemClock().steady();
  printText(rankTable(rankRows(status.run, status.metrics), phaseTexts(status.health, stageOf(status.run))));
  if (status.health.heartbeat && stageOf(status.run) == RunStage::Running)
    printLine(fmt::format("heartbeat {} ago", lastingText(heartbeatAge(status.health, now))));
  for (const HealthFinding& finding : findingsIn(status.health, stageOf(status.run), now))
    printLine(painted(oneLineOf(finding), Tone::Warn));
}

int status(const Options& options, const GlobalOptions& global) {
  auto access = accessRun(options.run, global, RetryMode::OneLook);
  if (!access) return failed(access.error());
  auto& services = access->services;
  const RunStatus status =
      services ? statusOf(access->run, *services) : RunStatus{access->run, {}, {}, {}, {services.error()}};
  options.json ? printAsJson(status) : printAsText(status);
  for (const Error& problem : status.problems) printError(problem);
  if (!status.problems.empty()) return exitCodeOf(status.problems.front());
  return stateOf(status.run) == RunState::Failed ? kNotWell : kDone;
}

}  // namespace

void addStatusCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("status", "State of a run, and of each of its ranks");
  command->add_option("RUN", options->run, kReadableRunHelp)->required();
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return status(*options, cli.global); }; });
}

}  // namespace lockstep::cli
