// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/tokens.h"

#include "base/text/encoding.h"

namespace lockstep::rehearsal {

Result<std::string> TokenIssuer::issue(const nlohmann::json& claims) const {
  const nlohmann::json header{{"alg", "EdDSA"}, {"typ", "JWT"}, {"kid", "rehearsal"}};
  const std::string text = toBase64Url(header.dump()) + "." + toBase64Url(claims.dump());
  auto signature = signWithTokenKey(key_, text);
  if (!signature) return failure(signature.error());
  return text + "." + toBase64Url(*signature);
}

std::optional<nlohmann::json> TokenIssuer::read(std::string_view token, TimePoint now) const {
  const std::size_t dot = token.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view text = token.substr(0, dot);
  const auto signature = fromBase64Url(token.substr(dot + 1));
  if (!signature || !verifyWithTokenKey(key_, text, *signature)) return std::nullopt;
  const std::size_t first = text.find('.');
  if (first == std::string_view::npos) return std::nullopt;
  const auto payload = fromBase64Url(text.substr(first + 1));
  if (!payload) return std::nullopt;
  nlohmann::json claims = nlohmann::json::parse(*payload, nullptr, false);
  if (!claims.is_object() || !claims.contains("exp") || !claims["exp"].is_number_integer())
    return std::nullopt;
  const TimePoint expiry{std::chrono::seconds(claims["exp"].get<long long>())};
  if (now >= expiry) return std::nullopt;
  return claims;
}

}  // namespace lockstep::rehearsal
