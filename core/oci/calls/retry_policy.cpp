// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/retry_policy.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/time_text.h"

namespace lockstep::oci {
namespace {

constexpr double kMaxBackoffSeconds = 30;
constexpr double kMaxEventualSeconds = 45;
constexpr double kMaxRetryAfterSeconds = 600;

std::chrono::nanoseconds seconds(double value) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(value));
}

// What the Go SDK also repeats within four minutes of a create.
bool isEventual(int httpStatus, const std::string& code) {
  switch (httpStatus) {
    case 400:
      return code == "RelatedResourceNotAuthorizedOrNotFound" || code == "InsufficientServicePermissions" ||
             code == "ResourceDisabled";
    case 404:
      return code == "NotAuthorizedOrNotFound";
    case 409:
      return code == "NotAuthorizedOrResourceAlreadyExists";
    default:
      return false;
  }
}

}  // namespace

RetryKind retryKindOf(int httpStatus, const std::string& errorCode, bool retryConflicts, bool afterCreate) {
  if (afterCreate && isEventual(httpStatus, errorCode)) return RetryKind::Eventual;
  const bool conflict = httpStatus == 409 && (errorCode == "IncorrectState" || errorCode == "LockConflict");
  const bool usual =
      conflict ? retryConflicts : httpStatus == 429 || (httpStatus >= 500 && httpStatus != 501);
  return usual ? RetryKind::Usual : RetryKind::Never;
}

bool isEndpointFailure(int httpStatus) {
  return httpStatus == 0 || httpStatus == 429 || (httpStatus >= 500 && httpStatus != 501);
}

std::chrono::nanoseconds backoff(int attempt, double jitter, RetryKind kind) {
  const bool eventual = kind == RetryKind::Eventual;
  const double grown = std::pow(eventual ? 3.52 : 2.0, std::clamp(attempt - 1, 0, 30));
  return seconds(std::min(grown, eventual ? kMaxEventualSeconds : kMaxBackoffSeconds) + jitter);
}

int maxAttempts(RetryKind kind, int usual) {
  return kind == RetryKind::Eventual && usual > 1 ? usual + 1 : usual;
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
