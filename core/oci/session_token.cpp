// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/session_token.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/encoding.h"

namespace lockstep::oci {

namespace {

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
  return TimePoint(std::chrono::seconds(claims["exp"].get<std::int64_t>()));
}

std::string claimOfToken(std::string_view jwt, const char* name) {
  const auto claims = claimsOf(jwt);
  const auto found = claims.is_object() ? claims.find(name) : claims.end();
  return found != claims.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string trimmedToken(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

}  // namespace lockstep::oci
