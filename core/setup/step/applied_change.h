// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "base/clock.h"

namespace lockstep {

/// Something that a fix has changed or created, with what is needed to take it back. Holds no secret.
struct AppliedChange {
  std::string id;       // of the journal: given by it
  std::string stepId;   // "policies"
  std::string profile;  // with which it was made
  std::string title;    // "created policy 'lockstep-training' with 7 statements"
  std::string kind;     // for its step: "policy-created"
  nlohmann::json undo;  // for its step: {"policyId": "ocid1…", "etag": "…"}
  TimePoint when{};
  bool isTakenBack = false;
};

}  // namespace lockstep
