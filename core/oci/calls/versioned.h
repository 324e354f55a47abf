// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

/// A resource as it was at one moment, and the etag of that moment.
struct Versioned {
  nlohmann::json body;
  std::string etag;
};

/// GET of one resource. DataLoss when its answer is no object or has no etag.
Result<Versioned> callForVersioned(ServiceClient& services, const ServiceCall& get,
                                   const std::stop_token& stop);

/// Makes the body of the update out of the resource as it is now; nothing: it is as it should be already. Is
/// called again for each new version of the resource, so it must decide from what it is given alone.
using Merge = std::function<Result<std::optional<nlohmann::json>>(const nlohmann::json& current)>;

/// Read, merge, write with if-match; when somebody else was faster (412), once more from the beginning, up to
/// `maxTries` times (then FailedPrecondition). What others wrote meanwhile is never lost. A write whose
/// answer was lost is found out the same way: the next version has it already. The resource as it is in the
/// end.
Result<Versioned> readModifyWrite(ServiceClient& services, const ServiceCall& get, const ServiceCall& put,
                                  const Merge& merge, const std::stop_token& stop, int maxTries = 5);

}  // namespace lockstep::oci
