// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep {

// Numbers that somebody else wrote: nothing is allocated, counted to or added up before they were bounded
// here. Those in JSON: outside_json.h.

/// A rank of this number or beyond is no rank, whoever says so: no cluster has that many.
inline constexpr int kMaxRanks = 65'536;

/// The whole text as a decimal number; nullopt: it is none, or not within the bounds.
template <std::integral Integer>
[[nodiscard]] std::optional<Integer> integerIn(std::string_view text, Integer min, Integer max) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value < min || value > max ? std::nullopt : std::optional(value);
}

/// A floating-point number without its fraction; nullopt: NaN, an infinity, or not within the bounds.
[[nodiscard]] inline std::optional<std::int64_t> integerIn(double value, std::int64_t min, std::int64_t max) {
  constexpr double kBeyond = 9223372036854775808.0;  // 2^63; its negative is still an int64
  if (!std::isfinite(value) || value >= kBeyond || value < -kBeyond) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(value);
  return whole < min || whole > max ? std::nullopt : std::optional(whole);
}

}  // namespace lockstep
