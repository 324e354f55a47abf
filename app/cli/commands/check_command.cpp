// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "cli.h"
#include "interrupt.h"
#include "output.h"
#include "progress_bar.h"
#include "setup/journal/report_document.h"
#include "setup/journal/setup_memory.h"
#include "setup/steps/check_steps.h"
#include "setup_options.h"
#include "setup_view.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;
using Reports = std::map<std::string, StepReport>;

constexpr mode_t kOwnerOnly = 0600;

struct Options {
  std::vector<std::string> steps;
  SetupOptions setup;
  std::string textFile, htmlFile, trainFile;
  bool json = false;
};

// In the order in which a newcomer needs them, whatever the order in which they were named.
std::vector<std::string> inOrder(const std::vector<std::string>& wanted) {
  if (wanted.empty()) return setupStepNames();
  std::vector<std::string> steps;
  for (const std::string& name : setupStepNames()) {
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) steps.push_back(name);
  }
  return steps;
}

Reports checkAll(const SetupContextPtr& context, const std::vector<std::string>& steps, bool asJson,
                 const std::stop_token& stop) {
  // A key's pass phrase is asked for before there is a progress bar to write over the question.
  static_cast<void>(context->services());
  ProgressBar progress(!asJson && stderrIsTerminal());
  Reports reports;
  const auto keep = [&](const std::string& step, const StepReport& report) {
    reports[step] = report;
    progress.show(static_cast<double>(reports.size()) / static_cast<double>(steps.size()),
                  fmt::format("{} of {} checked: {}", reports.size(), steps.size(), step));
  };
  checkSteps(context, steps, keep, stop);
  return reports;
}

Result<void> writeReports(const Options& options, const SetupContext& context, const Reports& reports) {
  ReportDocument document;
  document.profile = oci::resolved(context.query()).profile;
  if (const auto profile = context.profile()) document.region = profile->region;
  document.checkedAt = SystemClock().now();
  for (const std::string& name : setupStepNames()) {
    if (const auto found = reports.find(name); found != reports.end()) document.steps.emplace_back(*found);
  }
  if (!options.textFile.empty()) {
    if (auto done = writeFileAtomically(options.textFile, reportText(document), kOwnerOnly); !done)
      return done;
  }
  return options.htmlFile.empty() ? Result<void>{}
                                  : writeFileAtomically(options.htmlFile, reportHtml(document), kOwnerOnly);
}

Result<void> writeFactsOf(const Reports& reports, const std::string& file) {
  if (file.empty()) return {};
  std::map<std::string, std::string> facts;
  for (const auto& [step, report] : reports) facts.insert(report.facts.begin(), report.facts.end());
  return writeFacts(file, facts);
}

// The desktop app shows these results when it opens; its choices stay as they are.
void remember(const oci::ProfileQuery& query, const Reports& reports) {
  SetupMemory memory;
  RememberedSetup setup = memory.recall(query);
  for (const auto& [step, report] : reports) setup.reports[step] = report;
  setup.checkedAt = SystemClock().now();
  if (const auto done = memory.remember(query, setup); !done) warn(describe(done.error()));
}

void print(const Reports& reports, const std::vector<std::string>& steps, bool asJson) {
  json document = json::object();
  for (const std::string& step : steps) {
    document[step] = toJson(reports.at(step));
    if (!asJson) printReport(step, reports.at(step));
  }
  if (asJson) printJson(document);
}

int check(const Options& options, const GlobalOptions& global) {
  const Interrupt interrupt;
  auto target = setupTarget(options.setup, global, interrupt.token());
  if (!target) return failed(target.error());
  const auto context = std::make_shared<const SetupContext>(std::move(target->setup));
  const std::vector<std::string> steps = inOrder(options.steps);
  const Reports reports = checkAll(context, steps, options.json, interrupt.token());
  if (interrupt.happened()) {
    note("the check was given up; nothing was changed");
    return kCancelled;
  }
  print(reports, steps, options.json);
  remember(context->query(), reports);
  if (const auto done = writeReports(options, *context, reports); !done) return failed(done.error());
  if (const auto done = writeFactsOf(reports, options.trainFile); !done) return failed(done.error());
  const bool isBlocked = std::any_of(reports.begin(), reports.end(),
                                     [](const auto& r) { return r.second.state == StepState::Blocked; });
  return isBlocked ? kNotWell : kDone;
}

std::string allSteps() {
  std::string names;
  for (const std::string& name : setupStepNames()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

}  // namespace

void addCheckCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("check", "Check what a launch needs, all side by side; changes nothing");
  command->add_option("STEP", options->steps, allSteps() + " (default: all)")
      ->check(CLI::IsMember(setupStepNames()));
  addSetupOptions(*command, options->setup);
  command->add_option("--report", options->textFile, "write a report, as text, without secrets")
      ->type_name("FILE");
  command->add_option("--html", options->htmlFile, "the same as a page")->type_name("FILE");
  command->add_option("--write", options->trainFile, "train.yaml into which to write what was found")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return check(*options, cli.global); }; });
}

}  // namespace lockstep::cli
