// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

/// The answer's body as JSON; DataLoss when it is none.
Result<nlohmann::json> callForJson(ServiceClient& services, const ServiceCall& call,
                                   const std::stop_token& stop);
/// The same, and DataLoss unless it is an object.
Result<nlohmann::json> callForObject(ServiceClient& services, const ServiceCall& call,
                                     const std::stop_token& stop);
Result<void> callForNothing(ServiceClient& services, const ServiceCall& call, const std::stop_token& stop);

/// All pages of a list, in one (callForPages of pages.h).
Result<std::vector<nlohmann::json>> callForList(ServiceClient& services, ServiceCall call,
                                                const std::stop_token& stop);

}  // namespace lockstep::oci
