// SPDX-License-Identifier: GPL-3.0-or-later
// What usually makes all the other steps fail: clock, proxy, names, TLS, disk and limits of this machine.
#include "setup/machine/machine_step.h"

#include <fmt/format.h>

#include "base/user_dirs.h"
#include "setup/machine/machine_local.h"
#include "setup/machine/machine_network.h"
#include "setup/machine/machine_proxy.h"

namespace lockstep {
namespace {

class MachineStep final : public SetupStep {
 public:
  explicit MachineStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "machine"; }
  StepReport check(const std::stop_token& stop) override;

 private:
  void checkNetwork(const ServiceTarget& place, const std::stop_token& stop);
  void add(std::vector<Finding> findings) {
    for (Finding& finding : findings) findings_.push_back(std::move(finding));
  }

  SetupContextPtr context_;
  std::vector<Finding> findings_;
  std::vector<ReportTable> tables_;
};

Finding nowhere() {
  return {StepState::Warning,
          "no region is known yet, so neither names, TLS nor the clock could be checked",
          {},
          "complete the profile (step auth)",
          "no-region"};
}

void MachineStep::checkNetwork(const ServiceTarget& place, const std::stop_token& stop) {
  const bool throughProxy = usesProxy(context_->environment(), place);
  if (!place.hosts.empty()) {
    const auto answers = lookUp(place.hosts, context_->run(), stop);
    findings_.push_back(namesFinding(place, answers, throughProxy));
    tables_.push_back(namesTable(answers));
    // To ask for what has no address could only say the same again, later.
    if (findings_.back().state == StepState::Blocked && findings_.back().code != "dns-unresolved") return;
  }
  add(serviceFindings(place, stop));
}

StepReport MachineStep::check(const std::stop_token& stop) {
  findings_.clear();
  tables_.clear();
  const auto data = userDataDir();
  findings_.push_back(diskFinding(data, freeSpaceAt(data)));
  add(limitFindings());
  const auto place = placeOf(*context_);
  add(proxyFindings(context_->environment(), place));
  if (place) {
    checkNetwork(*place, stop);
  } else {
    findings_.push_back(nowhere());
  }
  StepReport report = reportOf(std::move(findings_));
  report.tables = std::move(tables_);
  return report;
}

}  // namespace

std::unique_ptr<SetupStep> makeMachineStep(SetupContextPtr context) {
  return std::make_unique<MachineStep>(std::move(context));
}

}  // namespace lockstep
