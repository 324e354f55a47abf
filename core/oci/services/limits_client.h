// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

struct LimitedService {
  std::string name, description;  // "data-science"
};

struct LimitDefinition {
  std::string name, serviceName, description;  // "ds-gpu-a10-count"
  std::string scopeType;                       // "GLOBAL" "REGION" "AD"
  bool isResourceAvailabilitySupported = true;
  bool isDeprecated = false;
  bool areQuotasSupported = false;
};

struct LimitValue {
  std::string name, scopeType;
  std::string availabilityDomain;  // of the scope AD
  std::int64_t value = 0;
};

/// What of a limit is in use. A number that the service does not give is absent.
struct ResourceAvailability {
  std::optional<std::int64_t> used, available;
  std::optional<double> fractionalUsage, fractionalAvailability, effectiveQuotaValue;
};

/// Service limits (oci-rest-contract 4.10). Lists have all pages. Thread-safe.
class LimitsClient {
 public:
  explicit LimitsClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  Result<std::vector<LimitedService>> listServices(const std::string& tenancyId, const std::stop_token& stop);
  Result<std::vector<LimitDefinition>> listLimitDefinitions(const std::string& tenancyId,
                                                            const std::string& serviceName,
                                                            const std::stop_token& stop);
  Result<std::vector<LimitValue>> listLimitValues(const std::string& tenancyId,
                                                  const std::string& serviceName,
                                                  const std::stop_token& stop);
  /// `availabilityDomain` exactly when the limit's scope is AD. NotFound, or all absent, for a limit that
  /// does not support it.
  Result<ResourceAvailability> getResourceAvailability(const std::string& compartmentId,
                                                       const std::string& serviceName,
                                                       const std::string& limitName,
                                                       const std::string& availabilityDomain,
                                                       const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
