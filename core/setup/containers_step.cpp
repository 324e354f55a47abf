// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

class ContainersStep final : public SetupStep {
 public:
  explicit ContainersStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "containers"; }
  StepReport check(const std::stop_token&) override { return reportOf({}); }

 private:
  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makeContainersStep(SetupContextPtr context) {
  return std::make_unique<ContainersStep>(std::move(context));
}

}  // namespace lockstep
