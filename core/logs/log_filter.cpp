// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/log_filter.h"

#include <algorithm>
#include <memory>

#include "pattern/text_pattern.h"

namespace lockstep {
namespace {

constexpr int kMaxHardLines = 20;  // after these, the expression is given up on

class Expression {
 public:
  Expression(TextPattern pattern, std::function<void(const Error&)> tooHard)
      : matcher_(std::move(pattern)), tooHard_(std::move(tooHard)) {}

  bool isIn(std::string_view line) {
    if (hardLines_ >= kMaxHardLines) return false;
    const bool found = matcher_.find(line).has_value();
    if (matcher_.isTooHard() && ++hardLines_ == 1 && tooHard_) tooHard_(matcher_.tooHard());
    return found;
  }

 private:
  PatternMatcher matcher_;
  std::function<void(const Error&)> tooHard_;
  int hardLines_ = 0;
};

}  // namespace

TextMatcher literalMatcher(const std::string& text, bool caseSensitive) {
  if (text.empty()) return [](std::string_view) { return true; };
  auto matcher = std::make_shared<PatternMatcher>(TextPattern::literal(text, caseSensitive));
  return [matcher = std::move(matcher)](std::string_view line) { return matcher->find(line).has_value(); };
}

Result<TextMatcher> regexMatcher(const std::string& pattern, bool caseSensitive,
                                 std::function<void(const Error&)> tooHard) {
  auto compiled = TextPattern::regex(pattern, caseSensitive);
  if (!compiled) return failure(std::move(compiled.error()));
  auto expression = std::make_shared<Expression>(*std::move(compiled), std::move(tooHard));
  return [expression = std::move(expression)](std::string_view line) { return expression->isIn(line); };
}

bool LogFilter::accepts(const LogLineView& line) const {
  if (line.level < minLevel || (from && line.time < *from) || (until && line.time > *until)) return false;
  if (!ranks.empty() && std::find(ranks.begin(), ranks.end(), line.rank) == ranks.end()) return false;
  if (!nodes.empty() && std::find(nodes.begin(), nodes.end(), line.node) == nodes.end()) return false;
  return !text || text(line.text);
}

bool LogFilter::acceptsAll() const {
  return ranks.empty() && nodes.empty() && minLevel == LogLevel::Debug && !from && !until && !text;
}

}  // namespace lockstep
