// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "base/status.h"

namespace lockstep {

enum class StepState { Unknown, Checking, Ready, Warning, Blocked, NotApplicable };
[[nodiscard]] const char* toString(StepState state);  // "ready"

/// One fact that a check found, with the evidence for it.
struct Finding {
  StepState state = StepState::Unknown;
  std::string text;      // "bucket 'lockstep' exists in namespace 'rehearsal'"
  std::string evidence;  // "GetBucket 200, opc-request-id …"
  std::string remedy;
};

struct StepReport {
  StepState state = StepState::Unknown;  // the worst of its findings
  std::vector<Finding> findings;
};

/// A report with the worst state of its findings; Unknown without any.
[[nodiscard]] StepReport reportOf(std::vector<Finding> findings);
/// {"state","findings":[{"state","text","evidence","remedy"}]}
[[nodiscard]] nlohmann::json toJson(const StepReport& report);

/// One prerequisite, checked for real and read-only. Blocks on the network.
class SetupStep {
 public:
  virtual ~SetupStep() = default;
  [[nodiscard]] virtual std::string id() const = 0;  // "auth", "bucket": as `lockstep check` names it
  virtual StepReport check(const std::stop_token& stop) = 0;
};

}  // namespace lockstep
