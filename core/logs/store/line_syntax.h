// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "logs/log_line.h"

namespace lockstep {

/// How what is known of a line stands in a file.
enum class LineSyntax {
  Kept,  // our own: time, node, rank, level, id and text, with tabs between them (docs/formats/kept-lines.md)
  Text,  // somebody else's: a time and a rank at its beginning, if any, and words that tell the level
};

/// A line taken apart. The views are parts of the line.
struct LineParts {
  std::int64_t time = 0;  // ns since 1970; kNoTime: it says none
  std::string_view node;  // percent-encoded where it has to be; empty: it says none
  std::optional<Rank> rank;
  LogLevel level = LogLevel::Info;
  std::string_view id;    // likewise encoded
  std::string_view text;  // without CR at its end
};

/// `line` has no LF. nullopt: a line that Kept files have for their own purposes, or none of ours.
[[nodiscard]] std::optional<LineParts> takeApart(LineSyntax syntax, std::string_view line);
/// The text alone.
[[nodiscard]] std::string_view textOf(LineSyntax syntax, std::string_view line);
/// The time alone, which stands at the beginning; kNoTime: none. Text: "2026-11-25 10:00:00", with T or a blank, '-' or
/// '/', '.' or ',' before a fraction, an offset or none (then it is UTC), in brackets or not, before or after a rank.
[[nodiscard]] std::int64_t timeOf(LineSyntax syntax, std::string_view line);

/// The time within the years 1700 to 2200, which is how lines are kept.
[[nodiscard]] TimePoint keptTime(TimePoint time);
/// The line as Kept files have it, with its LF.
void appendKept(std::string& to, const LogLine& line);
/// Names and ids of a kept line as they were.
[[nodiscard]] std::string decodeField(std::string_view field);

}  // namespace lockstep
