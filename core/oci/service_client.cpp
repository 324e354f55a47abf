// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/service_client.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

#include "base/child_process.h"
#include "base/encoding.h"
#include "base/time_text.h"
#include "http/url.h"
#include "oci/regions.h"
#include "oci/retry_policy.h"
#include "oci/service_error.h"

namespace lockstep::oci {
namespace {

// Services accept five minutes; answers travel for a while.
constexpr auto kMaxSkew = std::chrono::minutes(4);
// A rehearsal region that does not run will not start by itself: waiting as for the cloud would only hide
// that.
constexpr int kMaxLoopbackConnects = 3;

double randomFraction() {
  std::uint32_t bits = 0;
  std::memcpy(&bits, randomBytes(sizeof bits).data(), sizeof bits);
  return static_cast<double>(bits) / 4294967296.0;
}

std::string newRequestId() {
  std::string id = toHex(randomBytes(16));
  for (char& c : id) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return id;
}

std::string skewText(std::chrono::nanoseconds ahead) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(ahead).count();
  return fmt::format("the clock of this machine is {} {}",
                     elapsedText(std::chrono::seconds(std::abs(seconds))),
                     seconds > 0 ? "behind the service's" : "ahead of the service's");
}

bool isLoopback(const std::string& text) {
  const auto url = parseUrl(text);
  return url && url->isLoopback();
}

}  // namespace

const char* toString(Service service) {
  switch (service) {
    case Service::Identity:
      return "Identity";
    case Service::Core:
      return "Networking";
    case Service::ObjectStorage:
      return "Object Storage";
    case Service::DataScience:
      return "Data Science";
    case Service::Logging:
      return "Logging";
    case Service::LoggingSearch:
      return "Logging Search";
    case Service::LoggingIngestion:
      return "Logging Ingestion";
    case Service::Artifacts:
      return "Artifacts";
    case Service::Monitoring:
      return "Monitoring";
    case Service::MonitoringIngestion:
      return "Monitoring Ingestion";
    case Service::Limits:
      return "Limits";
    case Service::Auth:
      return "Authentication";
    case Service::Registry:
      return "Container Registry";
  }
  return "";
}

std::string newRetryToken() {
  return toHex(randomBytes(16));
}

/// What one call() has tried so far.
struct ServiceClient::Progress {
  int attempts = 0;
  bool sent = false;       // some attempt may have reached the service
  bool untrusted = false;  // the last attempt's certificate was refused
  bool lastSent = false;   // the last attempt may have reached the service
  bool skewCorrected = false;
  bool identityRefreshed = false;
  std::string keyId;
  std::string requestId;
};

/// What one attempt that did not succeed means.
struct ServiceClient::Verdict {
  Status status;
  bool again = false;
  std::chrono::nanoseconds wait{0};  // before the next attempt
};

ServiceAnswer ServiceClient::whereOf(const ServiceCall& call, const Progress& progress) {
  return {toString(call.service), call.operation, 0, {}, progress.requestId};
}

ServiceClient::ServiceClient(Setup setup) : setup_(std::move(setup)) {
  const Region region = regionFor(setup_.region, currentEnvironment());
  for (std::size_t i = 0; i < kServiceCount; ++i)
    baseUrls_[i] = setup_.endpoint.empty() ? serviceUrl(static_cast<Service>(i), region) : setup_.endpoint;
  for (std::string& url : baseUrls_) {
    while (url.ends_with('/')) url.pop_back();
  }
}

ServiceClient::~ServiceClient() = default;

std::string ServiceClient::baseUrl(Service service) const {
  return baseUrls_[static_cast<std::size_t>(service)];
}

TimePoint ServiceClient::signingTime() const {
  return setup_.clock->now() + std::chrono::nanoseconds(clockOffset_.load());
}

Result<HttpResponse> ServiceClient::send(HttpRequest request, BodySigning body, const std::stop_token& stop) {
  const auto identity = setup_.credentials->current();
  if (!identity) return failure(identity.error());
  if (auto done = signRequest(request, *identity, signingTime(), body); !done) return failure(done.error());
  return setup_.http->send(request, stop);
}

bool ServiceClient::mayRepeat(const ServiceCall& call, const Progress& progress) const {
  return call.idempotent || !progress.sent || hasHeader(call.headers, "opc-retry-token");
}

