// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "logs/search/text_query.h"
#include "pattern/text_pattern.h"

namespace lockstep {

/// How the terms of a query are combined.
struct TextQuery::Node {
  enum class Kind { All, Term, And, Or, Not };  // All: every line
  Kind kind = Kind::All;
  std::size_t term = 0;
  std::vector<Node> children;  // of And and Or two or more, of Not one
};

struct TextQuery::Compiled {
  Node root;
  std::vector<TextTerm> terms;
  std::vector<TextPattern> patterns;  // of each term
  std::vector<TextTerm> positive;
};

/// What was typed, taken apart; the terms are not compiled yet.
struct TypedQuery {
  TextQuery::Node root;
  std::vector<TextTerm> terms;
};
[[nodiscard]] Result<TypedQuery> parseTyped(std::string_view typed, bool isCaseSensitive);

}  // namespace lockstep
