// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "rehearsal/logging/log_row.h"
#include "rehearsal/logging/log_tokens.h"

namespace lockstep::rehearsal {

/// Carries a syntax error out of the recursion to parseLogQuery, and never further.
struct LogSyntaxError {
  std::string message;
};

/// An expression and the name that its column gets when none is given.
struct NamedExpression {
  LogExpression value;
  std::string name;
  std::vector<std::string> path;  // of a plain field; else empty
};

/// The part of the parser that reads expressions; the operators of a query are read by who holds it.
class LogExpressionParser {
 public:
  explicit LogExpressionParser(std::vector<LogToken> tokens) : tokens_(std::move(tokens)) {}

  NamedExpression expression();
  /// `as name`, if it is there.
  void parseName(std::string& name);

  [[nodiscard]] const LogToken& here() const { return tokens_[at_]; }
  [[noreturn]] void fail(const std::string& why) const;
  [[nodiscard]] bool isWord(const char* word) const;
  bool acceptWord(const char* word);
  bool acceptSymbol(const char* symbol);
  void needSymbol(const char* symbol);
  std::string popText() { return tokens_[at_++].text; }
  /// The tokens from a place up to here, as they are named in results.
  [[nodiscard]] std::string textSince(std::size_t start) const;
  [[nodiscard]] std::size_t place() const { return at_; }
  [[nodiscard]] const LogToken& token(std::size_t place) const { return tokens_[place]; }

 private:
  LogExpression anyOf();
  LogExpression allOf();
  LogExpression negated();
  LogExpression comparison();
  LogExpression primary();
  LogExpression number();
  LogExpression array();
  LogExpression fieldOrCall();
  LogExpression call(const std::string& name);
  LogExpression constant(LogValue value);

  std::vector<LogToken> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> field_;  // of the last primary, when it was a plain field
};

}  // namespace lockstep::rehearsal
