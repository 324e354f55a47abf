// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "setup/step/setup_facts.h"
#include "tests/setup_faults/setup_fault.h"

namespace lockstep::testing {
namespace {

const Finding* findingWith(const StepReport& report, const std::string& code) {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](const Finding& one) { return one.code == code; });
  return found == report.findings.end() ? nullptr : &*found;
}

std::string summaryOf(const StepReport& report) {
  std::string text = toString(report.state);
  for (const Finding& one : report.findings)
    text += fmt::format("\n      {} [{}] {} ({})", toString(one.state), one.code, one.text, one.evidence);
  return text;
}

// What a step has found out is what is looked at from then on, as the designer and `fix --write` have it.
StepReport checkAgain(SetupWorld& world, const std::string& step) {
  StepReport report = makeSetupStep(step, world.context())->check({});
  world.choices = withFacts(world.choices, report.facts);
  return report.facts.empty() ? report : makeSetupStep(step, world.context())->check({});
}

/// One fault at play.
class Play {
 public:
  Play(const SetupFault& fault, SetupWorld& world) : fault_(fault), world_(world) {}

  SetupFaultOutcome run() {
    fault_.seed(world_);
    const StepReport report = makeSetupStep(fault_.step, world_.context())->check({});
    const Finding* finding = findingWith(report, fault_.code);
    if (finding == nullptr || finding->state == StepState::Ready) {
      wrong("not found: " + summaryOf(report));
      return std::move(outcome_);
    }
    outcome_.text = finding->text + (finding->cause.empty() ? "" : ": " + finding->cause);
    if (finding->text.empty() || finding->remedy.empty()) wrong("no text or no way out");
    if (!fault_.fix.empty()) {
      applyFix(report);
    } else if (fault_.byUser) {
      fault_.byUser(world_);
      checkAfterwards(checkAgain(world_, fault_.step));
    }
    takeBack();
    return std::move(outcome_);
  }

 private:
  void wrong(const std::string& what) {
    if (outcome_.wrong.empty()) outcome_.wrong = what;
  }

  void checkAfterwards(const StepReport& after) {
    outcome_.after = toString(after.state);
    if (after.state != fault_.after || findingWith(after, fault_.code) != nullptr)
      wrong("not fixed: " + summaryOf(after));
  }

  bool apply(const ProposedFix& fix) {
    tried_.insert(fix.id);
    const auto changes = fix.apply({});
    if (!changes) {
      wrong("the fix '" + fix.id + "' failed: " + describe(changes.error()));
      return false;
    }
    outcome_.fixedBy += (outcome_.fixedBy.empty() ? "" : ", ") + fix.id;
    changes_.insert(changes_.end(), changes->begin(), changes->end());
    return true;
  }

  // What waits for a compartment is fixed once that is there.
  StepReport afterCompartment(const StepReport& report) {
    const auto isWaiting = [](const ProposedFix& fix) { return !fix.waitsFor.empty(); };
    if (std::none_of(report.fixes.begin(), report.fixes.end(), isWaiting)) return report;
    for (const ProposedFix& fix : makeSetupStep("project", world_.context())->check({}).fixes)
      if (!isWaiting(fix)) apply(fix);
    for (AppliedChange& change : changes_) change.stepId = "project";
    return makeSetupStep(fault_.step, world_.context())->check({});
  }

  // The fix that is named first, then, as `lockstep fix --yes` does, whatever is proposed besides.
  void applyFix(const StepReport& found) {
    const StepReport report = afterCompartment(found);
    const auto named = std::find_if(report.fixes.begin(), report.fixes.end(),
                                    [&](const ProposedFix& fix) { return fix.id == fault_.fix; });
    if (named == report.fixes.end()) return wrong("no fix '" + fault_.fix + "'");
    if (!apply(*named)) return;
    if (fault_.asUser) fault_.asUser(world_);
    StepReport after = checkAgain(world_, fault_.step);
    while (after.state == StepState::Blocked || after.state == StepState::Warning) {
      const auto next = std::find_if(after.fixes.begin(), after.fixes.end(), [&](const ProposedFix& fix) {
        return fix.isDoneUnasked() && !tried_.contains(fix.id);
      });
      if (next == after.fixes.end() || !apply(*next)) break;
      after = checkAgain(world_, fault_.step);
    }
    checkAfterwards(after);
  }

