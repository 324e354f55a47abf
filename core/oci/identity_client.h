// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oci/service_client.h"

namespace lockstep::oci {

/// The few identity and network reads that checks, pickers and node agents need (oci-rest-contract 4.1, 4.2).
/// Lists have all pages. Thread-safe.
class IdentityClient {
 public:
  explicit IdentityClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  Result<nlohmann::json> getTenancy(const std::string& tenancyId, const std::stop_token& stop);
  Result<nlohmann::json> getUser(const std::string& userId, const std::stop_token& stop);
  /// All active compartments of the tenancy, at every depth; the tenancy itself is not among them.
  Result<std::vector<nlohmann::json>> listCompartments(const std::string& tenancyId,
                                                       const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

class NetworkClient {
 public:
  explicit NetworkClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  Result<nlohmann::json> getSubnet(const std::string& subnetId, const std::stop_token& stop);
  Result<std::vector<nlohmann::json>> listSubnets(const std::string& compartmentId,
                                                  const std::stop_token& stop);
  Result<std::vector<nlohmann::json>> listVcns(const std::string& compartmentId, const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
