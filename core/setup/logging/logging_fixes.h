// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>

#include "oci/services/identity_types.h"
#include "oci/services/logging_client.h"
#include "setup/step/setup_step.h"

namespace lockstep {

inline constexpr const char* kLogGroupCreated = "log-group-created";
inline constexpr const char* kLogCreated = "log-created";
inline constexpr const char* kLogEnabled = "log-enabled";

/// What is to be made: a group when `groupId` is empty, and a custom log in it.
struct LogToCreate {
  oci::Compartment compartment;
  std::string groupId, groupName, logName;
};

/// "create-log": both, or the log alone. Waits until the service knows what it has made.
[[nodiscard]] ProposedFix createLogFix(const std::shared_ptr<oci::ServiceClient>& services,
                                       const LogToCreate& place);
/// "enable-log"
[[nodiscard]] ProposedFix enableLogFix(const std::shared_ptr<oci::ServiceClient>& services,
                                       const oci::ServiceLog& log);
Result<void> takeBackLogChange(const std::shared_ptr<oci::ServiceClient>& services,
                               const AppliedChange& change, const std::stop_token& stop);

}  // namespace lockstep
