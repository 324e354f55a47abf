// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

class OcirLoginStep final : public SetupStep {
 public:
  explicit OcirLoginStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "ocir-login"; }
  StepReport check(const std::stop_token&) override { return reportOf({}); }

 private:
  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makeOcirLoginStep(SetupContextPtr context) {
  return std::make_unique<OcirLoginStep>(std::move(context));
}

}  // namespace lockstep
