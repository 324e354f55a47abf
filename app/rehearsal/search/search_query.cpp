// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/search/search_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kLongest = 50'000;
constexpr int kDeepest = 50;  // brackets within brackets

struct Token {
  enum class Kind { Word, Text, Sign, End } kind = Kind::End;
  std::string text;
  std::size_t at = 0;
};

bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-' || c == ':';
}

// The longest sign that stands there; empty: none.
std::string_view signAt(std::string_view text) {
  for (const std::string_view sign :
       {"!==", "==", "!=", "=~", ">=", "<=", "&&", "||", "=", ">", "<", "(", ")", ","})
    if (text.starts_with(sign)) return sign;
  return {};
}

/// Splits as it is asked to, and remembers the first thing wrong.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) { next(); }

  [[nodiscard]] const Token& token() const { return token_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] bool isAtEnd() const { return token_.kind == Token::Kind::End; }

  void fail(const std::string& why) {
    if (problem_.empty()) problem_ = fmt::format("at character {}: {}", token_.at + 1, why);
    token_ = {Token::Kind::End, {}, text_.size()};
    at_ = text_.size();
  }
  bool acceptWord(const char* word) {
    if (token_.kind != Token::Kind::Word || lowerCase(token_.text) != word) return false;
    next();
    return true;
  }
  bool acceptSign(const char* sign) {
    if (token_.kind != Token::Kind::Sign || token_.text != sign) return false;
    next();
    return true;
  }
  std::string take(Token::Kind kind, const char* what) {
    if (token_.kind != kind) {
      fail(fmt::format("{} is missing", what));
      return {};
    }
    std::string text = token_.text;
    next();
    return text;
  }

 private:
  void next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    token_ = {Token::Kind::End, {}, at_};
    if (at_ == text_.size()) return;
    if (text_[at_] == '\'') return readText();
    if (const std::string_view sign = signAt(text_.substr(at_)); !sign.empty()) {
      token_ = {Token::Kind::Sign, std::string(sign), at_};
      at_ += sign.size();
      return;
    }
    std::size_t end = at_;
    while (end < text_.size() && isWordPart(text_[end])) ++end;
    if (end == at_) return fail("this has no meaning here");
    token_ = {Token::Kind::Word, std::string(text_.substr(at_, end - at_)), at_};
    at_ = end;
  }

  void readText() {
    std::string value;
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\' && i + 1 < text_.size()) {
        value += text_[++i];
      } else if (text_[i] == '\'') {
        token_ = {Token::Kind::Text, std::move(value), at_};
        at_ = i + 1;
        return;
      } else {
        value += text_[i];
      }
    }
    fail("the text has no end");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Token token_;
  std::string problem_;
};

using Compare = bool (*)(const std::string& value, const std::string& wanted);

bool isContained(const std::string& value, const std::string& wanted) {
  return lowerCase(value).find(lowerCase(wanted)) != std::string::npos;
}

// Of one value of a field with one text. The negative ones are made from these.
Compare comparisonOf(const std::string& sign) {
  if (sign == "=" || sign == "!=")
    return [](const std::string& a, const std::string& b) { return lowerCase(a) == lowerCase(b); };
  if (sign == "==" || sign == "!==") return [](const std::string& a, const std::string& b) { return a == b; };
  if (sign == "=~") return isContained;
  if (sign == ">") return [](const std::string& a, const std::string& b) { return a > b; };
  if (sign == "<") return [](const std::string& a, const std::string& b) { return a < b; };
  if (sign == ">=") return [](const std::string& a, const std::string& b) { return a >= b; };
  if (sign == "<=") return [](const std::string& a, const std::string& b) { return a <= b; };
  return nullptr;
}

bool anyValue(const SearchFacts& facts, const std::string& field, Compare compare,
              const std::string& wanted) {
  const auto found = facts.find(field);
  return found != facts.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](const std::string& value) { return compare(value, wanted); });
}

/// condition := all { "||" all };  all := one { "&&" one };  one := "(" condition ")" | FIELD SIGN 'TEXT'
class Conditions {
 public:
  explicit Conditions(Reader& reader) : reader_(reader) {}

