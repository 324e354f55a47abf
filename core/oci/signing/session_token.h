// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace lockstep::oci {

/// `exp` of a JWT, without checking its signature. nullopt: no JWT, or one without an end.
[[nodiscard]] std::optional<TimePoint> expiryOfToken(std::string_view jwt);

/// A claim of a JWT that is a text; empty: none.
[[nodiscard]] std::string claimOfToken(std::string_view jwt, const char* name);

}  // namespace lockstep::oci
