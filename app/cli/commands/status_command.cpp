// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "cli.h"
#include "diagnosis/findings/finding_words.h"
#include "diagnosis_view.h"
#include "follow_view.h"
#include "health_view.h"
#include "metrics/run_progress.h"
#include "output.h"
#include "rank_rows.h"
#include "run_status.h"
#include "run_view.h"
#include "target.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

struct Options {
  std::string run, lines;
  bool json = false;
};

RunStatus lastKnown(const TrainingRun& run, const Error& problem) {
  RunStatus status;
  status.run = run;
  status.problems = {problem};
  return status;
}

json ruleJson(const LineRuleUse& use) {
  return {{"rule", use.id},
          {"pattern", use.pattern},
          {"lines", use.lines},
          {"since", toRfc3339(use.since)},
          {"example", use.example},
          {"active", use.isActive},
          {"offBecause", use.offBecause}};
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
  document["cost"] = toJson(costNow(status));
  document["diagnosis"] = status.run.failure.empty() ? json(nullptr) : json(status.run.failure);
  document["ranks"] = json::array();
  for (const RankRow& row : rankRows(status.run, status.metrics)) document["ranks"].push_back(toJson(row));
  document["lineRules"] = json::array();
  for (const LineRuleUse& use : status.rules) document["lineRules"].push_back(ruleJson(use));
  document["health"] = toJson(status.health, stageOf(status.run), SystemClock().steady());
  addFindings(*status.report, status.run.id, mutedFindings(), document);
  document["problems"] = json::array();
  for (const Error& problem : status.problems) document["problems"].push_back(toJson(problem));
  printJson(document);
}

// What of the findings nothing above them has said.
void printFindings(const RunStatus& status) {
  const MutedFindings muted = mutedFindings();
  int mutedOnes = 0;
  for (const RunFinding& finding : status.report->findings) {
    if (finding.end || !saysMore(finding, status.run.failure)) continue;
    if (muted.mutedUntil(status.run.id, finding.key(), status.report->time)) {
      ++mutedOnes;
      continue;
    }
    printLine(
        painted(oneLineOf(finding), finding.severity == FindingSeverity::Critical ? Tone::Bad : Tone::Warn));
    for (const FindingText& fact : finding.evidence) printLine("  " + englishOf(fact));
    for (const FindingText& missing : finding.unmeasured) printLine("  not measured: " + englishOf(missing));
  }
  if (mutedOnes > 0) printLine(painted(fmt::format("muted findings: {}", mutedOnes), Tone::Dim));
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
  if (const RunCost cost = costNow(status); cost.soFar) {
    std::string costs = "cost so far " + costText({cost.soFar, {}, cost.currency, false});
    if (cost.forecast)
      costs += ", about " + costText({cost.forecast, {}, cost.currency, false}) + " at its end";
    printLine(costs + (cost.isRehearsal ? "; it is rehearsed: nothing is charged" : ""));
  }
  if (!status.run.failure.empty()) printLine(painted(status.run.failure, Tone::Bad));
  for (const LineRuleUse& use : status.rules)
    printLine(fmt::format("from its lines: {}, {} lines{}", use.id, use.lines,
                          use.offBecause.empty() ? "" : ", not used: " + use.offBecause));
  const SteadyPoint now = SystemClock().steady();
  printText(rankTable(rankRows(status.run, status.metrics), phaseTexts(status.health, stageOf(status.run))));
  if (status.health.heartbeat && stageOf(status.run) == RunStage::Running)
    printLine(fmt::format("heartbeat {} ago", lastingText(heartbeatAge(status.health, now))));
  for (const HealthFinding& finding : findingsIn(status.health, stageOf(status.run), now))
    printLine(painted(oneLineOf(finding), Tone::Warn));
  printFindings(status);
}

int status(const Options& options, const GlobalOptions& global) {
  auto access = accessRun(options.run, global, RetryMode::OneLook);
  if (!access) return failed(access.error());
  auto& services = access->services;
  const RunStatus status =
      services ? statusOf(access->run, *services, lineChoiceFrom(options.lines).value_or(LineChoice{}))
               : lastKnown(access->run, services.error());
  if (services && status.problems.empty()) keepFindings(status.run, *status.report);
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
  addLinesOption(*command, options->lines);
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return status(*options, cli.global); }; });
}

}  // namespace lockstep::cli
