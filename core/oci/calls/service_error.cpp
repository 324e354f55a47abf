// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/service_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/encoding.h"

namespace lockstep::oci {
namespace {

constexpr std::size_t kMaxMessageBytes = 4096;

std::string textField(const nlohmann::json& body, const char* name) {
  const auto it = body.find(name);
  if (it == body.end() || !it->is_string()) return {};
  return toValidUtf8(std::string_view(it->get_ref<const std::string&>()).substr(0, kMaxMessageBytes));
}

StatusCode codeOf(int status, const std::string& errorCode) {
  if (status == 400) {
    const bool quota = errorCode == "LimitExceeded" || errorCode == "QuotaExceeded";
    return quota ? StatusCode::ResourceExhausted : StatusCode::InvalidArgument;
  }
  if (status == 409) {
    const bool exists =
        errorCode == "BucketAlreadyExists" || errorCode == "NotAuthorizedOrResourceAlreadyExists";
    return exists ? StatusCode::AlreadyExists : StatusCode::FailedPrecondition;
  }
  switch (status) {
    case 401:
      return StatusCode::Unauthenticated;
    case 403:
      return StatusCode::PermissionDenied;
    case 404:
      return StatusCode::NotFound;
    case 408:
      return StatusCode::DeadlineExceeded;
    case 412:
      return StatusCode::FailedPrecondition;
    case 429:
      return StatusCode::ResourceExhausted;
    case 501:
      return StatusCode::FailedPrecondition;
    default:
      break;
  }
  // A redirect or another odd answer comes from something that is not the service.
  return status >= 400 && status < 500 ? StatusCode::InvalidArgument : StatusCode::Unavailable;
}

std::string remedyOf(int status, const std::string& code) {
  if (code == "LimitExceeded" || code == "QuotaExceeded") {
    return "ask for fewer or other shapes, end other runs, or request a limit increase in the OCI console";
  }
  if (code == "InvalidatedRetryToken") return "start the operation anew";
  switch (status) {
    case 401:
      return "check user, tenancy, fingerprint and key_file of the profile, that the API key is uploaded for "
             "that user, "
             "and the clock of this machine";
    case 403:
      return "ask for a policy that allows it, and check that the region is right";
    case 404:
      return "check the OCID, the compartment and the region; OCI answers the same when a policy that lets "
             "you see it is missing";
    case 409:
      return "wait until the resource has reached a steady state, then try again";
    case 412:
      return "read it again and repeat the change";
    case 413:
      return "send less at once";
    case 429:
      return "the tenancy is being throttled: wait a little and try again";
    default:
      break;
  }
  if (status >= 500 && status != 501)
    return "try again in some minutes; if it stays, give Oracle support the request id";
  if (status < 400) return "check the endpoint or the region of the profile and the proxy settings";
  return {};
}

}  // namespace

ServiceError parseServiceError(const HttpResponse& response) {
  const auto body = nlohmann::json::parse(response.body, nullptr, false);
  if (body.is_object()) {
    ServiceError error{textField(body, "code"), textField(body, "message")};
    if (!error.code.empty() || !error.message.empty()) return error;
  }
  if (response.body.empty()) return {{}, fmt::format("HTTP {} with an empty body", response.status)};
  const std::string type = headerValue(response.headers, "content-type");
  return {{},
          fmt::format(
              "HTTP {} with a body that is no OCI error ({}, {} bytes): a gateway or proxy may have answered",
              response.status, type.empty() ? "no content type" : type, response.body.size())};
}

Status statusOfRefusal(const HttpResponse& response, const ServiceError& error, ServiceAnswer answer) {
  answer.httpStatus = response.status;
  answer.errorCode = error.code;
  if (auto id = headerValue(response.headers, "opc-request-id"); !id.empty())
    answer.requestId = std::move(id);
  Status status;
  status.code = codeOf(response.status, error.code);
  status.what = fmt::format("{} refused {}", answer.service, answer.operation);
  status.cause = error.message.empty() ? error.code : error.message;
  status.remedy = remedyOf(response.status, error.code);
  status.service = std::move(answer);
  return status;
}

Status malformedAnswer(const HttpResponse& response, ServiceAnswer answer, const std::string& cause) {
  answer.httpStatus = response.status;
  answer.requestId = headerValue(response.headers, "opc-request-id");
  Status status;
  status.code = StatusCode::DataLoss;
  status.what = fmt::format("the answer of {} to {} cannot be read", answer.service, answer.operation);
  status.cause = cause;
  status.remedy = "check the endpoint of the profile and the proxy settings";
  status.service = std::move(answer);
  return status;
}

}  // namespace lockstep::oci
