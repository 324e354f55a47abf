// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "logs/log_filter.h"

namespace lockstep {

/// What is asked of the text of a line, as a tree.
struct WordQuery {
  enum class Kind { Text, All, Any, Not };
  Kind kind = Kind::All;
  std::string text;              // Text: what has to stand in the line
  std::vector<WordQuery> parts;  // of All and Any; the one of Not. All of none: every line

  bool operator==(const WordQuery&) const = default;
};

/// Reads words as people type them into a search: `a b` wants both, `a OR b` one of them, `-a` or `NOT a` lines without
/// it, `"a b"` exactly that (\" and \\ for a quote and a backslash in it), parentheses group. AND may be written out; it
/// binds more tightly than OR. The three words count in capitals only. InvalidArgument, whose cause says where, when a
/// quote or a parenthesis has no end, something is missing after AND, OR, NOT, or it is longer than 4,096 bytes or
/// nested more than 50 deep.
[[nodiscard]] Result<WordQuery> parseWordQuery(std::string_view text);

/// Without regard to the case of ASCII letters unless asked for. No function when every line is wanted.
[[nodiscard]] TextMatcher matcherOf(const WordQuery& query, bool caseSensitive = false);

/// The texts that are wanted, in the order in which they stand: what a reader wants to see marked. Not those below a Not.
[[nodiscard]] std::vector<std::string> wantedTexts(const WordQuery& query);

}  // namespace lockstep
