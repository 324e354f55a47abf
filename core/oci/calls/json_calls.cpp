// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/json_calls.h"

#include <algorithm>
#include <iterator>

#include "oci/calls/pages.h"
#include "oci/calls/service_error.h"

namespace lockstep::oci {
namespace {

ServiceAnswer answerOf(const ServiceCall& call) {
  return {toString(call.service), call.operation, 0, {}, {}};
}

Result<nlohmann::json> parseBody(const HttpResponse& response, const ServiceCall& call) {
  nlohmann::json body = nlohmann::json::parse(response.body, nullptr, false);
  if (body.is_discarded()) return failure(malformedAnswer(response, answerOf(call), "its body is not JSON"));
  return body;
}

}  // namespace

Result<nlohmann::json> callForJson(ServiceClient& services, const ServiceCall& asked,
                                   const std::stop_token& stop) {
  ServiceCall call = asked;
  call.acceptCompressed = true;
  const auto response = services.call(call, stop);
  if (!response) return failure(response.error());
  return parseBody(*response, call);
}

Result<nlohmann::json> callForObject(ServiceClient& services, const ServiceCall& call,
                                     const std::stop_token& stop) {
  const auto response = services.call(call, stop);
  if (!response) return failure(response.error());
  auto body = parseBody(*response, call);
  if (body && !body->is_object())
    return failure(malformedAnswer(*response, answerOf(call), "its body is no object"));
  return body;
}

Result<void> callForNothing(ServiceClient& services, const ServiceCall& call, const std::stop_token& stop) {
  const auto response = services.call(call, stop);
  if (!response) return failure(response.error());
  return {};
}

Result<std::vector<nlohmann::json>> callForList(ServiceClient& services, ServiceCall call,
                                                const std::stop_token& stop) {
  std::vector<nlohmann::json> all;
  const auto take = [&](std::vector<nlohmann::json> items) -> Result<bool> {
    std::move(items.begin(), items.end(), std::back_inserter(all));
    return true;
  };
  if (auto done = callForPages(services, std::move(call), take, stop); !done) return failure(done.error());
  return all;
}

}  // namespace lockstep::oci
