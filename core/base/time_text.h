// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace lockstep {

/// "2026-01-01T00:00:00.000Z", milliseconds, UTC: what OCI writes and reads.
[[nodiscard]] std::string toRfc3339(TimePoint time);
/// Any number of fraction digits, none, offsets as well as Z. nullopt: no time, or beyond 1678 to 2261.
[[nodiscard]] std::optional<TimePoint> parseRfc3339(std::string_view text);
/// "Thu, 05 Jan 2014 21:31:40 GMT", English whatever the locale: the Date header.
[[nodiscard]] std::string toRfc1123(TimePoint time);
/// The weekday is not checked against the date (the published signing sample's does not match).
[[nodiscard]] std::optional<TimePoint> parseRfc1123(std::string_view text);
/// "0:07", "12:05", "1:02:03": how long something has taken, for people.
[[nodiscard]] std::string elapsedText(std::chrono::nanoseconds duration);

}  // namespace lockstep
