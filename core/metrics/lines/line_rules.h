// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string_view>

namespace lockstep {

/// One shape of the lines in which training scripts report how they do.
///
/// The named groups of the pattern say what its parts are: `step` (of `steps`) is a step counted from the beginning of the
/// training; `batch` (of `batches`) one counted from the beginning of an epoch; `epoch` (of `epochs`) an epoch; `rate` steps
/// a second; `seconds` seconds a step; `pairs` a text with more names and numbers, for ValuePairs. A group of any other name
/// is a quantity of that name.
struct LineRule {
  std::string_view id;       // "keras": in options and files
  const char* title;         // "Keras": English; widgets translate it
  const char* example;       // a line that it takes
  std::string_view pattern;  // PCRE2, any case
  int certainAfter = 3;      // so many lines have to agree before its values are believed
  bool countsDone = false;   // `batch` is how many are done; else the number of the one that was, from 0
};

/// In the order in which they are tried: the first that matches a line takes it.
[[nodiscard]] std::span<const LineRule> lineRules();

}  // namespace lockstep
