// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "oci/calls/service_client.h"

namespace lockstep::oci {

/// What one ServiceClient::call() has tried so far.
struct ServiceClient::Progress {
  int attempts = 0;
  std::chrono::nanoseconds spent{0};  // in attempts and between them
  bool sent = false;                  // some attempt may have reached the service
  bool untrusted = false;             // the last attempt's certificate was refused
  bool lastSent = false;              // the last attempt may have reached the service
  bool delivered = false;             // ServiceCall::receive has been given bytes
  bool skewCorrected = false;
  bool identityRefreshed = false;
  TimePoint signedAt;  // of the last attempt, as the service reads it
  std::string keyId;
  std::string requestId;
  std::string baseUrl;
  std::optional<Error> lastError;
};

/// What one attempt that did not succeed means.
struct ServiceClient::Decision {
  Error error;
  bool again = false;
  std::chrono::nanoseconds wait{0};  // before the next attempt
};

/// Whether the request may be sent twice, even though the first may have arrived.
[[nodiscard]] bool mayRepeat(const ServiceCall& call);
/// No answer, for reasons that lie between here and there.
[[nodiscard]] bool isNetworkFailure(const Error& error);
[[nodiscard]] bool isLoopbackUrl(const std::string& url);

}  // namespace lockstep::oci
