// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/service_client.h"

#include <fmt/format.h>

#include <optional>

#include "base/child_process.h"
#include "base/text/encoding.h"
#include "http/url.h"
#include "oci/calls/regions.h"
#include "oci/calls/retry_policy.h"
#include "oci/calls/service_error.h"
#include "oci/calls/service_progress.h"

namespace lockstep::oci {
namespace {

std::string newRequestId() {
  std::string id = toHex(randomBytes(16));
  for (char& c : id) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return id;
}

// What the audit writes in place of the service's error code.
std::string errorCodeOf(const Result<HttpResponse>& answer) {
  if (!answer) return toString(answer.error().code);
  return answer->status < 400 ? "" : parseServiceError(*answer).code;
}

}  // namespace

std::string newRetryToken() {
  return toHex(randomBytes(16));
}

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

// Services that share one endpoint, as in a rehearsal region, still fail apart.
std::string ServiceClient::circuitOf(Service service) const {
  return fmt::format("{} at {}", toString(service), baseUrl(service));
}

// Sends, and tells the audit.
Result<HttpResponse> ServiceClient::exchange(const HttpRequest& request, CallRecord record,
                                             const std::stop_token& stop) {
  if (setup_.audit == nullptr) return setup_.http->send(request, stop);
  record.at = setup_.clock->now();
  record.method = request.method;
  if (const auto url = parseUrl(request.url)) record.host = url->hostHeader();
  const auto begin = std::chrono::steady_clock::now();
  auto answer = setup_.http->send(request, stop);
  record.duration = std::chrono::steady_clock::now() - begin;
  record.httpStatus = answer ? answer->status : 0;
  record.errorCode = errorCodeOf(answer);
  record.requestId = answer ? headerValue(answer->headers, "opc-request-id") : "";
  if (record.requestId.empty()) record.requestId = headerValue(request.headers, "opc-request-id");
  setup_.audit->record(std::move(record));
  return answer;
}

// Whose host it is; nothing where all share one.
std::string ServiceClient::serviceAt(const std::string& url) const {
  if (!setup_.endpoint.empty()) return {};
  for (std::size_t i = 0; i < kServiceCount; ++i) {
    if (url.starts_with(baseUrls_[i] + "/")) return toString(static_cast<Service>(i));
  }
  return {};
}

Result<HttpResponse> ServiceClient::send(HttpRequest request, BodySigning body, const std::stop_token& stop) {
  if (!hasHeader(request.headers, "opc-request-id"))
    setHeader(request.headers, "opc-request-id", newRequestId());
  const auto identity = setup_.credentials->current();
  if (!identity) return failure(identity.error());
  if (auto done = signRequest(request, *identity, signingTime(), body); !done) return failure(done.error());
  CallRecord record;
  record.service = serviceAt(request.url);
  record.operation = "request";
  return exchange(request, std::move(record), stop);
}

Result<HttpRequest> ServiceClient::requestOf(const ServiceCall& call, Progress& progress) const {
  HttpRequest request{call.method, baseUrl(call.service) + call.path, call.headers, call.body};
  request.source = call.source;
  request.timeout = call.timeout;
  request.connectTimeout = call.connectTimeout;
  request.acceptCompressed = call.acceptCompressed;
  request.freshConnection = !mayRepeat(call);
  if (call.receive) {
    request.receive = [&call, &progress](std::string_view piece) {
      progress.delivered = true;
      return call.receive(piece);
    };
  }
  if (!hasHeader(request.headers, "opc-request-id"))
    setHeader(request.headers, "opc-request-id", progress.requestId);
  if (!hasHeader(request.headers, "accept")) setHeader(request.headers, "accept", "*/*");
  if (setup_.maxAttempts > 1) setHeader(request.headers, "opc-client-retries", "true");
  const auto identity = setup_.credentials->current();
  if (!identity) return failure(identity.error());
  progress.keyId = identity->keyId;
  progress.signedAt = signingTime();
  if (auto done = signRequest(request, *identity, progress.signedAt, call.bodySigning); !done)
    return failure(done.error());
  return request;
}

// One attempt: signed anew, since a signature is good for five minutes only.
Result<HttpResponse> ServiceClient::attempt(const ServiceCall& call, Progress& progress,
                                            const std::stop_token& stop) {
  HttpTrace trace;
  progress.lastSent = false;
  progress.untrusted = false;
  auto request = requestOf(call, progress);
  if (!request) return failure(request.error());
  request->trace = &trace;
  CallRecord record;
  record.service = toString(call.service);
  record.operation = call.operation;
  record.attempt = progress.attempts;
  const auto begin = std::chrono::steady_clock::now();
  auto answer = exchange(*request, std::move(record), stop);
  progress.spent += std::chrono::steady_clock::now() - begin;
  progress.lastSent = trace.sent || answer.has_value();
  progress.sent = progress.sent || progress.lastSent;
  progress.untrusted = trace.untrusted;
  // What answers without an id, a proxy perhaps, is at least found under ours.
  if (answer && !hasHeader(answer->headers, "opc-request-id"))
    answer->headers.emplace_back("opc-request-id", progress.requestId);
  return answer;
}

void ServiceClient::settle(const CircuitBreakers::Pass& pass, const Result<HttpResponse>& answer,
                           const Progress& progress) {
  using Outcome = CircuitBreakers::Outcome;
  Outcome outcome = Outcome::Unknown;
  std::string reason;
  if (answer) {
    outcome = isEndpointFailure(answer->status) ? Outcome::Failed : Outcome::Well;
    reason = fmt::format("HTTP {} {}", answer->status, errorCodeOf(answer));
  } else if (isNetworkFailure(answer.error()) && (progress.lastSent || !isLoopbackUrl(progress.baseUrl))) {
    // A rehearsal region that does not run is no service that is down: it can be there the next moment.
    outcome = Outcome::Failed;
    reason = answer.error().cause;
  }
  setup_.breakers->leave(pass, outcome, setup_.clock->steady(), reason);
}

Result<HttpResponse> ServiceClient::call(const ServiceCall& call, const std::stop_token& stop) {
  Progress progress;
  progress.requestId = newRequestId();
  progress.baseUrl = baseUrl(call.service);
  while (!stop.stop_requested()) {
    std::optional<CircuitBreakers::Pass> pass;
    Decision decision;
    if (setup_.breakers != nullptr) {
      auto entered = setup_.breakers->enter(circuitOf(call.service), setup_.clock->steady());
      if (entered) {
        pass = *std::move(entered);
      } else {
        decision = evaluateOpenCircuit(call, entered.error(), progress);
      }
    }
    if (setup_.breakers == nullptr || pass) {
      ++progress.attempts;
      auto answer = attempt(call, progress, stop);
      if (pass) settle(*pass, answer, progress);
      if (answer && answer->status >= 200 && answer->status < 300) return answer;
      decision = evaluate(call, answer, progress);
    }
    if (!decision.again) return failure(std::move(decision.error));
    progress.lastError = decision.error;
    progress.spent += decision.wait;
    if (decision.wait.count() > 0) setup_.clock->sleepFor(decision.wait, stop);
  }
  Error error;
  error.code = ErrorCode::Cancelled;
  error.what = fmt::format("{} was cancelled", call.operation);
  if (progress.attempts > 0) error.service = whereOf(call, progress);
  return failure(std::move(error));
}

}  // namespace lockstep::oci
