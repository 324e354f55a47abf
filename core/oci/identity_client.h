// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "oci/service_client.h"

namespace lockstep::oci {

/// The few identity and network reads that checks and node agents need (oci-rest-contract 4.1, 4.2).
/// Thread-safe.
class IdentityClient {
 public:
  explicit IdentityClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  Result<nlohmann::json> getTenancy(const std::string& tenancyId, const std::stop_token& stop);
  Result<nlohmann::json> getUser(const std::string& userId, const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

class NetworkClient {
 public:
  explicit NetworkClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  Result<nlohmann::json> getSubnet(const std::string& subnetId, const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