  void takeBack() {
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
      const std::string& step = change->stepId.empty() ? fault_.step : change->stepId;
      const auto done = makeSetupStep(step, world_.context())->takeBack(*change, {});
      if (!done) wrong("not taken back: " + change->title + ": " + describe(done.error()));
    }
  }

  const SetupFault& fault_;
  SetupWorld& world_;
  SetupFaultOutcome outcome_{{}, "-", {}};
  std::set<std::string> tried_;
  std::vector<AppliedChange> changes_;
};

}  // namespace

const std::vector<SetupFault>& setupFaults() {
  static const std::vector<SetupFault> kAll = [] {
    std::vector<SetupFault> all;
    for (const auto add :
         {addMachineFaults, addProfileFaults, addEngineFaults, addProjectFaults, addPlaceFaults,
          addNetworkFaults, addBucketFaults, addPolicyFaults, addRepositoryFaults, addLoginFaults,
          addLoggingFaults, addLimitsFaults, addHostFaults})
      add(all);
    return all;
  }();
  return kAll;
}

SetupFaultOutcome play(const SetupFault& fault) {
  try {
    SetupWorld world(fault.world);
    return Play(fault, world).run();
  } catch (const NotPlayableHere& why) {
    SetupFaultOutcome outcome{{}, "-", {}};
    outcome.skipped = why.what();
    return outcome;
  } catch (const std::exception& error) {
    return {{}, "-", std::string("could not be played: ") + error.what()};
  }
}

std::vector<SetupFaultOutcome> playAll(const std::vector<SetupFault>& faults, int workers) {
  std::vector<SetupFaultOutcome> outcomes(faults.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < workers; ++i) {
    threads.emplace_back([&] {
      for (std::size_t mine = next++; mine < faults.size(); mine = next++)
        outcomes[mine] = play(faults[mine]);
    });
  }
  threads.clear();
  return outcomes;
}

namespace {

std::string rowOf(std::size_t number, const SetupFault& fault, const SetupFaultOutcome& outcome) {
  const std::string by = !outcome.fixedBy.empty() ? outcome.fixedBy
                         : !fault.fix.empty()     ? fault.fix
                         : fault.byUser           ? "(the user)"
                                                  : "-";
  const std::string then = !outcome.wrong.empty()     ? "WRONG"
                           : !outcome.skipped.empty() ? "not played: " + outcome.skipped
                                                      : outcome.after;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", number, fault.step, fault.name, fault.how,
                     fault.code, outcome.text, by, then);
}

}  // namespace

std::string tableOf(const std::vector<SetupFault>& faults, const std::vector<SetupFaultOutcome>& outcomes) {
  std::string text =
      "| # | step | fault | broken by | found as | the user reads | fixed by | then |\n"
      "|--:|---|---|---|---|---|---|---|\n";
  std::string wrong;
  std::size_t failed = 0, skipped = 0;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const SetupFaultOutcome& outcome = outcomes[i];
    text += rowOf(i + 1, faults[i], outcome);
    if (!outcome.skipped.empty()) ++skipped;
    if (outcome.wrong.empty()) continue;
    ++failed;
    wrong += fmt::format("{} ({}): {}\n", faults[i].name, faults[i].step, outcome.wrong);
  }
  text += fmt::format("\n{} faults, {} wrong, {} not played here\n", faults.size(), failed, skipped);
  return text + wrong;
}

}  // namespace lockstep::testing
