// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

class NetworkStep final : public SetupStep {
 public:
  explicit NetworkStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "network"; }
  StepReport check(const std::stop_token&) override { return reportOf({}); }

 private:
  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makeNetworkStep(SetupContextPtr context) {
  return std::make_unique<NetworkStep>(std::move(context));
}

}  // namespace lockstep
