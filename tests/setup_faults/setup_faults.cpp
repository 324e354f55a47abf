// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "setup/setup_facts.h"
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

SetupFaultOutcome mended(const SetupFault& fault, SetupWorld& world, SetupFaultOutcome outcome) {
  const StepReport after = checkAgain(world, fault.step);
  outcome.after = toString(after.state);
  if (after.state != fault.after || findingWith(after, fault.code) != nullptr)
    outcome.wrong = "not mended: " + summaryOf(after);
  return outcome;
}

SetupFaultOutcome played(const SetupFault& fault, SetupWorld& world) {
  fault.seed(world);
  SetupFaultOutcome outcome{{}, "-", {}};
  const StepReport report = makeSetupStep(fault.step, world.context())->check({});
  const Finding* finding = findingWith(report, fault.code);
  if (finding == nullptr || finding->state == StepState::Ready) {
    outcome.wrong = "not found: " + summaryOf(report);
    return outcome;
  }
  outcome.text = finding->text + (finding->cause.empty() ? "" : ": " + finding->cause);
  if (finding->text.empty() || finding->remedy.empty()) outcome.wrong = "no text or no way out";
  if (fault.fix.empty()) {
    if (!fault.byUser) return outcome;
    fault.byUser(world);
    return mended(fault, world, std::move(outcome));
  }
  const auto fix = std::find_if(report.fixes.begin(), report.fixes.end(),
                                [&](const ProposedFix& one) { return one.id == fault.fix; });
  if (fix == report.fixes.end()) {
    outcome.wrong = "no fix '" + fault.fix + "'";
    return outcome;
  }
  const auto changes = fix->apply({});
  if (!changes) {
    outcome.wrong = "the fix failed: " + describe(changes.error());
    return outcome;
  }
  if (fault.asUser) fault.asUser(world);
  return mended(fault, world, std::move(outcome));
}

}  // namespace

const std::vector<SetupFault>& setupFaults() {
  static const std::vector<SetupFault> kAll = [] {
    std::vector<SetupFault> all;
    for (const auto add : {addMachineFaults, addProfileFaults, addEngineFaults, addProjectFaults,
                           addNetworkFaults, addBucketFaults, addPolicyFaults, addRepositoryFaults,
                           addLoggingFaults, addLimitsFaults, addHostFaults})
      add(all);
    return all;
  }();
  return kAll;
}

SetupFaultOutcome play(const SetupFault& fault) {
  try {
    SetupWorld world(fault.world);
    return played(fault, world);
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

std::string tableOf(const std::vector<SetupFault>& faults, const std::vector<SetupFaultOutcome>& outcomes) {
  std::string text =
      "| # | step | fault | broken by | found as | the user reads | mended by | then |\n"
      "|--:|---|---|---|---|---|---|---|\n";
  std::string wrong;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const SetupFault& fault = faults[i];
    const SetupFaultOutcome& outcome = outcomes[i];
    const std::string by = !fault.fix.empty() ? fault.fix : fault.byUser ? "(the user)" : "-";
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", i + 1, fault.step, fault.name, fault.how,
                    fault.code, outcome.text, by, outcome.wrong.empty() ? outcome.after : "WRONG");
    if (!outcome.wrong.empty()) wrong += fmt::format("{} ({}): {}\n", fault.name, fault.step, outcome.wrong);
  }
  const auto failed = std::count_if(outcomes.begin(), outcomes.end(),
                                    [](const SetupFaultOutcome& one) { return !one.wrong.empty(); });
  text += fmt::format("\n{} faults, {} wrong\n", faults.size(), failed);
  return text + wrong;
}

}  // namespace lockstep::testing
