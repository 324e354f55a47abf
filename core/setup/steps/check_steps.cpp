// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/steps/check_steps.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

namespace lockstep {
namespace {

StepReport waivedReport(const std::string& reason) {
  return reportOf(
      {{StepState::Waived, "waived: " + (reason.empty() ? "no reason was given" : reason), {}, {}}});
}

// A step has no business throwing; if one does, it is that step which is broken, not the whole check.
StepReport checked(SetupStep& step, const std::stop_token& stop) {
  try {
    return step.check(stop);
  } catch (const std::exception& error) {
    return reportOf({{StepState::Blocked,
                      "the check of '" + step.id() + "' failed: " + error.what(),
                      {},
                      "this is a mistake in Lockstep: please report it with what the tenancy holds",
                      "internal"}});
  }
}

StepReport reportFor(const SetupContextPtr& context, const std::string& id, const std::stop_token& stop) {
  const auto& waived = context->choices().waived;
  if (const auto found = waived.find(id); found != waived.end()) return waivedReport(found->second);
  return checked(*makeSetupStep(id, context), stop);
}

}  // namespace

// One thread a step: they wait for the network, so there are more of them than cores.
void checkSteps(const SetupContextPtr& context, const std::vector<std::string>& stepIds,
                const ReportHandler& report, const std::stop_token& stop) {
  std::mutex mutex;
  std::set<std::string> known;
  for (const std::string& id : stepIds) {
    const auto& names = setupStepNames();
    if (std::find(names.begin(), names.end(), id) != names.end()) known.insert(id);
  }
  std::vector<std::jthread> threads;
  for (const std::string& id : known) {
    threads.emplace_back([&, id] {
      const StepReport result = reportFor(context, id, stop);
      const std::scoped_lock lock(mutex);
      report(id, result);
    });
  }
}

}  // namespace lockstep