  SearchCondition any() {
    if (++depth_ > kDeepest) reader_.fail("there are too many brackets within brackets");
    std::vector<SearchCondition> parts{all()};
    while (acceptEither("||", "or")) parts.push_back(all());
    --depth_;
    return [parts](const SearchFacts& facts) {
      return std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return part(facts); });
    };
  }

 private:
  SearchCondition all() {
    std::vector<SearchCondition> parts{one()};
    while (acceptEither("&&", "and")) parts.push_back(one());
    return [parts](const SearchFacts& facts) {
      return std::all_of(parts.begin(), parts.end(), [&](const auto& part) { return part(facts); });
    };
  }

  SearchCondition one() {
    if (reader_.acceptSign("(")) {
      SearchCondition inner = any();
      if (!reader_.acceptSign(")")) reader_.fail("a closing bracket is missing");
      return inner;
    }
    const std::string field = lowerCase(reader_.take(Token::Kind::Word, "the name of a field"));
    std::string sign = reader_.acceptWord("contains") ? "=~" : reader_.token().text;
    if (reader_.token().kind == Token::Kind::Sign) reader_.take(Token::Kind::Sign, "a comparison");
    const Compare compare = comparisonOf(sign);
    if (compare == nullptr) reader_.fail("a comparison is missing");
    const std::string wanted = reader_.take(Token::Kind::Text, "a text in single quotes");
    const bool isNegative = sign.starts_with("!");
    return [field, compare, wanted, isNegative](const SearchFacts& facts) {
      return compare != nullptr && anyValue(facts, field, compare, wanted) != isNegative;
    };
  }

  bool acceptEither(const char* sign, const char* word) {
    return reader_.acceptSign(sign) || reader_.acceptWord(word);
  }

  Reader& reader_;
  int depth_ = 0;
};

std::vector<std::string> readTypes(Reader& reader) {
  std::vector<std::string> types;
  do {
    types.push_back(lowerCase(reader.take(Token::Kind::Word, "a resource type or 'all'")));
  } while (reader.acceptSign(","));
  if (!reader.acceptWord("resources")) reader.fail("the word 'resources' is missing");
  return types;
}

// What would be given back besides: every answer has all that the region knows.
void skipReturned(Reader& reader) {
  if (!reader.acceptWord("return")) return;
  const auto isNext = [&](const char* word) { return lowerCase(reader.token().text) == word; };
  while (!reader.isAtEnd() && !isNext("where") && !isNext("matching") && !isNext("sorted")) {
    if (reader.acceptSign(",")) continue;
    reader.take(Token::Kind::Word, "the name of a field");
  }
}

void readOrder(Reader& reader, SearchQuery& query) {
  if (!reader.acceptWord("sorted")) return;
  if (!reader.acceptWord("by")) reader.fail("the word 'by' is missing");
  query.sortedBy = lowerCase(reader.take(Token::Kind::Word, "the name of a field"));
  query.descending = reader.acceptWord("desc");
  if (!query.descending) reader.acceptWord("asc");
}

}  // namespace

tl::expected<SearchQuery, std::string> parseSearchQuery(std::string_view text) {
  if (text.size() > kLongest) return tl::unexpected(fmt::format("it is longer than {} bytes", kLongest));
  Reader reader(text);
  SearchQuery query;
  if (!reader.acceptWord("query")) reader.fail("it begins with 'query'");
  query.types = readTypes(reader);
  skipReturned(reader);
  SearchCondition where = [](const SearchFacts&) { return true; };
  if (reader.acceptWord("where")) where = Conditions(reader).any();
  std::optional<std::string> wanted;
  if (reader.acceptWord("matching")) wanted = reader.take(Token::Kind::Text, "a text in single quotes");
  query.holds = [where, wanted](const SearchFacts& facts) {
    return where(facts) && (!wanted || mentions(facts, *wanted));
  };
  readOrder(reader, query);
  if (!reader.isAtEnd()) reader.fail("this has no meaning here");
  if (!reader.problem().empty()) return tl::unexpected(reader.problem());
  return query;
}

bool mentions(const SearchFacts& facts, const std::string& text) {
  return std::any_of(facts.begin(), facts.end(), [&](const auto& fact) {
    return std::any_of(fact.second.begin(), fact.second.end(),
                       [&](const std::string& value) { return isContained(value, text); });
  });
}

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace lockstep::rehearsal
