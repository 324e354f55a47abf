// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "logs/log_filter.h"

namespace lockstep {

std::string tryLogFilter(std::string_view input) {
  Parts parts(input);
  const std::string pattern(parts.text());
  int tooHard = 0;
  const auto matcher = regexMatcher(pattern, false, [&](const Error&) { ++tooHard; });
  if (!matcher) return wordless(matcher.error(), ErrorCode::InvalidArgument);
  const std::string_view line = parts.rest();
  const bool found = (*matcher)(line);
  if (tooHard == 0 && (*matcher)(line) != found) return "a line that is found once only";
  if (tooHard > 1) return "told more than once";
  if (!literalMatcher(std::string(line), true)(line)) return "a line without itself";
  return {};
}

}  // namespace lockstep
