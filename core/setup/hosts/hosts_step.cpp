// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own machines, over the system's ssh.
#include "setup/hosts/hosts_step.h"

#include "setup/ssh/ssh_host_check.h"
#include "setup/ssh/ssh_host_keys.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

class HostsStep final : public SetupStep {
 public:
  explicit HostsStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "hosts"; }
  StepReport check(const std::stop_token& stop) override {
    const std::string& file = context_->choices().hostsFile;
    if (file.empty())
      return reportOf({{StepState::NotApplicable,
                        "no hosts file is chosen: nothing is run on machines of your own",
                        {},
                        "choose one, with one user@host[:port] [slots=N] a line"}});
    const auto hosts = readHostsFile(file);
    if (!hosts) {
      Finding finding = blockedFinding(hosts.error());
      finding.code = "hosts-file";
      return reportOf({finding});
    }
    return checkHosts(*hosts, meetingPortOf(context_->spec()), context_->run(), stop);
  }
  Result<void> takeBack(const AppliedChange& change, const std::stop_token&) override {
    return forgetKeys(change);
  }

 private:
  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makeHostsStep(SetupContextPtr context) {
  return std::make_unique<HostsStep>(std::move(context));
}

}  // namespace lockstep
