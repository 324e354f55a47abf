// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/versioned.h"

#include <fmt/format.h>

#include "oci/calls/service_error.h"

namespace lockstep::oci {
namespace {

tl::unexpected<Error> malformed(const HttpResponse& response, const ServiceCall& call,
                                const std::string& cause) {
  return failure(malformedAnswer(response, {toString(call.service), call.operation, 0, {}, {}}, cause));
}

bool wasTooLate(const Error& error) {
  return error.service && error.service->httpStatus == 412;
}

// What the update answered, which need not be the resource.
Result<Versioned> afterWrite(ServiceClient& services, const HttpResponse& response, const ServiceCall& get,
                             const std::stop_token& stop) {
  Versioned now{nlohmann::json::parse(response.body, nullptr, false), headerValue(response.headers, "etag")};
  if (now.body.is_object() && !now.etag.empty()) return now;
  return callForVersioned(services, get, stop);
}

}  // namespace

Result<Versioned> callForVersioned(ServiceClient& services, const ServiceCall& get,
                                   const std::stop_token& stop) {
  const auto response = services.call(get, stop);
  if (!response) return failure(response.error());
  Versioned now{nlohmann::json::parse(response->body, nullptr, false),
                headerValue(response->headers, "etag")};
  if (!now.body.is_object()) return malformed(*response, get, "its body is no object");
  if (now.etag.empty()) return malformed(*response, get, "it has no etag");
  return now;
}

Result<Versioned> readModifyWrite(ServiceClient& services, const ServiceCall& get, const ServiceCall& put,
                                  const Merge& merge, const std::stop_token& stop, int maxTries) {
  std::optional<Error> last;
  for (int i = 0; i < maxTries; ++i) {
    auto current = callForVersioned(services, get, stop);
    if (!current) return current;
    auto merged = merge(current->body);
    if (!merged) return failure(merged.error());
    if (!*merged) return current;
    ServiceCall write = put;
    write.body = (*merged)->dump();
    setHeader(write.headers, "if-match", current->etag);
    write.idempotent = true;  // done twice, the second is refused
    const auto response = services.call(write, stop);
    if (response) return afterWrite(services, *response, get, stop);
    if (!wasTooLate(response.error())) return failure(response.error());
    last = response.error();
  }
  if (!last) return failure(ErrorCode::InvalidArgument, fmt::format("{} was not tried", put.operation));
  last->cause += fmt::format("; others changed it {} times in a row", maxTries);
  return failure(*std::move(last));
}

}  // namespace lockstep::oci
