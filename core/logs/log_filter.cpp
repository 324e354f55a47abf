// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/log_filter.h"

#include <algorithm>
#include <memory>
#include <regex>

namespace lockstep {
namespace {

// std::regex recurses once per character; this much is safe on any thread's stack.
constexpr std::size_t kRegexLimit = 2048;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// `text` is in lower case.
bool containsAnyCase(std::string_view line, std::string_view text) {
  if (text.empty()) return true;
  const char first = text.front();
  for (std::size_t at = 0; at + text.size() <= line.size(); ++at) {
    if (lower(line[at]) != first) continue;
    std::size_t same = 1;
    while (same < text.size() && lower(line[at + same]) == text[same]) ++same;
    if (same == text.size()) return true;
  }
  return false;
}

}  // namespace

TextMatcher literalMatcher(std::string text, bool caseSensitive) {
  if (caseSensitive)
    return
        [text = std::move(text)](std::string_view line) { return line.find(text) != std::string_view::npos; };
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return [text = std::move(text)](std::string_view line) { return containsAnyCase(line, text); };
}

Result<TextMatcher> regexMatcher(const std::string& pattern, bool caseSensitive) {
  auto flags = std::regex::ECMAScript | std::regex::optimize | std::regex::nosubs;
  if (!caseSensitive) flags |= std::regex::icase;
  std::shared_ptr<const std::regex> expression;
  try {
    expression = std::make_shared<const std::regex>(pattern, flags);
  } catch (const std::regex_error& error) {
    return failure(StatusCode::InvalidArgument, "'" + pattern + "' is not a regular expression", error.what(),
                   "mend the expression, or search for it as plain text");
  }
  return [expression](std::string_view line) {
    line = line.substr(0, kRegexLimit);
    try {
      return std::regex_search(line.begin(), line.end(), *expression);
    } catch (const std::regex_error&) {  // too complex for this line: not found in it
      return false;
    }
  };
}

bool LogFilter::accepts(const LogLineView& line) const {
  if (line.level < atLeast) return false;
  if (!ranks.empty() && std::find(ranks.begin(), ranks.end(), line.rank) == ranks.end()) return false;
  if (!nodes.empty() && std::find(nodes.begin(), nodes.end(), line.node) == nodes.end()) return false;
  return !text || text(line.text);
}

bool LogFilter::acceptsAll() const {
  return ranks.empty() && nodes.empty() && atLeast == LogLevel::Debug && !text;
}

}  // namespace lockstep
