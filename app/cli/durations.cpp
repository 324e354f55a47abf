// SPDX-License-Identifier: GPL-3.0-or-later
#include "durations.h"

#include <charconv>

#include "base/time_text.h"

namespace lockstep::cli {
namespace {

constexpr double kMaxSeconds = 366.0 * 86400;  // what is longer was not meant

std::optional<double> secondsOf(std::string_view unit) {
  if (unit.empty() || unit == "s") return 1;
  if (unit == "m" || unit == "min") return 60;
  if (unit == "h") return 3600;
  if (unit == "d") return 86400;
  return std::nullopt;
}

}  // namespace

std::optional<std::chrono::nanoseconds> parseDuration(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc()) return std::nullopt;
  const auto unit = secondsOf({rest, static_cast<std::size_t>(end - rest)});
  if (!unit || !(value >= 0) || value * *unit > kMaxSeconds) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(value * *unit));
}

std::optional<TimePoint> parseSince(const std::string& text, TimePoint now) {
  if (const auto time = parseRfc3339(text)) return time;
  const auto ago = parseDuration(text);
  return ago ? std::optional(now - *ago) : std::nullopt;
}

std::string isDuration(const std::string& text) {
  return parseDuration(text) ? "" : "'" + text + "' is not a duration like 90s, 30m, 2h or 1d";
}

std::string isSince(const std::string& text) {
  return parseSince(text, {})
             ? ""
             : "'" + text + "' is neither a time like 2026-01-31T10:00:00Z nor a duration like 10m";
}

}  // namespace lockstep::cli
