// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/text/word_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace lockstep {
namespace {

constexpr std::size_t kLongestQuery = 4096;
constexpr int kDeepestQuery = 50;

class QueryReader {
 public:
  explicit QueryReader(std::string_view text) : text_(text) {}

  Result<WordQuery> read() {
    if (text_.size() > kLongestQuery) return failure(mistake("it is too long"));
    WordQuery query = readAny(0);
    if (!wrong_.empty()) return failure(mistake(wrong_));
    return query;
  }

 private:
  WordQuery readAny(int depth) {
    WordQuery any{WordQuery::Kind::Any, {}, {}};
    any.parts.push_back(readAll(depth, false));
    while (takeWord("OR")) any.parts.push_back(readAll(depth, true));
    return any.parts.size() == 1 ? std::move(any.parts.front()) : any;
  }

  /// `isAsked`: it has to be there, since it stands after an OR.
  WordQuery readAll(int depth, bool isAsked) {
    WordQuery all;
    if (isAsked && isAtEnd()) wrong_ = missingAfter("OR");
    while (wrong_.empty() && !isAtEnd() && !isWord("OR")) {
      const bool isAnd = takeWord("AND");
      if (isAnd && (isAtEnd() || isWord("OR"))) wrong_ = missingAfter("AND");
      if (isAnd && all.parts.empty()) wrong_ = "something has to stand before AND";
      if (wrong_.empty()) all.parts.push_back(readOne(depth));
    }
    if (wrong_.empty() && isAsked && all.parts.empty()) wrong_ = missingAfter("OR");
    if (wrong_.empty() && all.parts.empty() && isWord("OR")) wrong_ = "something has to stand before OR";
    return all.parts.size() == 1 ? std::move(all.parts.front()) : all;
  }

  WordQuery readOne(int depth) {
    if (depth > kDeepestQuery) {
      wrong_ = "it is nested too deeply";
      return {};
    }
    if (takeWord("NOT")) {
      if (isAtEnd() || isWord("AND") || isWord("OR")) {
        wrong_ = missingAfter("NOT");
        return {};
      }
      return {WordQuery::Kind::Not, {}, {readOne(depth + 1)}};
    }
    skipBlanks();
    if (text_[at_] == '-' && at_ + 1 < text_.size() && !isBlank(text_[at_ + 1]) && text_[at_ + 1] != ')') {
      ++at_;
      return {WordQuery::Kind::Not, {}, {readOne(depth + 1)}};
    }
    if (text_[at_] == '(') return readGroup(depth);
    return {WordQuery::Kind::Text, text_[at_] == '"' ? readQuoted() : readWord(), {}};
  }

  WordQuery readGroup(int depth) {
    const std::size_t begin = at_++;
    ++open_;
    WordQuery group = readAny(depth + 1);
    --open_;
    skipBlanks();
    if (!wrong_.empty()) return group;
    if (at_ == text_.size()) {
      at_ = begin;
      wrong_ = atCharacter("the parenthesis", "has no end");
      return group;
    }
    ++at_;
    return group;
  }

  std::string readQuoted() {
    const std::size_t begin = at_++;
    std::string quoted;
    while (at_ < text_.size() && text_[at_] != '"') {
      const bool isEscape =
          text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
      if (isEscape) ++at_;
      quoted += text_[at_++];
    }
    if (at_ == text_.size()) {
      at_ = begin;
      wrong_ = atCharacter("the quote", "has no end");
      return {};
    }
    ++at_;
    return quoted;
  }

  /// Up to a blank, or to a ')' that closes a group: one that the word itself opened belongs to it, "step(3)".
  std::string readWord() {
    const std::size_t begin = at_;
    int own = 0;
    for (; at_ < text_.size() && !isBlank(text_[at_]); ++at_) {
      if (text_[at_] == '(') ++own;
      if (text_[at_] == ')' && --own < 0) {
        if (open_ > 0) break;
        own = 0;
      }
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool isWord(std::string_view word) {
    skipBlanks();
    if (text_.substr(at_, word.size()) != word) return false;
    const std::size_t end = at_ + word.size();
    return end == text_.size() || isBlank(text_[end]) || text_[end] == '(' || text_[end] == ')' ||
           text_[end] == '"';
  }
  bool takeWord(std::string_view word) {
    if (!wrong_.empty() || !isWord(word)) return false;
    wordAt_ = at_;
    at_ += word.size();
    return true;
  }
  bool isAtEnd() {
    skipBlanks();
    return at_ == text_.size() || (open_ > 0 && text_[at_] == ')');
  }
  static bool isBlank(char c) { return c == ' ' || c == '\t'; }
  void skipBlanks() {
    while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
  }

  [[nodiscard]] std::string missingAfter(std::string_view word) const {
    return fmt::format("something has to follow {} at character {}", word, wordAt_ + 1);
  }
  [[nodiscard]] std::string atCharacter(std::string_view what, std::string_view wrong) const {
    return fmt::format("{} at character {} {}", what, at_ + 1, wrong);
  }
  [[nodiscard]] Error mistake(std::string why) const {
    return {ErrorCode::InvalidArgument,
            fmt::format("'{}' is not a search", text_.substr(0, 200)),
            std::move(why),
            "put what is to be found as it stands into quotes",
            {},
            {}};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t wordAt_ = 0;
  int open_ = 0;
  std::string wrong_;
};

void collectWanted(const WordQuery& query, std::vector<std::string>& texts) {
  if (query.kind == WordQuery::Kind::Not) return;
  if (query.kind == WordQuery::Kind::Text && !query.text.empty()) texts.push_back(query.text);
  for (const WordQuery& part : query.parts) collectWanted(part, texts);
}

}  // namespace

Result<WordQuery> parseWordQuery(std::string_view text) {
  return QueryReader(text).read();
}

TextMatcher matcherOf(const WordQuery& query, bool caseSensitive) {
  if (query.kind == WordQuery::Kind::Text) return literalMatcher(query.text, caseSensitive);
  if (query.kind == WordQuery::Kind::All && query.parts.empty()) return {};
  std::vector<TextMatcher> parts;
  for (const WordQuery& part : query.parts) {
    TextMatcher matcher = matcherOf(part, caseSensitive);
    parts.push_back(matcher ? std::move(matcher) : [](std::string_view) { return true; });
  }
  switch (query.kind) {
    case WordQuery::Kind::Not:
      return [unwanted = std::move(parts.front())](std::string_view line) { return !unwanted(line); };
    case WordQuery::Kind::Any:
      return [parts = std::move(parts)](std::string_view line) {
        return std::any_of(parts.begin(), parts.end(),
                           [line](const TextMatcher& part) { return part(line); });
      };
    default:
      return [parts = std::move(parts)](std::string_view line) {
        return std::all_of(parts.begin(), parts.end(),
                           [line](const TextMatcher& part) { return part(line); });
      };
  }
}

std::vector<std::string> wantedTexts(const WordQuery& query) {
  std::vector<std::string> texts;
  collectWanted(query, texts);
  return texts;
}

}  // namespace lockstep