// One attempt: signed anew, since a signature is good for five minutes only.
Result<HttpResponse> ServiceClient::attempt(const ServiceCall& call, Progress& progress,
                                            const std::stop_token& stop) {
  HttpTrace trace;
  HttpRequest request{call.method, baseUrl(call.service) + call.path, call.headers, call.body};
  request.timeout = call.timeout;
  request.trace = &trace;
  request.freshConnection = !call.idempotent && !hasHeader(call.headers, "opc-retry-token");
  if (!hasHeader(request.headers, "opc-request-id"))
    setHeader(request.headers, "opc-request-id", progress.requestId);
  if (!hasHeader(request.headers, "accept")) setHeader(request.headers, "accept", "*/*");
  const auto identity = setup_.credentials->current();
  if (!identity) return failure(identity.error());
  progress.keyId = identity->keyId;
  if (auto done = signRequest(request, *identity, signingTime(), call.bodySigning); !done)
    return failure(done.error());
  auto answer = setup_.http->send(request, stop);
  progress.lastSent = trace.sent || answer.has_value();
  progress.sent = progress.sent || progress.lastSent;
  progress.untrusted = trace.untrusted;
  return answer;
}

// True when another attempt makes sense: the clock's offset is now known, or the token on disk is another
// one.
bool ServiceClient::recoverFrom401(const HttpResponse& response, Progress& progress) {
  const auto date = parseRfc1123(headerValue(response.headers, "date"));
  if (date && !progress.skewCorrected) {
    const std::chrono::nanoseconds error = *date - signingTime();
    if (std::chrono::abs(error) > kMaxSkew) {
      progress.skewCorrected = true;
      clockOffset_ = (*date - setup_.clock->now()).count();
      return true;
    }
  }
  if (progress.identityRefreshed) return false;
  progress.identityRefreshed = true;
  return setup_.credentials->refresh(progress.keyId);
}

Status ServiceClient::statusOf401(Status status, const HttpResponse& response) const {
  const auto date = parseRfc1123(headerValue(response.headers, "date"));
  if (date) {
    const std::chrono::nanoseconds error = *date - setup_.clock->now();
    if (std::chrono::abs(error) > kMaxSkew) {
      status.cause += "; " + skewText(error);
      status.remedy = "set the clock of this machine (timedatectl set-ntp true). " + status.remedy;
    }
  }
  if (const std::string doubts = setup_.credentials->doubts(); !doubts.empty()) status.cause += "; " + doubts;
  return status;
}

ServiceClient::Verdict ServiceClient::judgeRefusal(const ServiceCall& call, const HttpResponse& response,
                                                   Progress& progress) {
  const ServiceError error = parseServiceError(response);
  Verdict verdict;
  verdict.status = statusOfRefusal(response, error, whereOf(call, progress));
  if (response.status == 401) {
    verdict.again = recoverFrom401(response, progress);
    if (!verdict.again) verdict.status = statusOf401(std::move(verdict.status), response);
    return verdict;
  }
  // A throttled request was turned away at the door, so even one that must not be repeated may be.
  verdict.again = isRetryable(response.status, error.code, call.retryConflicts) &&
                  (response.status == 429 || mayRepeat(call, progress));
  const auto asked = retryAfter(response.headers, setup_.clock->now());
  verdict.wait = asked.value_or(backoff(progress.attempts, randomFraction()));
  return verdict;
}

ServiceClient::Verdict ServiceClient::judgeFailure(const ServiceCall& call, const Status& status,
                                                   const Progress& progress) {
  Verdict verdict;
  verdict.status = status;
  const bool network = status.code == StatusCode::Unavailable || status.code == StatusCode::DeadlineExceeded;
  if (!network) return verdict;  // our own: cancelled, no key, a URL that cannot be
  verdict.status.service = whereOf(call, progress);
  verdict.wait = backoff(progress.attempts, randomFraction());
  if (!mayRepeat(call, progress)) {
    verdict.status.remedy = "it may have been done all the same: look before you repeat it";
    return verdict;
  }
  const bool nobodyThere = !progress.lastSent && isLoopback(baseUrl(call.service));
  verdict.again = !progress.untrusted && (!nobodyThere || progress.attempts < kMaxLoopbackConnects);
  return verdict;
}

Result<HttpResponse> ServiceClient::call(const ServiceCall& call, const std::stop_token& stop) {
  Progress progress;
  progress.requestId = newRequestId();
  while (!stop.stop_requested()) {
    ++progress.attempts;
    auto answer = attempt(call, progress, stop);
    if (answer && answer->status >= 200 && answer->status < 300) return answer;
    Verdict verdict =
        answer ? judgeRefusal(call, *answer, progress) : judgeFailure(call, answer.error(), progress);
    if (!verdict.again || progress.attempts >= setup_.maxAttempts) {
      if (progress.attempts > 1)
        verdict.status.what += fmt::format(" (after {} attempts)", progress.attempts);
      return failure(std::move(verdict.status));
    }
    if (verdict.wait.count() > 0) setup_.clock->sleepFor(verdict.wait, stop);
  }
  return failure(StatusCode::Cancelled, fmt::format("{} was cancelled", call.operation));
}

}  // namespace lockstep::oci
