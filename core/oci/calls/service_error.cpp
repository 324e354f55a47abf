// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/service_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/text/encoding.h"

namespace lockstep::oci {
namespace {

constexpr std::size_t kMaxMessageBytes = 4096;

std::string shortField(const nlohmann::json& body, const char* name) {
  const std::string text = stringField(body, name);
  return toValidUtf8(std::string_view(text).substr(0, kMaxMessageBytes));
}

ErrorCode codeOf(int status, const std::string& errorCode) {
  if (status == 400) {
    const bool quota = errorCode == "LimitExceeded" || errorCode == "QuotaExceeded";
    return quota ? ErrorCode::ResourceExhausted : ErrorCode::InvalidArgument;
  }
  if (status == 409) {
    const bool exists =
        errorCode == "BucketAlreadyExists" || errorCode == "NotAuthorizedOrResourceAlreadyExists";
    return exists ? ErrorCode::AlreadyExists : ErrorCode::FailedPrecondition;
  }
  switch (status) {
    case 401:
      return ErrorCode::Unauthenticated;
    case 403:
      return ErrorCode::PermissionDenied;
    case 404:
      return ErrorCode::NotFound;
    case 408:
      return ErrorCode::DeadlineExceeded;
    case 412:
      return ErrorCode::FailedPrecondition;
    case 429:
      return ErrorCode::ResourceExhausted;
    case 501:
      return ErrorCode::FailedPrecondition;
    default:
      break;
  }
  // A redirect or another odd answer comes from something that is not the service.
  return status >= 400 && status < 500 ? ErrorCode::InvalidArgument : ErrorCode::Unavailable;
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
    ServiceError error{shortField(body, "code"), shortField(body, "message")};
    if (!error.code.empty() || !error.message.empty()) return error;
  }
  if (response.body.empty()) return {{}, fmt::format("HTTP {} with an empty body", response.status)};
  const std::string type = headerValue(response.headers, "content-type");
  return {{},
          fmt::format(
              "HTTP {} with a body that is no OCI error ({}, {} bytes): a gateway or proxy may have answered",
              response.status, type.empty() ? "no content type" : type, response.body.size())};
}

Error errorOfAnswer(const HttpResponse& response, const ServiceError& error, ServiceAnswer answer) {
  answer.httpStatus = response.status;
  answer.errorCode = error.code;
  if (auto id = headerValue(response.headers, "opc-request-id"); !id.empty())
    answer.requestId = std::move(id);
  Error status;
  status.code = codeOf(response.status, error.code);
  status.what = fmt::format("{} refused {}", answer.service, answer.operation);
  status.cause = error.message.empty() ? error.code : error.message;
  status.remedy = remedyOf(response.status, error.code);
  status.service = std::move(answer);
  return status;
}

Error malformedAnswer(const HttpResponse& response, ServiceAnswer answer, const std::string& cause) {
  answer.httpStatus = response.status;
  answer.requestId = headerValue(response.headers, "opc-request-id");
  Error error;
  error.code = ErrorCode::DataLoss;
  error.what = fmt::format("the answer of {} to {} cannot be read", answer.service, answer.operation);
  error.cause = cause;
  error.remedy = "check the endpoint of the profile and the proxy settings";
  error.service = std::move(answer);
  return error;
}

}  // namespace lockstep::oci
