// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "rehearsal/crypto/crypto.h"

namespace lockstep::rehearsal {

/// The JSON Web Tokens that the region hands to its job runs and reads again as `ST$<jwt>`
/// (oci-rest-contract 1.6). Immutable after construction, so safe to share between threads.
class TokenIssuer {
 public:
  explicit TokenIssuer(Key key) : key_(std::move(key)) {}
  Result<std::string> issue(const nlohmann::json& claims) const;
  /// The claims of a token that we signed and whose `exp` is still to come.
  [[nodiscard]] std::optional<nlohmann::json> read(std::string_view token, TimePoint now) const;

 private:
  Key key_;
};

}  // namespace lockstep::rehearsal
