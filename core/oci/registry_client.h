// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oci/service_client.h"

namespace lockstep::oci {

/// The container registry as Artifacts lists it (oci-rest-contract 4.4). Lists have all pages. Thread-safe.
class RegistryClient {
 public:
  explicit RegistryClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  Result<std::vector<nlohmann::json>> listRepositories(const std::string& compartmentId,
                                                       const std::stop_token& stop);
  /// Newest first; `version` is the tag and absent for an image without one.
  Result<std::vector<nlohmann::json>> listImages(const std::string& compartmentId,
                                                 const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
