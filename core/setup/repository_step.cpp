// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

class RepositoryStep final : public SetupStep {
 public:
  explicit RepositoryStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "repository"; }
  StepReport check(const std::stop_token&) override { return reportOf({}); }

 private:
  SetupContextPtr context_;
};

}  // namespace

std::unique_ptr<SetupStep> makeRepositoryStep(SetupContextPtr context) {
  return std::make_unique<RepositoryStep>(std::move(context));
}

}  // namespace lockstep
