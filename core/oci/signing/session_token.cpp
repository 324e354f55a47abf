// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/session_token.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/text/encoding.h"

namespace lockstep::oci {

namespace {

// What ends later ends then: some decades on, a TimePoint holds no time any more.
constexpr std::chrono::seconds kLatest =
    std::chrono::sys_seconds(std::chrono::sys_days(std::chrono::year(2200) / 1 / 1)).time_since_epoch();

nlohmann::json claimsOf(std::string_view jwt) {
  const std::size_t first = jwt.find('.');
  if (first == std::string_view::npos) return {};
  const std::size_t second = jwt.find('.', first + 1);
  const auto payload =
      fromBase64Url(jwt.substr(first + 1, second == std::string_view::npos ? second : second - first - 1));
  return payload ? nlohmann::json::parse(*payload, nullptr, false) : nlohmann::json();
}

}  // namespace

std::optional<TimePoint> expiryOfToken(std::string_view jwt) {
  const auto claims = claimsOf(jwt);
  if (!claims.is_object() || !claims.contains("exp") || !claims["exp"].is_number()) return std::nullopt;
  const auto& exp = claims["exp"];
  const auto about = exp.get<double>();
  if (!(about > 0)) return TimePoint();
  return about < static_cast<double>(kLatest.count())
             ? TimePoint(std::chrono::seconds(exp.get<std::int64_t>()))
             : TimePoint(kLatest);
}

std::string claimOfToken(std::string_view jwt, const char* name) {
  return stringField(claimsOf(jwt), name);
}

}  // namespace lockstep::oci
