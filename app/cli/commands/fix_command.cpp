// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli.h"
#include "commands/undo_fixes.h"
#include "interrupt.h"
#include "output.h"
#include "setup/journal/change_journal.h"
#include "setup/step/setup_facts.h"
#include "setup_options.h"
#include "setup_view.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

struct Options {
  std::vector<std::string> steps, only;
  SetupOptions setup;
  std::string trainFile, undo;
  bool list = false, dryRun = false, yes = false, json = false;
};

/// One `lockstep fix`: the steps one after the other, each looking at what those before it have made.
class FixRun {
 public:
  FixRun(const Options& options, SetupContext::Setup setup, std::stop_token stop)
      : options_(options), setup_(std::move(setup)), stop_(std::move(stop)) {}

  int fixAllSteps();

 private:
  enum class Outcome { Applied, Declined, Failed };

  int fixStep(const std::string& step);
  StepReport check(const std::string& step);
  [[nodiscard]] bool isWanted(const ProposedFix& fix, const StepReport& report) const;
  Outcome apply(const std::string& step, const ProposedFix& fix);
  Result<std::vector<AppliedChange>> applyAndNote(const std::string& step, const ProposedFix& fix);
  int preview(const std::string& step, const StepReport& report);

  const Options& options_;
  SetupContext::Setup setup_;
  const std::stop_token stop_;
  int failure_ = kDone;  // of a fix that failed
  std::map<std::string, std::string> facts_;
  json document_ = json::object();
};

// What a step has found or made is what is looked at from then on; where that differs from what was named,
// the step itself once more.
StepReport FixRun::check(const std::string& step) {
  const auto look = [&] {
    return makeSetupStep(step, std::make_shared<const SetupContext>(setup_))->check(stop_);
  };
  StepReport report = look();
  const bool isWell = report.state != StepState::Blocked && report.state != StepState::Warning;
  const bool hasBetter = changesChoices(setup_.choices, report.facts);
  for (const auto& [name, value] : report.facts) facts_[name] = value;
  setup_.choices = withFacts(std::move(setup_.choices), report.facts);
  return isWell || !hasBetter || options_.dryRun ? report : look();
}

// What is well is left alone, and what grants or opens too much is done for those only who ask for just that.
bool FixRun::isWanted(const ProposedFix& fix, const StepReport& report) const {
  if (!options_.only.empty())
    return std::find(options_.only.begin(), options_.only.end(), fix.id) != options_.only.end();
  if (!fix.waitsFor.empty() && !options_.dryRun) return false;  // what it waits for was declined
  return fix.isDoneUnasked() && (report.state == StepState::Blocked || report.state == StepState::Warning);
}

Result<std::vector<AppliedChange>> FixRun::applyAndNote(const std::string& step, const ProposedFix& fix) {
  auto changes = fix.apply(stop_);
  if (!changes) return changes;
  for (AppliedChange& change : *changes) {
    change.stepId = step;
    change.profile = oci::resolved(setup_.query).profile;
    change.when = SystemClock().now();
  }
  return ChangeJournal().add(*std::move(changes));
}

FixRun::Outcome FixRun::apply(const std::string& step, const ProposedFix& fix) {
  if (!options_.json) printFix(step, fix);
  if (!options_.yes && !isConfirmed("do this?", "nothing was changed")) return Outcome::Declined;
  const auto changes = applyAndNote(step, fix);
  if (!changes) {
    failure_ = failed(changes.error());
    return Outcome::Failed;
  }
  json& done = document_[step]["applied"];
  for (const AppliedChange& change : *changes) {
    done.push_back({{"id", change.id}, {"title", change.title}});
    if (!options_.json)
      printLine(fmt::format("  {} (take back with: lockstep fix --undo {})", change.title, change.id));
  }
  if (changes->empty() && !options_.json) printLine("  done; it left nothing behind");
  return Outcome::Applied;
}

int FixRun::preview(const std::string& step, const StepReport& report) {
  bool isFixable = report.state != StepState::Blocked;
  if (!options_.json) printReport(step, report);
  for (const ProposedFix& fix : report.fixes) {
    if (!isWanted(fix, report)) continue;
    isFixable = true;
    if (!options_.json) printFix(step, fix);
  }
  document_[step]["before"] = toJson(report);
  return isFixable ? kDone : kNotWell;
}

// Looked at again after each fix: the next one is then shown, and done, against what is there by now.
int FixRun::fixStep(const std::string& step) {
  StepReport report = check(step);
  if (options_.dryRun) return preview(step, report);
  document_[step] = {{"before", toJson(report)}, {"applied", json::array()}};
  std::set<std::string> tried;
  bool goesOn = true;
  while (goesOn && !stop_.stop_requested()) {
    const auto next = std::find_if(report.fixes.begin(), report.fixes.end(), [&](const ProposedFix& fix) {
      return isWanted(fix, report) && !tried.contains(fix.id);
    });
    if (next == report.fixes.end()) break;
    tried.insert(next->id);
    const Outcome outcome = apply(step, *next);
    goesOn = outcome != Outcome::Failed;
    if (outcome == Outcome::Applied) report = check(step);
  }
  document_[step]["after"] = toJson(report);
  if (!options_.json) printReport(step, report);
  return report.state == StepState::Blocked ? kNotWell : kDone;
}

int FixRun::fixAllSteps() {
  int worst = kDone;
  for (const std::string& step : setupStepNames()) {
    const auto& wanted = options_.steps;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), step) == wanted.end()) continue;
    if (setup_.choices.waived.contains(step)) continue;
    worst = std::max(worst, fixStep(step));
    if (stop_.stop_requested()) return kCancelled;
    if (failure_ != kDone) break;  // what comes next may stand on it
  }
  if (options_.json) printJson(document_);
  if (!options_.trainFile.empty() && !options_.dryRun) {
    if (const auto done = writeFacts(options_.trainFile, facts_); !done) return failed(done.error());
  } else if (!options_.dryRun && !options_.setup.file.empty() && saysOther(options_.setup.file, facts_)) {
    note(fmt::format("{0} does not say all of this yet: lockstep check -f {0} --write {0}",
                     options_.setup.file));
  }
  return failure_ != kDone ? failure_ : worst;
}

int fix(const Options& options, const GlobalOptions& global) {
  if (options.list) return listChanges(options.json);
  if (!options.undo.empty()) return undoChanges(options.undo, options.yes, options.setup, global);
  const Interrupt interrupt;
  auto target = setupTarget(options.setup, global, interrupt.token());
  if (!target) return failed(target.error());
  return FixRun(options, std::move(target->setup), interrupt.token()).fixAllSteps();
}

}  // namespace

void addFixCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("fix", "Fix what a check found missing, after showing what will be done");
  command->add_option("STEP", options->steps, "steps as for `check` (default: all, one after the other)")
      ->check(CLI::IsMember(setupStepNames()));
  addSetupOptions(*command, options->setup);
  command
      ->add_option("--only", options->only, "only this fix, by its id; also one that is not needed or unsafe")
      ->type_name("FIX-ID");
  command->add_flag("--dry-run", options->dryRun, "show what would be done and do nothing");
  command->add_flag("-y,--yes", options->yes, "do not ask");
  command->add_option("--write", options->trainFile, "train.yaml into which to write what was found and made")
      ->type_name("FILE");
  command->add_flag("--list", options->list, "list what fixes have changed");
  command->add_option("--undo", options->undo, "take a change back: its id, or 'all'")->type_name("ID");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([options, &cli] { cli.command = [options, &cli] { return fix(*options, cli.global); }; });
}

}  // namespace lockstep::cli
