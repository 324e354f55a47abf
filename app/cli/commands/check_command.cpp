// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"
#include "interrupt.h"
#include "output.h"
#include "setup/setup_steps.h"
#include "target.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

struct Options {
  std::vector<std::string> steps;
  std::string file, workDir;
  bool json = false;
};

Tone toneOf(StepState state) {
  switch (state) {
    case StepState::Ready:
      return Tone::Good;
    case StepState::Warning:
      return Tone::Warn;
    case StepState::Blocked:
      return Tone::Bad;
    default:
      return Tone::Dim;
  }
}

Result<std::string> workDirOf(const Options& options, const Target& target) {
  if (!options.workDir.empty()) return options.workDir;
  if (options.file.empty()) return target.rehearsal ? target.rehearsal->places.workDir : std::string();
  auto text = readTrainFile(options.file);
  if (!text) return failure(std::move(text.error()));
  return ClusterDocument(*std::move(text)).spec().workDir.value_or("");
}

void printReport(const std::string& step, const StepReport& report) {
  printLine(fmt::format("{}: {}", painted(step, Tone::Strong),
                        painted(toString(report.state), toneOf(report.state))));
  for (const Finding& finding : report.findings) {
    printLine(fmt::format("  {} {}",
                          painted(fmt::format("{}:", toString(finding.state)), toneOf(finding.state)),
                          finding.text));
    if (!finding.evidence.empty()) printLine(painted("    " + finding.evidence, Tone::Dim));
    if (!finding.remedy.empty()) printLine("    " + finding.remedy);
  }
}

int check(const Options& options, const GlobalOptions& global) {
  const Interrupt interrupt;
  const auto target = chooseTarget(global, {}, interrupt.token());
  if (!target) return failed(target.error());
  const auto workDir = workDirOf(options, *target);
  if (!workDir) return failed(workDir.error());
  bool blocked = false;
  json document = json::object();
  for (const std::string& name : options.steps.empty() ? setupStepNames() : options.steps) {
    const StepReport report = makeSetupStep(name, target->query, *workDir)->check(interrupt.token());
    blocked = blocked || report.state == StepState::Blocked;
    document[name] = toJson(report);
    if (!options.json) printReport(name, report);
  }
  if (options.json) printJson(document);
  return blocked ? kNotWell : kDone;
}

}  // namespace

void addCheckCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Check what a launch needs: auth, bucket; changes nothing");
  command->add_option("STEP", options->steps, "auth, bucket (default: all)")
      ->check(CLI::IsMember(setupStepNames()));
  command->add_option("-f,--file", options->file, "train.yaml whose work dir is meant");
  command->add_option("--work-dir", options->workDir,
                      "work dir that is meant, oci://bucket@namespace/prefix");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return check(*options, cli.global); }; });
}

}  // namespace lockstep::cli
