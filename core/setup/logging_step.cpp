// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

class LoggingStep final : public SetupStep {
 public:
  explicit LoggingStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "logging"; }
  StepReport check(const std::stop_token&) override { return reportOf({}); }

 private:
  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makeLoggingStep(SetupContextPtr context) {
  return std::make_unique<LoggingStep>(std::move(context));
}

}  // namespace lockstep
