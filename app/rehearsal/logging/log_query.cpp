// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_query.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cstdlib>

#include "rehearsal/logging/log_tokens.h"

namespace lockstep::rehearsal {
namespace {

using Kind = LogToken::Kind;
using Value = nlohmann::json;  // null, text, number or flag
using Expression = std::function<Value(const SearchedRecord&)>;
using Condition = std::function<bool(const SearchedRecord&)>;

// Carries a parse error out of the recursion; never leaves this file.
struct SyntaxError {
  std::string message;
};

Value fieldOf(const SearchedRecord& record, const std::vector<std::string>& path) {
  if (path.size() == 1) {
    if (path[0] == "datetime") return record.time;
    if (path[0] == "source") return record.source;
    if (path[0] == "id") return record.id;
    if (path[0] == "type") return record.type;
    if (path[0] == "subject") return record.subject;
    if (path[0] == "logContent") return record.content.dump();
  }
  const Value* value = &record.content;
  for (std::size_t i = path[0] == "logContent" ? 1 : 0; i < path.size(); ++i) {
    if (!value->is_object() || !value->contains(path[i])) return nullptr;
    value = &(*value)[path[i]];
  }
  return *value;
}

bool equals(const Value& a, const Value& b) {
  if (!a.is_string() || !b.is_string()) return a == b;
  const auto& pattern = b.get_ref<const std::string&>();
  return pattern.find('*') == std::string::npos ? a == b
                                                : matchesWildcard(pattern, a.get_ref<const std::string&>());
}

bool ordered(const Value& a, const Value& b) {
  return (a.is_number() && b.is_number()) || (a.is_string() && b.is_string());
}

bool compare(const std::string& op, const Value& a, const Value& b) {
  if (op == "=" || op == "==") return equals(a, b);
  if (op == "!=") return !equals(a, b);
  if (!ordered(a, b)) return false;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  return a >= b;
}

class Parser {
 public:
  explicit Parser(std::vector<LogToken> tokens) : tokens_(std::move(tokens)) {}

  LogQuery query() {
    LogQuery query;
    if (!takeWord("search")) fail("a query begins with 'search'");
    do {
      query.streams.push_back(stream());
      takeSymbol(",");
    } while (here().kind == Kind::Quoted);
    while (takeSymbol("|")) operation(query);
    if (here().kind != Kind::End) fail("expected '|' or the end");
    return query;
  }

 private:
  const LogToken& here() const { return tokens_[at_]; }
  [[noreturn]] void fail(const std::string& why) const {
    const std::string found = here().kind == Kind::End ? "the end" : "'" + here().text + "'";
    throw SyntaxError{fmt::format("{}, found {} at character {}", why, found, here().at + 1)};
  }
  bool isWord(const char* word) const {
    return here().kind == Kind::Word && ::strcasecmp(here().text.c_str(), word) == 0;
  }
  bool takeWord(const char* word) {
    if (!isWord(word)) return false;
    ++at_;
    return true;
  }
  bool takeSymbol(const char* symbol) {
    if (here().kind != Kind::Symbol || here().text != symbol) return false;
    ++at_;
    return true;
  }

  LogStream stream() {
    if (here().kind != Kind::Quoted) fail("expected \"compartment/log group/log\" in double quotes");
    const std::string text = tokens_[at_++].text;
    LogStream stream;
    const std::size_t first = text.find('/');
    stream.compartment = text.substr(0, first);
    if (first == std::string::npos) return stream;
    const std::size_t second = text.find('/', first + 1);
    stream.group = text.substr(first + 1, second == std::string::npos ? second : second - first - 1);
    if (second != std::string::npos) stream.log = text.substr(second + 1);
    return stream;
  }

  void operation(LogQuery& query) {
    if (takeWord("sort")) return sort(query);
    for (const char* other : {"top", "dedup", "select", "extend", "count", "summarize"})
      if (isWord(other)) fail(std::string("this region does not offer the operator '") + other + "'");
    takeWord("where");
    query.conditions.push_back(anyOf());
  }

  void sort(LogQuery& query) {
    if (!takeWord("by")) fail("expected 'by'");
    if (!takeWord("datetime")) fail("this region sorts by datetime only");
    query.descending = takeWord("desc");
    if (!query.descending) takeWord("asc");
  }

  Condition anyOf() {
    Condition left = allOf();
    while (takeWord("or")) {
      Condition right = allOf();
      left = [left, right](const SearchedRecord& r) { return left(r) || right(r); };
    }
    return left;
  }

  Condition allOf() {
    Condition left = one();
    while (takeWord("and")) {
      Condition right = one();
      left = [left, right](const SearchedRecord& r) { return left(r) && right(r); };
    }
    return left;
  }

  Condition one() {
    if (takeWord("not")) {
      Condition inner = one();
      return [inner](const SearchedRecord& r) { return !inner(r); };
    }
    if (takeSymbol("(")) {
      Condition inner = anyOf();
      if (!takeSymbol(")")) fail("expected ')'");
      return inner;
    }
    return comparison();
  }

  Condition comparison() {
    const std::size_t start = at_;
    Expression left = expression();
    const bool isSource = at_ == start + 1 && tokens_[start].text == "source";
    for (const char* op : {"=", "==", "!=", "<", "<=", ">", ">="}) {
      if (!takeSymbol(op)) continue;
      const LogToken literal = here();
      Expression right = expression();
      const std::string name = op;
      // A whole OCID never equals a source: it is found with a leading '*' only (oci-rest-contract 4.7).
      if (isSource && name == "=" && literal.kind == Kind::Text && literal.text.starts_with("ocid1.") &&
          literal.text.find('*') == std::string::npos)
        return [](const SearchedRecord&) { return false; };
      return [left, right, name](const SearchedRecord& r) { return compare(name, left(r), right(r)); };
    }
    return [left](const SearchedRecord& r) { return left(r) == Value(true); };
  }

  Expression constant(Value value) {
    ++at_;
    return [value = std::move(value)](const SearchedRecord&) { return value; };
  }

  Expression expression() {
    if (here().kind == Kind::Text) return constant(here().text);
    if (here().kind == Kind::Number) return number();
    if (isWord("true")) return constant(true);
    if (isWord("false")) return constant(false);
    if (isWord("null")) return constant(nullptr);
    return field();
  }

  Expression number() {
    char* end = nullptr;
    const double value = std::strtod(here().text.c_str(), &end);
    if (*end != '\0') fail("expected a number");
    if (here().text.find('.') == std::string::npos)
      return constant(std::strtoll(here().text.c_str(), nullptr, 10));
    return constant(value);
  }

  Expression field() {
    std::vector<std::string> path;
    do {
      if (here().kind != Kind::Word && here().kind != Kind::Quoted) fail("expected a field or a value");
      path.push_back(tokens_[at_++].text);
    } while (takeSymbol("."));
    if (here().kind == Kind::Symbol && here().text == "(")
      fail("this region does not offer the function '" + path.back() + "'");
    return [path](const SearchedRecord& r) { return fieldOf(r, path); };
  }

  std::vector<LogToken> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

bool LogQuery::accepts(const SearchedRecord& record) const {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const auto& condition) { return condition(record); });
}

tl::expected<LogQuery, std::string> parseLogQuery(std::string_view text) {
  auto tokens = tokenizeLogQuery(text);
  if (!tokens) return tl::unexpected(tokens.error());
  try {
    return Parser(std::move(*tokens)).query();
  } catch (const SyntaxError& error) {
    return tl::unexpected(error.message);
  }
}

bool matchesWildcard(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace lockstep::rehearsal
