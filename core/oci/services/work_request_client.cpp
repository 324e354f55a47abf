// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/work_request_client.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/encoding.h"
#include "oci/calls/retry_policy.h"
#include "oci/calls/typed_calls.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::nanoseconds kAskAgain = 1s;
constexpr std::chrono::nanoseconds kShortestWait = 100ms;
constexpr std::chrono::nanoseconds kLongestWait = 30s;

const char* folderOf(Service service) {
  switch (service) {
    case Service::Logging:
      return "/20200531/workRequests/";
    case Service::DataScience:
      return "/20190101/workRequests/";
    default:
      return "/20160918/workRequests/";
  }
}

ServiceWorkRequest readWorkRequest(AnswerFields& f) {
  ServiceWorkRequest request;
  request.id = f.text("id");
  request.operationType = f.textOr("operationType");
  request.status = f.text("status");
  request.percentComplete = f.maybeReal("percentComplete").value_or(0);
  request.resources = f.list("resources", [](AnswerFields& r) {
    return WorkRequestResource{r.textOr("entityType"), r.textOr("actionType"), r.textOr("identifier")};
  });
  return request;
}

}  // namespace

bool ServiceWorkRequest::hasEnded() const {
  return status == "SUCCEEDED" || status == "FAILED" || status == "CANCELED" || status == "CANCELLED";
}

Result<ServiceWorkRequest> WorkRequestClient::get(Service service, const std::string& id,
                                                  const std::stop_token& stop) {
  const ServiceCall call = callTo(service, "GetWorkRequest", "GET", folderOf(service) + percentEncode(id));
  const auto response = services_->call(call, stop);
  if (!response) return failure(response.error());
  ServiceWorkRequest request;
  auto done = readAnswer(call, *response, [&](AnswerFields& f) { request = readWorkRequest(f); });
  if (!done) return failure(done.error());
  request.askAgainAfter =
      retryAfter(response->headers, services_->setup().clock->now()).value_or(std::chrono::nanoseconds(0));
  return request;
}

Result<ServiceWorkRequest> WorkRequestClient::wait(Service service, const std::string& id,
                                                   const std::stop_token& stop,
                                                   std::chrono::nanoseconds limit) {
  Clock& clock = *services_->setup().clock;
  const SteadyPoint end = clock.steady() + limit;
  while (true) {
    auto request = get(service, id, stop);
    if (!request) return request;
    const std::string what = fmt::format("{} {} was not done", toString(service), request->operationType);
    const std::string cause =
        fmt::format("its work request '{}' is {} at {:.0f} %", id, request->status, request->percentComplete);
    if (request->status == "SUCCEEDED") return request;
    if (request->hasEnded()) {
      return failure(ErrorCode::FailedPrecondition, what, cause,
                     "look at the work request in the console, then try again");
    }
    if (clock.steady() >= end) {
      return failure(ErrorCode::DeadlineExceeded, what, cause, "it may still be done: look again later");
    }
    const auto asked = request->askAgainAfter.count() > 0 ? request->askAgainAfter : kAskAgain;
    if (!clock.sleepFor(std::clamp(asked, kShortestWait, kLongestWait), stop))
      return failure(ErrorCode::Cancelled,
                     fmt::format("waiting for {} was cancelled", request->operationType));
  }
}

}  // namespace lockstep::oci
