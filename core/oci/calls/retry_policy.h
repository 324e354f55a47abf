// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "base/clock.h"
#include "http/http_client.h"

namespace lockstep::oci {

/// Which of Oracle's two retry policies (oci-rest-contract 3.3, the Go SDK's) a refusal falls under.
enum class RetryKind {
  Never,
  Usual,
  Eventual,  // only shortly after a create: not everybody knows of the new thing yet
};

/// Whether a refusal may pass by itself. `afterCreate`: the call follows the create of something it needs.
[[nodiscard]] RetryKind retryKindOf(int httpStatus, const std::string& errorCode, bool retryConflicts,
                                    bool afterCreate);
/// Whether a refusal, or a failure without an answer (0), says that the endpoint is not well; counts for the
/// circuit breaker.
[[nodiscard]] bool isEndpointFailure(int httpStatus);

/// What to wait after attempt `attempt` (from 1), plus `jitter` (0 to 1) of a second: min(2^(attempt-1), 30)
/// seconds; Eventual: min(3.52^(attempt-1), 45).
[[nodiscard]] std::chrono::nanoseconds backoff(int attempt, double jitter, RetryKind kind = RetryKind::Usual);
/// How many attempts in all when `usual` are the most: Eventual has one more.
[[nodiscard]] int maxAttempts(RetryKind kind, int usual);

/// The `retry-after` of an answer: seconds, perhaps with a fraction, or a date; at most ten minutes.
[[nodiscard]] std::optional<std::chrono::nanoseconds> retryAfter(const HttpHeaders& headers, TimePoint now);

}  // namespace lockstep::oci
