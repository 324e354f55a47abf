// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_parser.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <charconv>

#include "rehearsal/logging/log_functions.h"

namespace lockstep::rehearsal {
namespace {

using Kind = LogToken::Kind;

constexpr int kDeepest = 64;  // parentheses and nots within each other
constexpr std::size_t kLongestArray = 1000;

bool isTrue(const LogValue& value) {
  return value.is_boolean() && value.get<bool>();
}

// A whole OCID never equals a source: it is found with a leading '*' only.
bool isWholeOcid(const LogToken& literal) {
  return literal.kind == Kind::Text && literal.text.starts_with("ocid1.") &&
         literal.text.find('*') == std::string::npos;
}

}  // namespace

void LogExpressionParser::fail(const std::string& why) const {
  const std::string found = here().kind == Kind::End ? "the end" : "'" + here().text.substr(0, 100) + "'";
  throw LogSyntaxError{fmt::format("{}, found {} at character {}", why, found, here().at + 1)};
}

bool LogExpressionParser::isWord(const char* word) const {
  return here().kind == Kind::Word && ::strcasecmp(here().text.c_str(), word) == 0;
}

bool LogExpressionParser::acceptWord(const char* word) {
  if (!isWord(word)) return false;
  ++at_;
  return true;
}

bool LogExpressionParser::acceptSymbol(const char* symbol) {
  if (here().kind != Kind::Symbol || here().text != symbol) return false;
  ++at_;
  return true;
}

void LogExpressionParser::needSymbol(const char* symbol) {
  if (!acceptSymbol(symbol)) fail(fmt::format("expected '{}'", symbol));
}

std::string LogExpressionParser::textSince(std::size_t start) const {
  std::string text;
  for (std::size_t i = start; i < at_; ++i)
    text += tokens_[i].kind == Kind::Text ? "'" + tokens_[i].text + "'" : tokens_[i].text;
  return text;
}

NamedExpression LogExpressionParser::expression() {
  const std::size_t start = at_;
  field_.clear();
  NamedExpression named;
  named.value = anyOf();
  named.path = field_;
  named.name = textSince(start);
  return named;
}

void LogExpressionParser::parseName(std::string& name) {
  if (!acceptWord("as")) return;
  if (here().kind != Kind::Word && here().kind != Kind::Quoted) fail("expected a name");
  name = popText();
}

// The terms of a chain stand in a list and not within each other: a chain as long as a query must not need a
// stack as deep.
LogExpression LogExpressionParser::anyOf() {
  if (++depth_ > kDeepest) fail("the expression nests too deep");
  std::vector<LogExpression> terms{allOf()};
  while (acceptWord("or")) terms.push_back(allOf());
  --depth_;
  if (terms.size() == 1) return terms[0];
  field_.clear();
  return [terms](const LogRow& r) {
    return LogValue(
        std::any_of(terms.begin(), terms.end(), [&](const auto& term) { return isTrue(term(r)); }));
  };
}

LogExpression LogExpressionParser::allOf() {
  std::vector<LogExpression> terms{negated()};
  while (acceptWord("and")) terms.push_back(negated());
  if (terms.size() == 1) return terms[0];
  field_.clear();
  return [terms](const LogRow& r) {
    return LogValue(
        std::all_of(terms.begin(), terms.end(), [&](const auto& term) { return isTrue(term(r)); }));
  };
}

LogExpression LogExpressionParser::negated() {
  bool isNegated = false;
  bool wasWord = false;
  while (acceptWord("not")) {
    isNegated = !isNegated;
    wasWord = true;
  }
  LogExpression inner = comparison();
  if (wasWord) field_.clear();
  if (!isNegated) return inner;
  return [inner](const LogRow& r) { return LogValue(!isTrue(inner(r))); };
}

LogExpression LogExpressionParser::comparison() {
  LogExpression left = primary();
  const bool isSource = field_ == std::vector<std::string>{"source"};
  for (const char* op : {"=", "==", "!=", "<", "<=", ">", ">="}) {
    if (!acceptSymbol(op)) continue;
    const LogToken literal = here();
    LogExpression right = primary();
    field_.clear();
    const std::string name = op;
    if (isSource && (name == "=" || name == "==") && isWholeOcid(literal))
      return [](const LogRow&) { return LogValue(false); };
    return
        [left, right, name](const LogRow& r) { return LogValue(compareLogValues(name, left(r), right(r))); };
  }
  return left;
}

LogExpression LogExpressionParser::constant(LogValue value) {
  field_.clear();
  return [value = std::move(value)](const LogRow&) { return value; };
}

LogExpression LogExpressionParser::primary() {
  field_.clear();
  if (acceptSymbol("(")) {
    LogExpression inner = anyOf();
    needSymbol(")");
    return inner;
  }
  if (acceptSymbol("[")) return array();
  if (here().kind == Kind::Text) return constant(popText());
  if (here().kind == Kind::Number) return number();
  if (acceptWord("true")) return constant(true);
  if (acceptWord("false")) return constant(false);
  if (acceptWord("null")) return constant(nullptr);
  return fieldOrCall();
}

LogExpression LogExpressionParser::number() {
  const std::string text = here().text;
  if (const auto duration = parseLogDuration(text)) {
    ++at_;
    return constant(*duration);
  }
  long long whole = 0;
  const char* end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, whole); read.ec == std::errc{} && read.ptr == end) {
    ++at_;
    return constant(whole);
  }
  double real = 0;
  const auto read = std::from_chars(text.data(), end, real);
  if (read.ec != std::errc{} || read.ptr != end) fail("expected a number");
  ++at_;
  return constant(real);
}

LogExpression LogExpressionParser::array() {
  std::vector<LogExpression> elements;
  if (!acceptSymbol("]")) {
    if (++depth_ > kDeepest) fail("the expression nests too deep");
    do {
      if (elements.size() == kLongestArray) fail("the array is too long");
      elements.push_back(primary());
    } while (acceptSymbol(","));
    --depth_;
    needSymbol("]");
  }
  field_.clear();
  return [elements](const LogRow& r) {
    LogValue values = LogValue::array();
    for (const auto& element : elements) values.push_back(element(r));
    return values;
  };
}

LogExpression LogExpressionParser::fieldOrCall() {
  std::vector<std::string> path;
  do {
    if (here().kind != Kind::Word && here().kind != Kind::Quoted) fail("expected a field or a value");
    const bool isCall = here().kind == Kind::Word && path.empty();
    path.push_back(popText());
    if (isCall && acceptSymbol("(")) return call(path.back());
  } while (acceptSymbol("."));
  field_ = path;
  return [path](const LogRow& r) { return fieldOf(r, path); };
}

LogExpression LogExpressionParser::call(const std::string& name) {
  const LogFunction* function = findLogFunction(name);
  if (function == nullptr) fail(fmt::format("there is no function '{}'", name.substr(0, 100)));
  std::vector<LogExpression> arguments;
  if (!acceptSymbol(")")) {
    do {
      arguments.push_back(anyOf());
    } while (acceptSymbol(",") && arguments.size() <= function->max);
    needSymbol(")");
  }
  if (arguments.size() < function->min || arguments.size() > function->max)
    fail(fmt::format("the function '{}' has another number of arguments", function->name));
  field_.clear();
  return [function, arguments](const LogRow& r) {
    std::vector<LogValue> values;
    values.reserve(arguments.size());
    for (const auto& argument : arguments) values.push_back(argument(r));
    return function->call(values);
  };
}

}  // namespace lockstep::rehearsal
