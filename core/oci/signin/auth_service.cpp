// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signin/auth_service.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/json_fields.h"
#include "http/url.h"
#include "oci/calls/service_client.h"
#include "oci/calls/service_error.h"
#include "oci/signin/sign_in.h"

namespace lockstep::oci {

namespace {

// Oracle's tools have the whole URL there, path included.
std::string originOf(std::string federationEndpoint) {
  constexpr std::string_view path = "/v1/x509";
  while (federationEndpoint.ends_with('/')) federationEndpoint.pop_back();
  if (federationEndpoint.ends_with(path)) federationEndpoint.resize(federationEndpoint.size() - path.size());
  return federationEndpoint;
}

}  // namespace

std::string authUrl(const Profile& profile, const Region& region) {
  const bool isSession = profile.signIn == SignInKind::SecurityToken;  // signs in with the region itself
  if (!profile.federationEndpoint.empty() && !isSession) return originOf(profile.federationEndpoint);
  if (!profile.endpoint.empty()) return profile.endpoint;
  return serviceUrl(Service::Auth, region);
}

Result<HttpResponse> askForToken(const SigningIn& in, const HttpRequest& request,
                                 const std::string& operation) {
  const auto begun = std::chrono::steady_clock::now();
  auto answer = in.http->send(request, {});
  if (in.audit == nullptr) return answer;
  CallRecord record;
  record.at = SystemClock().now();
  record.method = request.method;
  record.service = toString(Service::Auth);
  record.operation = operation;
  if (const auto url = parseUrl(request.url)) record.host = url->hostHeader();
  record.duration = std::chrono::steady_clock::now() - begun;
  if (answer) {
    record.httpStatus = answer->status;
    record.requestId = headerValue(answer->headers, "opc-request-id");
    if (answer->status >= 400) record.errorCode = parseServiceError(*answer).code;
  } else {
    record.errorCode = toString(answer.error().code);
  }
  in.audit->record(std::move(record));
  return answer;
}

Result<std::string> tokenOf(const HttpResponse& response, const std::string& operation) {
  const ServiceAnswer where{toString(Service::Auth), operation, 0, {}, {}};
  if (response.status < 200 || response.status >= 300)
    return failure(errorOfAnswer(response, parseServiceError(response), where));
  const auto body = nlohmann::json::parse(response.body, nullptr, false);
  std::string token = stringField(body, "token");
  if (token.empty()) return failure(malformedAnswer(response, where, "it has no token"));
  return token;
}

}  // namespace lockstep::oci
