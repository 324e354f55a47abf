// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

struct LogGroup {
  std::string id, compartmentId, displayName, description, lifecycleState;
};

struct ServiceLog {
  std::string id, logGroupId, displayName, lifecycleState;
  std::string logType;  // "CUSTOM" "SERVICE"; job runs write to custom logs
  bool isEnabled = true;
  int retentionDays = 0;  // 0: not said
};

/// Log groups and logs (oci-rest-contract 4.6). Lists have all pages, of which single ones may be empty.
/// Creating and deleting wait for the service's work request. A thing just created may be unknown to a get
/// for some seconds. Thread-safe.
class LoggingClient {
 public:
  explicit LoggingClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  Result<std::vector<LogGroup>> listLogGroups(const std::string& compartmentId, const std::stop_token& stop,
                                              const std::string& displayName = {});
  Result<LogGroup> getLogGroup(const std::string& logGroupId, const std::stop_token& stop);
  struct NewLogGroup {
    std::string compartmentId, displayName, description;  // a name without blanks
  };
  /// The OCID.
  Result<std::string> createLogGroup(const NewLogGroup& group, const std::string& retryToken,
                                     const std::stop_token& stop);
  Result<void> deleteLogGroup(const std::string& logGroupId, const std::stop_token& stop);

  Result<std::vector<ServiceLog>> listLogs(const std::string& logGroupId, const std::stop_token& stop,
                                           const std::string& displayName = {});
  Result<ServiceLog> getLog(const std::string& logGroupId, const std::string& logId,
                            const std::stop_token& stop);
  struct NewLog {
    std::string logGroupId, displayName;  // a name without blanks
    int retentionDays = 0;                // 30 to 180 in steps of 30; 0: the service's default
  };
  /// A custom log; the OCID.
  Result<std::string> createLog(const NewLog& log, const std::string& retryToken,
                                const std::stop_token& stop);
  Result<void> deleteLog(const std::string& logGroupId, const std::string& logId,
                         const std::stop_token& stop);

 private:
  Result<std::optional<std::string>> create(const ServiceCall& call, const char* ocidType,
                                            const std::stop_token& stop);
  Result<void> remove(const char* operation, const std::string& path, const std::stop_token& stop);
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
