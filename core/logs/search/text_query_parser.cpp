// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "logs/search/text_query_tree.h"

namespace lockstep {
namespace {

using Node = TextQuery::Node;

constexpr std::size_t kMaxTyped = 4096;
constexpr std::size_t kMaxTerms = 64;
constexpr int kMaxDepth = 32;

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Reads expression := all {OR all}; all := one {[AND] one}; one := NOT one | ( expression ) | term.
class QueryParser {
 public:
  QueryParser(std::string_view typed, bool isCaseSensitive)
      : typed_(typed), isCaseSensitive_(isCaseSensitive) {}

  Result<TypedQuery> parse() {
    skipBlanks();
    if (at_ == typed_.size()) return TypedQuery{};
    auto root = expression(0);
    if (!root) return failure(std::move(root.error()));
    if (at_ < typed_.size()) return failure(wrong("there is no '(' for this ')'"));
    return TypedQuery{*std::move(root), std::move(terms_)};
  }

 private:
  Result<Node> expression(int depth) {
    return combined(
        Node::Kind::Or, depth, [this, depth] { return all(depth); },
        [this] { return takeWord("OR") || takeSign("||"); });
  }

  Result<Node> all(int depth) {
    return combined(
        Node::Kind::And, depth, [this, depth] { return one(depth); },
        [this] {
          if (takeWord("AND") || takeSign("&&")) return true;
          return at_ < typed_.size() && typed_[at_] != ')' && !isWordAhead("OR") && !isAhead("||");
        });
  }

  template <class Part, class More>
  Result<Node> combined(Node::Kind kind, int depth, Part part, More more) {
    if (depth > kMaxDepth) return failure(wrong("there are too many parentheses"));
    Node node{kind, 0, {}};
    do {
      auto next = part();
      if (!next) return next;
      node.children.push_back(*std::move(next));
    } while (more());
    if (node.children.size() == 1) return std::move(node.children.front());
    return node;
  }

  Result<Node> one(int depth) {
    if (depth > kMaxDepth) return failure(wrong("there are too many parentheses"));
    if (takeWord("NOT") || takeSign("!") || takeDash()) {
      auto inner = one(depth + 1);
      if (!inner) return inner;
      return Node{Node::Kind::Not, 0, {*std::move(inner)}};
    }
    if (!takeSign("(")) return term();
    auto inner = expression(depth + 1);
    if (inner && !takeSign(")")) return failure(wrong("a ')' is missing"));
    return inner;
  }

  Result<Node> term() {
    const bool isMissing = at_ == typed_.size() || typed_[at_] == ')' || isWordAhead("AND") ||
                           isWordAhead("OR") || isAhead("&&") || isAhead("||");
    if (isMissing) return failure(wrong("something to search for is missing"));
    if (terms_.size() == kMaxTerms) return failure(wrong("there are too many things to search for"));
    TextTerm found{{}, false, isCaseSensitive_};
    if (typed_[at_] == '"') {
      const std::size_t begin = at_;
      auto text = delimited('"');
      if (!text) {
        at_ = begin;
        return failure(wrong("the quote is not closed"));
      }
      found.text = *std::move(text);
    } else if (auto regex = slashed()) {
      found.text = *std::move(regex);
      found.isRegex = true;
    } else {
      found.text = word();
    }
    skipBlanks();
    if (found.text.empty()) return failure(wrong("an empty text is searched for"));
    terms_.push_back(std::move(found));
    return Node{Node::Kind::Term, terms_.size() - 1, {}};
  }

  /// Between two delimiters, of which the first is here. nullopt: there is no second one.
  std::optional<std::string> delimited(char delimiter) {
    std::string text;
    for (++at_; at_ < typed_.size(); ++at_) {
      if (typed_[at_] == delimiter) {
        ++at_;
        return text;
      }
      // In an expression other backslashes are its own.
      if (typed_[at_] == '\\' && at_ + 1 < typed_.size() &&
          (typed_[at_ + 1] == delimiter || (delimiter == '"' && typed_[at_ + 1] == '\\')))
        ++at_;
      else if (typed_[at_] == '\\' && at_ + 1 < typed_.size())
        text += typed_[at_++];
      text += typed_[at_];
    }
    return std::nullopt;
  }

  /// An expression between slashes that stands alone; "/usr/lib" is a word.
  std::optional<std::string> slashed() {
    if (typed_[at_] != '/') return std::nullopt;
    const std::size_t begin = at_;
    auto text = delimited('/');
    const bool isAlone = at_ == typed_.size() || isBlank(typed_[at_]) || typed_[at_] == ')';
    if (text && isAlone && !text->empty()) return text;
    at_ = begin;
    return std::nullopt;
  }

  std::string word() {
    const std::size_t begin = at_;
    while (at_ < typed_.size() && !isBlank(typed_[at_]) && typed_[at_] != '(' && typed_[at_] != ')') ++at_;
    return std::string(typed_.substr(begin, at_ - begin));
  }

  [[nodiscard]] bool isAhead(std::string_view text) const { return typed_.substr(at_).starts_with(text); }
  [[nodiscard]] bool isWordAhead(std::string_view word) const {
    if (!isAhead(word)) return false;
    const std::size_t end = at_ + word.size();
    return end == typed_.size() || isBlank(typed_[end]) || typed_[end] == '(' || typed_[end] == ')';
  }
  bool takeWord(std::string_view word) { return isWordAhead(word) && take(word.size()); }
  /// The dash of "-word"; one that stands alone is a word.
  bool takeDash() {
    const bool isBefore = at_ + 1 < typed_.size() && !isBlank(typed_[at_ + 1]) && typed_[at_ + 1] != ')';
    return isBefore && takeSign("-");
  }
  bool takeSign(std::string_view sign) { return isAhead(sign) && take(sign.size()); }
  bool take(std::size_t size) {
    at_ += size;
    skipBlanks();
    return true;
  }
  void skipBlanks() {
    while (at_ < typed_.size() && isBlank(typed_[at_])) ++at_;
  }

  [[nodiscard]] Error wrong(std::string why) const {
    return {ErrorCode::InvalidArgument,
            fmt::format("'{}' cannot be searched for", typed_),
            std::move(why),
            "put into quotes what is to be found as it stands",
            fmt::format("character {}", at_ + 1),
            {}};
  }

  std::string_view typed_;
  bool isCaseSensitive_;
  std::size_t at_ = 0;
  std::vector<TextTerm> terms_;
};

}  // namespace

Result<TypedQuery> parseTyped(std::string_view typed, bool isCaseSensitive) {
  if (typed.size() > kMaxTyped)
    return failure(ErrorCode::InvalidArgument, "what is searched for cannot be read",
                   fmt::format("it is longer than {} bytes", kMaxTyped), "search for less");
  return QueryParser(typed, isCaseSensitive).parse();
}

}  // namespace lockstep
