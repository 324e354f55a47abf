// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "base/clock.h"

namespace lockstep::cli {

/// "90", "90s", "30m", "2h", "1d", "1.5h".
[[nodiscard]] std::optional<std::chrono::nanoseconds> parseDuration(const std::string& text);
/// A time ("2026-01-01T00:00:00Z"), or how long ago ("10m").
[[nodiscard]] std::optional<TimePoint> parseSince(const std::string& text, TimePoint now);

/// Validators for the command line: empty when fine, else what is wrong.
[[nodiscard]] std::string isDuration(const std::string& text);
[[nodiscard]] std::string isSince(const std::string& text);

}  // namespace lockstep::cli
