// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/retry_policy.h"

#include <algorithm>
#include <charconv>

#include "base/time_text.h"

namespace lockstep::oci {
namespace {

constexpr double kMaxBackoffSeconds = 30;
constexpr double kMaxRetryAfterSeconds = 600;

std::chrono::nanoseconds seconds(double value) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(value));
}

}  // namespace

bool isRetryable(int httpStatus, const std::string& errorCode, bool retryConflicts) {
  if (httpStatus == 429) return true;
  if (httpStatus == 409)
    return retryConflicts && (errorCode == "IncorrectState" || errorCode == "LockConflict");
  return httpStatus >= 500 && httpStatus != 501;
}

std::chrono::nanoseconds backoff(int attempt, double jitter) {
  const double base =
      std::min(static_cast<double>(1ULL << std::clamp(attempt - 1, 0, 30)), kMaxBackoffSeconds);
  return seconds(base + jitter);
}

std::optional<std::chrono::nanoseconds> retryAfter(const HttpHeaders& headers, TimePoint now) {
  const std::string text = headerValue(headers, "retry-after");
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= 0) {
    return seconds(std::min(value, kMaxRetryAfterSeconds));
  }
  const auto date = parseRfc1123(text);
  if (!date) return std::nullopt;
  return std::clamp<std::chrono::nanoseconds>(*date - now, std::chrono::nanoseconds(0),
                                              seconds(kMaxRetryAfterSeconds));
}

}  // namespace lockstep::oci
