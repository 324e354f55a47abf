// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

class HostsStep final : public SetupStep {
 public:
  explicit HostsStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "hosts"; }
  StepReport check(const std::stop_token&) override { return reportOf({}); }

 private:
  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makeHostsStep(SetupContextPtr context) {
  return std::make_unique<HostsStep>(std::move(context));
}

}  // namespace lockstep
