// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

class LimitsStep final : public SetupStep {
 public:
  explicit LimitsStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "limits"; }
  StepReport check(const std::stop_token&) override { return reportOf({}); }

 private:
  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makeLimitsStep(SetupContextPtr context) {
  return std::make_unique<LimitsStep>(std::move(context));
}

}  // namespace lockstep
