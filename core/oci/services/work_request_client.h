// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

struct WorkRequestResource {
  std::string entityType;  // "loggroup"
  std::string actionType;  // "CREATED" "UPDATED" "DELETED" "IN_PROGRESS" "RELATED"
  std::string identifier;  // OCID
};

/// What goes on behind an answer that only promised (oci-rest-contract 4.11).
struct ServiceWorkRequest {
  std::string id;
  std::string operationType;  // "CREATE_LOG_GROUP"
  std::string
      status;  // "ACCEPTED" "IN_PROGRESS" "SUCCEEDED" "FAILED" "CANCELED", "CANCELLING" or "CANCELING"
  double percentComplete = 0;
  std::vector<WorkRequestResource> resources;
  std::chrono::nanoseconds askAgainAfter{0};  // retry-after; 0: the service did not say

  [[nodiscard]] bool hasEnded() const;
};

/// Work requests of Logging, Data Science and Networking. Thread-safe.
class WorkRequestClient {
 public:
  explicit WorkRequestClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  Result<ServiceWorkRequest> get(Service service, const std::string& id, const std::stop_token& stop);
  /// Asks, as often as the service wants, until it has ended. FailedPrecondition when it failed or was
  /// cancelled, DeadlineExceeded after `limit`, Cancelled. Sleeps with the client's clock.
  Result<ServiceWorkRequest> wait(Service service, const std::string& id, const std::stop_token& stop,
                                  std::chrono::nanoseconds limit = std::chrono::minutes(10));

 private:
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
