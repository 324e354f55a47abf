// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oci/service_client.h"

namespace lockstep::oci {

/// Log groups and logs (oci-rest-contract 4.6). Lists have all pages, of which single ones may be empty.
/// Thread-safe.
class LoggingClient {
 public:
  explicit LoggingClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  Result<std::vector<nlohmann::json>> listLogGroups(const std::string& compartmentId,
                                                    const std::stop_token& stop);
  Result<std::vector<nlohmann::json>> listLogs(const std::string& logGroupId, const std::stop_token& stop);

 private:
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
