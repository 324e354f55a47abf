// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/faults/fault_interference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/atomic_file.h"

namespace lockstep::rehearsal {
namespace {

/// Operations that need room on the disk of the service.
constexpr std::array<const char*, 6> kUploads{
    "PutObject",         "UploadPart",          "CommitMultipartUpload",
    "CreateJobArtifact", "CreateModelArtifact", "PutLogs"};
constexpr std::uint64_t kUsualExtraLength = 64;  // of an answer with a wrong length

Response errorResponse(int status, const char* code, const std::string& message) {
  Response response = jsonResponse({{"code", code}, {"message", message}});
  response.status = status;
  return response;
}

// Seconds, perhaps with a fraction (oci-rest-contract 3.1).
void addRetryAfter(Response& response, const Fault& fault) {
  if (fault.retryAfter) response.headers.emplace_back("retry-after", fmt::format("{}", *fault.retryAfter));
}

Response throttled(const Fault& fault) {
  Response response = errorResponse(429, "TooManyRequests", "User-rate limit exceeded.");
  addRetryAfter(response, fault);
  return response;
}

Response broken(const Fault& fault) {
  const int status = fault.status == 0 ? 500 : fault.status;
  Response response;
  if (status == 500) {
    response = errorResponse(500, "InternalServerError", "Internal server error occurred.");
  } else if (status == 503) {
    response = errorResponse(503, "ServiceUnavailable", "The service is currently unavailable.");
  } else {  // the gateway in front speaks HTML
    response.status = status;
    response.contentType = "text/html";
    const char* const words = status == 502 ? "502 Bad Gateway" : "504 Gateway Time-out";
    response.body = fmt::format(
        "<html>\r\n<head><title>{0}</title></head>\r\n<body>\r\n<center><h1>{0}</h1></center>\r\n</body>\r\n"
        "</html>\r\n",
        words);
  }
  addRetryAfter(response, fault);
  return response;
}

Response silence() {
  Response response;
  response.delivery.lost = true;
  return response;
}

bool isBeforeTheAnswer(const Fault& fault) {
  return fault.bytes == 0;
}
bool isInTheAnswer(const Fault& fault) {
  return fault.bytes > 0;
}

// Empty: the request is signed with an API key.
std::string tokenOf(const Call& call) {
  constexpr std::string_view mark = "keyId=\"ST$";
  const std::string text = call.header("authorization").value_or("");
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + mark.size();
  return text.substr(begin, text.find('"', begin) - begin);
}

std::uint64_t sizeOf(const Response& response) {
  return response.source ? response.source->length : response.body.size();
}

nlohmann::json stateOf(const Faults& faults) {
  nlohmann::json state = faults.plan().toJson();
  state["strikes"] = faults.strikes();
  return state;
}

OperationResult putPlan(const Call& call, Faults& faults) {
  auto plan = FaultPlan::parse(nlohmann::json::parse(call.request.body, nullptr, false));
  if (!plan) return invalidParameter(describe(plan.error()));
  faults.set(*std::move(plan));
  return jsonResponse(stateOf(faults));
}

}  // namespace

std::optional<Response> FaultInterference::instead(const Call& call) {
  const std::string& operation = call.operation;
  const std::string token = tokenOf(call);
  if (!token.empty() && faults_.endsToken(token, operation))
    return errorResponse(
        401, "NotAuthenticated",
        "The required information to complete authentication was not provided or was incorrect.");
  if (faults_.strike(FaultKind::Reset, operation, isBeforeTheAnswer)) return silence();
  if (const auto fault = faults_.strike(FaultKind::TooManyRequests, operation)) return throttled(*fault);
  if (const auto fault = faults_.strike(FaultKind::ServerError, operation)) return broken(*fault);
  if (operation == "CreateJobRun" && faults_.strike(FaultKind::QuotaExceeded, operation))
    return errorResponse(400, "QuotaExceeded",
                         "The following service quotas were exceeded: job run count. Request a service limit "
                         "increase or delete unused resources.");
  const bool uploads = std::find(kUploads.begin(), kUploads.end(), operation) != kUploads.end();
  if (uploads && faults_.strike(FaultKind::DiskFull, operation))
    return errorResponse(500, "InternalServerError", "Internal server error occurred.");
  return std::nullopt;
}

Visibility FaultInterference::visibility(const std::string& operation) const {
  Visibility seen;
  if (const auto fault = faults_.active(FaultKind::EventualListing, operation);
      fault && operation.starts_with("List"))
    seen.late = fault->delay.count();
  if (operation != "SearchLogs") return seen;
  if (const auto fault = faults_.active(FaultKind::LateLogs, operation)) seen.late = fault->delay.count();
  if (const auto fault = faults_.active(FaultKind::ReorderedLogs, operation)) {
    seen.drawnWithin = fault->delay.count();
    seen.seed = faults_.plan().seed;
  }
  return seen;
}

void FaultInterference::deliver(const std::string& operation, Response& response) {
  if (response.delivery.lost) return;
  Delivery& delivery = response.delivery;
  if (const auto fault = faults_.strike(FaultKind::Latency, operation)) delivery.delay = fault->delay;
  if (faults_.strike(FaultKind::LostAnswer, operation)) delivery.lost = true;
  if (const auto fault = faults_.strike(FaultKind::Reset, operation, isInTheAnswer))
    delivery.cutAfter = std::min(fault->bytes, sizeOf(response));
  if (const auto fault = faults_.strike(FaultKind::SlowBody, operation))
    delivery.bytesPerSecond = fault->bytesPerSecond;
  if (const auto fault = faults_.strike(FaultKind::WrongLength, operation))
    delivery.extraLength = fault->bytes == 0 ? kUsualExtraLength : fault->bytes;
}

void addFaultAdmin(Router& admin, Faults& faults) {
  const std::string path = "/rehearsal/faults";
  admin.add("GET", path, "GetFaults", [&faults](const Call&) { return jsonResponse(stateOf(faults)); });
  admin.add("PUT", path, "PutFaults", [&faults](const Call& call) { return putPlan(call, faults); });
  admin.add("DELETE", path, "DeleteFaults", [&faults](const Call&) {
    faults.set({});
    return emptyResponse(204);
  });
}

Result<FaultPlan> readFaultFile(const std::filesystem::path& file) {
  const auto text = readFile(file);
  if (!text) return failure(text.error());
  auto plan = FaultPlan::parse(nlohmann::json::parse(*text, nullptr, false));
  if (!plan)
    plan.error().where = file.string() + (plan.error().where.empty() ? "" : ":" + plan.error().where);
  return plan;
}

}  // namespace lockstep::rehearsal
