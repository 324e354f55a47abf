// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "base/clock.h"
#include "http/http_client.h"

namespace lockstep::oci {

/// Whether a refusal may pass by itself (oci-rest-contract 3.3, Oracle's Go SDK).
[[nodiscard]] bool isRetryable(int httpStatus, const std::string& errorCode, bool retryConflicts);

/// What to wait after attempt `attempt` (from 1): min(2^(attempt-1), 30) seconds plus `jitter` (0 to 1) of a
/// second.
[[nodiscard]] std::chrono::nanoseconds backoff(int attempt, double jitter);

/// The `retry-after` of an answer: seconds, perhaps with a fraction, or a date; at most ten minutes.
[[nodiscard]] std::optional<std::chrono::nanoseconds> retryAfter(const HttpHeaders& headers, TimePoint now);

}  // namespace lockstep::oci
