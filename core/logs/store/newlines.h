// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstring>
#include <string_view>

namespace lockstep {

/// How many line feeds there are. About 10 bytes a nanosecond.
[[nodiscard]] std::size_t countNewlines(std::string_view text);

/// The last line feed before `end`; npos: none.
[[nodiscard]] inline std::size_t lastNewline(std::string_view text, std::size_t end) {
  const void* const found = end == 0 ? nullptr : ::memrchr(text.data(), '\n', end);
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data())
               : std::string_view::npos;
}

/// The begin of the line in which that place is.
[[nodiscard]] inline std::size_t startOfLine(std::string_view text, std::size_t place) {
  const std::size_t end = lastNewline(text, place);
  return end == std::string_view::npos ? 0 : end + 1;
}

/// The line feed that ends the line in which that place is, or the end of the text.
[[nodiscard]] inline std::size_t endOfLine(std::string_view text, std::size_t place) {
  const std::size_t end = text.find('\n', place);
  return end == std::string_view::npos ? text.size() : end;
}

}  // namespace lockstep
