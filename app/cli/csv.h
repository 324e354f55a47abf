// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep::cli {

/// Text (no number) as a cell of a CSV file (RFC 4180). A spreadsheet takes what begins like a formula for
/// one, and runs it: such text gets a quote in front, which a spreadsheet takes for "this is text".
[[nodiscard]] inline std::string csvText(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
    text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace lockstep::cli
