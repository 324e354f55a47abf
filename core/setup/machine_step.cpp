// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

class MachineStep final : public SetupStep {
 public:
  explicit MachineStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "machine"; }
  StepReport check(const std::stop_token&) override { return reportOf({}); }

 private:
  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makeMachineStep(SetupContextPtr context) {
  return std::make_unique<MachineStep>(std::move(context));
}

}  // namespace lockstep
