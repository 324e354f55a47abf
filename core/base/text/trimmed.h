// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string_view>

namespace lockstep {

/// What C's isspace() calls blank, as Python's strip() does for ASCII.
inline constexpr std::string_view kBlanks = " \t\r\n\f\v";
/// What may stand around a value in a header of HTTP (RFC 9110, 5.6.3: OWS).
inline constexpr std::string_view kHttpBlanks = " \t";

/// `text` without the `blanks` around it; a part of it, so that it lives as long as that does. Empty: only blanks.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = kBlanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace lockstep
