// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

/// Takes one page; false: enough, do not ask for the next. A failure ends the listing with it.
using TakeItems = std::function<Result<bool>(std::vector<nlohmann::json> items)>;
using TakePage = std::function<Result<bool>(nlohmann::json page)>;

/// Follows opc-next-page and hands on each answer unread. DataLoss for a service that names a page a second
/// time or never comes to an end. `call.path` may have a query, without `page`.
using TakeAnswer = std::function<Result<bool>(const HttpResponse& answer)>;
Result<void> followPages(ServiceClient& services, ServiceCall call, const TakeAnswer& take,
                         const std::stop_token& stop);

/// The pages of a list whose answers are arrays or {"items": […]} (oci-rest-contract 3.1), one after the
/// other (followPages). A page may be empty. DataLoss for an answer of another shape.
Result<void> callForPages(ServiceClient& services, ServiceCall call, const TakeItems& take,
                          const std::stop_token& stop);

/// The pages of ListObjects (oci-rest-contract 4.3): objects with a `nextStartWith`, which is sent back as
/// `start`. DataLoss when that does not go forward. `call.path` may have a query; its `start` is for the
/// first page.
Result<void> callForListing(ServiceClient& services, ServiceCall call, const TakePage& take,
                            const std::stop_token& stop);

/// `path` with one more parameter, encoded; one of that name that is there already is taken out.
[[nodiscard]] std::string withParameter(const std::string& path, const std::string& name,
                                        const std::string& value);

}  // namespace lockstep::oci
