// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace lockstep {

// Documents that somebody else wrote: whatever they hold, reading them takes bounded time and memory.

/// An object; what lies deeper than a few levels is left out. DataLoss: no JSON, no object, or longer than
/// `maxBytes`. `what` names the document in the message.
[[nodiscard]] Result<nlohmann::json> parseOutsideJson(std::string_view text, std::size_t maxBytes,
                                                      const std::string& what);
/// A text on one line, without control characters, cut to a length that a table can show; empty: none.
[[nodiscard]] std::string outsideText(const nlohmann::json& object, const char* key);
/// nullopt: no whole number, or not within the bounds.
[[nodiscard]] std::optional<std::int64_t> outsideNumber(const nlohmann::json& object, const char* key,
                                                        std::int64_t min, std::int64_t max);
/// nullopt: no time, or not of this or the next century.
[[nodiscard]] std::optional<TimePoint> outsideTime(const nlohmann::json& object, const char* key);

}  // namespace lockstep
