// SPDX-License-Identifier: GPL-3.0-or-later
// What an attempt that did not succeed means: whether to try again, when, and what to say if not.
#include <fmt/format.h>

#include <cstdint>
#include <cstring>

#include "base/text/encoding.h"
#include "base/time_text.h"
#include "http/url.h"
#include "oci/calls/retry_policy.h"
#include "oci/calls/service_error.h"
#include "oci/calls/service_progress.h"

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

std::string skewText(std::chrono::nanoseconds ahead) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(ahead).count();
  return fmt::format("the clock of this machine is {} {}",
                     elapsedText(std::chrono::seconds(std::abs(seconds))),
                     seconds > 0 ? "behind the service's" : "ahead of the service's");
}

std::string secondsText(std::chrono::nanoseconds wait) {
  return fmt::format("{} s", std::chrono::ceil<std::chrono::seconds>(wait).count());
}

}  // namespace

bool mayRepeat(const ServiceCall& call) {
  return call.idempotent || hasHeader(call.headers, "opc-retry-token");
}

bool isNetworkFailure(const Error& error) {
  return error.code == ErrorCode::Unavailable || error.code == ErrorCode::DeadlineExceeded;
}

bool isLoopbackUrl(const std::string& text) {
  const auto url = parseUrl(text);
  return url && url->isLoopback();
}

// True when another attempt makes sense: the clock's offset is now known, or the token on disk is another
// one. What counts is the time this attempt was signed with: calls side by side are refused together, and the
// first of them has corrected the offset by the time the others are looked at.
bool ServiceClient::recoverFrom401(const HttpResponse& response, Progress& progress) {
  const auto date = parseRfc1123(headerValue(response.headers, "date"));
  if (date && !progress.skewCorrected) {
    const std::chrono::nanoseconds error = *date - progress.signedAt;
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

Error ServiceClient::errorOf401(Error status, const HttpResponse& response) const {
  if (std::string wayOut = setup_.credentials->wayOut(); !wayOut.empty()) status.remedy = std::move(wayOut);
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

ServiceClient::Decision ServiceClient::evaluateRefusal(const ServiceCall& call, const HttpResponse& response,
                                                       Progress& progress) {
  const ServiceError error = parseServiceError(response);
  Decision decision;
  decision.error = errorOfAnswer(response, error, whereOf(call, progress));
  if (response.status == 401) {
    decision.again = recoverFrom401(response, progress);
    if (!decision.again) decision.error = errorOf401(std::move(decision.error), response);
    return decision;  // not counted: what was wrong was ours, and has changed
  }
  const RetryKind kind = retryKindOf(response.status, error.code, call.retryConflicts, call.afterCreate);
  // A throttled request was turned away at the door, so even one that must not be repeated may be.
  decision.again = kind != RetryKind::Never && (response.status == 429 || mayRepeat(call)) &&
                   progress.attempts < maxAttempts(kind, setup_.maxAttempts);
  const auto asked = retryAfter(response.headers, setup_.clock->now());
  decision.wait = asked.value_or(backoff(progress.attempts, randomFraction(), kind));
  return decision;
}

ServiceClient::Decision ServiceClient::evaluateFailure(const ServiceCall& call, const Error& error,
                                                       const Progress& progress) {
  Decision decision;
  decision.error = error;
  if (!isNetworkFailure(error)) {  // our own: cancelled, no key, a URL that cannot be
    if (error.code == ErrorCode::Cancelled) decision.error.service = whereOf(call, progress);
    return decision;
  }
  decision.error.service = whereOf(call, progress);
  decision.wait = backoff(progress.attempts, randomFraction());
  if (progress.sent && !mayRepeat(call)) {
    decision.error.remedy = "it may have been done all the same: look before you repeat it";
    return decision;
  }
  const bool nobodyThere = !progress.lastSent && isLoopbackUrl(progress.baseUrl);
  decision.again = !progress.untrusted && !progress.delivered && progress.attempts < setup_.maxAttempts &&
                   (!nobodyThere || progress.attempts < kMaxLoopbackConnects);
  return decision;
}

// Who was already trying waits for the next chance; who comes now is told at once.
ServiceClient::Decision ServiceClient::evaluateOpenCircuit(const ServiceCall& call,
                                                           const CircuitBreakers::Refusal& refusal,
                                                           const Progress& progress) const {
  Decision decision;
  decision.wait = refusal.wait;
  decision.again = progress.attempts > 0 && progress.spent + refusal.wait <= setup_.retryBudget;
  if (progress.lastError) {
    decision.error = *progress.lastError;
    return decision;
  }
  decision.error.code = ErrorCode::Unavailable;
  decision.error.what = fmt::format("{} is down and is not asked for another {}", toString(call.service),
                                    secondsText(refusal.wait));
  decision.error.cause = fmt::format("{} of the last {} calls to {} failed, the last with: {}",
                                     refusal.failed, refusal.calls, progress.baseUrl, refusal.reason);
  decision.error.remedy =
      "wait that long and try again; if it stays, check the network and the status page of OCI";
  decision.error.service = whereOf(call, progress);
  decision.error.service->requestId.clear();  // nothing was sent under it
  return decision;
}

ServiceClient::Decision ServiceClient::evaluate(const ServiceCall& call, const Result<HttpResponse>& answer,
                                                Progress& progress) {
  Decision decision =
      answer ? evaluateRefusal(call, *answer, progress) : evaluateFailure(call, answer.error(), progress);
  if (decision.again && progress.spent + decision.wait > setup_.retryBudget) {
    decision.again = false;
    decision.error.cause += fmt::format("; the next attempt would come only after {}",
                                        elapsedText(progress.spent + decision.wait));
  }
  if (!decision.again && progress.attempts > 1)
    decision.error.what += fmt::format(" (after {} attempts)", progress.attempts);
  return decision;
}

}  // namespace lockstep::oci
