// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

class PoliciesStep final : public SetupStep {
 public:
  explicit PoliciesStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "policies"; }
  StepReport check(const std::stop_token&) override { return reportOf({}); }

 private:
  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makePoliciesStep(SetupContextPtr context) {
  return std::make_unique<PoliciesStep>(std::move(context));
}

}  // namespace lockstep
