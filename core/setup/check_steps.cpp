// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/check_steps.h"

#include <mutex>
#include <thread>

namespace lockstep {
namespace {

StepReport waivedReport(const std::string& reason) {
  return reportOf({{StepState::Waived, "waived: " + reason, {}, {}}});
}

StepReport reportFor(const SetupContextPtr& context, const std::string& id, const std::stop_token& stop) {
  const auto& waived = context->choices().waived;
  if (const auto found = waived.find(id); found != waived.end()) return waivedReport(found->second);
  const auto step = makeSetupStep(id, context);
  return step ? step->check(stop) : StepReport();
}

}  // namespace

// One thread a step: they wait for the network, so there are more of them than cores.
void checkSteps(const SetupContextPtr& context, const std::vector<std::string>& stepIds,
                const ReportHandler& report, const std::stop_token& stop) {
  std::mutex mutex;
  std::vector<std::jthread> threads;
  for (const std::string& id : stepIds) {
    threads.emplace_back([&, id] {
      const StepReport result = reportFor(context, id, stop);
      const std::scoped_lock lock(mutex);
      report(id, result);
    });
  }
}

}  // namespace lockstep
