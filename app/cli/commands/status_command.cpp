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

struct Look {
  TrainingRun run;
  MetricStore metrics;
  ReadToEnd read;  // how much of the metrics
  RunHealth health;
  std::vector<Error> problems;
};

void lookAtMetrics(Look& look, RunServices& services) {
  const auto reader = services.metrics(look.run);
  if (!reader) return look.problems.push_back(reader.error());
  look.read = readAllMetrics(**reader, look.metrics, {});
  if (look.read.problem) look.problems.push_back(*look.read.problem);
}

void lookAtHealth(Look& look, RunServices& services) {
  const auto watcher = services.health(look.run);
  const auto health = watcher ? (*watcher)->poll({}) : tl::unexpected(watcher.error());
  if (!health) return look.problems.push_back(health.error());
  if (*health) look.health = **health;
}

// What the service and the work dir say; what cannot be read now stays as the store knows it, and is a
// problem.
Look lookAt(const TrainingRun& run, RunServices& services) {
  Look look{run, {}, {}, {}, {}};
  if (auto now = services.launcher()->refresh(run, {})) {
    look.run = *std::move(now);
  } else {
    look.problems.push_back(std::move(now.error()));
    return look;
  }
  lookAtMetrics(look, services);
  lookAtHealth(look, services);
  auto& unreadable = look.health.unreadable;
  unreadable.insert(unreadable.end(), look.read.findings.begin(), look.read.findings.end());
  if (look.read.unreadable) unreadable.push_back(*look.read.unreadable);
  return look;
}

std::chrono::nanoseconds elapsedOf(const TrainingRun& run) {
  return run.finished.value_or(SystemClock().now()) - run.created;
}

void printAsJson(const Look& look) {
  json document = toJson(look.run);
  const StepProgress progress = stepProgress(look.metrics);
  document["elapsedSeconds"] = std::chrono::duration<double>(elapsedOf(look.run)).count();
  document["step"] = progress.step;
  document["totalSteps"] = progress.total ? json(*progress.total) : json(nullptr);
  document["segments"] = {
      {"read", look.read.segmentsRead - static_cast<std::uint64_t>(look.read.unreadableSegments)},
      {"known", look.read.segmentsKnown},
      {"unreadable", look.read.unreadableSegments}};
  document["diagnosis"] = look.run.failure.empty() ? json(nullptr) : json(look.run.failure);
  document["ranks"] = json::array();
  for (const RankRow& row : rankRows(look.run, look.metrics)) document["ranks"].push_back(toJson(row));
  document["health"] = toJson(look.health, stageOf(look.run), SystemClock().steady());
  document["problems"] = json::array();
  for (const Error& problem : look.problems) document["problems"].push_back(toJson(problem));
  printJson(document);
}

void printAsText(const Look& look) {
  const RunState state = stateOf(look.run);
  const StepProgress progress = stepProgress(look.metrics);
  std::string line = fmt::format("{} {} {}", look.run.id.value, painted(toString(state), toneOf(state)),
                                 elapsedText(elapsedOf(look.run)));
  if (progress.step > 0) line += fmt::format(", step {}", progress.step);
  if (progress.step > 0 && progress.total) line += fmt::format(" of {}", *progress.total);
  printLine(line);
  if (!isReadOnly(look.run))
    printLine(fmt::format("job {}, work dir {}, profile {}", look.run.jobId.value, look.run.workDir,
                          look.run.profile));
  if (!look.run.failure.empty()) printLine(painted(look.run.failure, Tone::Bad));
  const SteadyPoint now = SystemClock().steady();
  printText(rankTable(rankRows(look.run, look.metrics), phaseTexts(look.health, stageOf(look.run))));
  if (look.health.heartbeat && stageOf(look.run) == RunStage::Running)
    printLine(fmt::format("heartbeat {} ago", lastingText(heartbeatAge(look.health, now))));
  for (const HealthFinding& finding : findingsIn(look.health, stageOf(look.run), now))
    printLine(painted(oneLineOf(finding), Tone::Warn));
}

int status(const Options& options, const GlobalOptions& global) {
  auto access = accessRun(options.run, global, RetryMode::OneLook);
  if (!access) return failed(access.error());
  auto& services = access->services;
  const Look look =
      services ? lookAt(access->run, *services) : Look{access->run, {}, {}, {}, {services.error()}};
  options.json ? printAsJson(look) : printAsText(look);
  for (const Error& problem : look.problems) printError(problem);
  if (!look.problems.empty()) return exitCodeOf(look.problems.front());
  return stateOf(look.run) == RunState::Failed ? kNotWell : kDone;
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
