// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/run_step.h"

#include <nlohmann/json.hpp>

#include "base/outside_json.h"

namespace lockstep::node {
namespace {

constexpr std::size_t kMaxBytes = 4096;
constexpr Step kMaxStep = Step{1} << 53;

}  // namespace

bool RunStep::isDue() {
  const auto now = std::chrono::steady_clock::now();
  if (last_ != decltype(last_){} && now - last_ < interval_) return false;
  last_ = now;
  return true;
}

void RunStep::tell(Step step, const std::stop_token& stop) {
  if (told_ == step || !isDue()) return;
  if (store_->put(name_, nlohmann::json{{"step", step}}.dump(), stop)) told_ = step;
}

std::optional<Step> RunStep::read(const std::stop_token& stop) {
  if (!isDue()) return read_;
  const auto text = store_->get(name_, stop);
  const auto json = text ? parseOutsideJson(*text, kMaxBytes, "the step of the run")
                         : Result<nlohmann::json>(failure(text.error()));
  if (!json) return read_;
  if (const auto step = outsideNumber(*json, "step", 0, kMaxStep)) read_ = step;
  return read_;
}

}  // namespace lockstep::node
