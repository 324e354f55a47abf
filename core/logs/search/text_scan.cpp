// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "logs/search/text_query_tree.h"

namespace lockstep {
namespace {

constexpr auto kNowhere = std::string_view::npos;
constexpr int kMaxHardLines = 20;  // after these, an expression is given up on

}  // namespace

struct TextScan::Parts {
  using Kind = TextQuery::Node::Kind;

  /// A term in the text that is sought through.
  struct Term {
    PatternMatcher matcher;
    int hardLines = 0;
    bool isSought = false;        // `next` says something about the text
    std::size_t next = 0;         // its first match at or behind the place that was asked last
    bool needsEveryLine = false;  // in this text: the work was too much for all lines at once
  };

  std::shared_ptr<const TextQuery::Compiled> query;
  std::vector<Term> terms;
  std::optional<Error> tooHard;

  bool isIn(const TextQuery::Node& node, std::string_view text);
  bool isIn(Term& term, std::string_view text);
  std::size_t seek(const TextQuery::Node& node, std::string_view text, std::size_t from);
  static std::size_t seek(Term& term, std::string_view text, std::size_t from);
};

bool TextScan::Parts::isIn(const TextQuery::Node& node, std::string_view text) {
  const auto holds = [&](const TextQuery::Node& child) { return isIn(child, text); };
  switch (node.kind) {
    case Kind::All:
      return true;
    case Kind::Term:
      return isIn(terms[node.term], text);
    case Kind::And:
      return std::all_of(node.children.begin(), node.children.end(), holds);
    case Kind::Or:
      return std::any_of(node.children.begin(), node.children.end(), holds);
    case Kind::Not:
      return !isIn(node.children.front(), text);
  }
  return false;
}

bool TextScan::Parts::isIn(Term& term, std::string_view text) {
  if (term.hardLines >= kMaxHardLines) return false;
  const bool found = term.matcher.find(text).has_value();
  if (term.matcher.isTooHard() && ++term.hardLines == 1 && !tooHard) tooHard = term.matcher.tooHard();
  return found;
}

std::size_t TextScan::Parts::seek(const TextQuery::Node& node, std::string_view text, std::size_t from) {
  switch (node.kind) {
    case Kind::All:
    case Kind::Not:
      return from;
    case Kind::Term:
      return seek(terms[node.term], text, from);
    case Kind::And: {
      std::size_t last = from;  // all have to be there
      for (const auto& child : node.children) last = std::max(last, seek(child, text, from));
      return last;
    }
    case Kind::Or: {
      std::size_t first = kNowhere;
      for (const auto& child : node.children) first = std::min(first, seek(child, text, from));
      return first;
    }
  }
  return from;
}

std::size_t TextScan::Parts::seek(Term& term, std::string_view text, std::size_t from) {
  if (term.needsEveryLine || !term.matcher.pattern().staysInLine()) return from;
  if (term.isSought && (term.next == kNowhere || term.next >= from)) return term.next;
  const auto hit = term.matcher.find(text, from);
  if (term.matcher.isTooHard()) {
    term.needsEveryLine = true;
    return from;
  }
  term.isSought = true;
  term.next = hit ? hit->begin : kNowhere;
  return term.next;
}

TextScan::TextScan(const TextQuery& query) : parts_(std::make_unique<Parts>()) {
  parts_->query = query.compiled_;
  for (const TextPattern& pattern : query.compiled_->patterns)
    parts_->terms.push_back({PatternMatcher(pattern)});
}

TextScan::TextScan(TextScan&& other) noexcept = default;
TextScan& TextScan::operator=(TextScan&& other) noexcept = default;
TextScan::~TextScan() = default;

bool TextScan::matches(std::string_view text) {
  return parts_->isIn(parts_->query->root, text);
}

std::size_t TextScan::seek(std::string_view text, std::size_t from) {
  if (from >= text.size()) return kNowhere;
  return parts_->seek(parts_->query->root, text, from);
}

void TextScan::reset() {
  for (auto& term : parts_->terms) term.isSought = term.needsEveryLine = false;
}

std::vector<std::pair<std::size_t, std::size_t>> TextScan::places(std::string_view text, std::size_t most) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const auto isWanted = [this](std::size_t term) {
    const TextTerm& wanted = parts_->query->terms[term];
    return std::any_of(parts_->query->positive.begin(), parts_->query->positive.end(),
                       [&](const TextTerm& positive) {
                         return positive.text == wanted.text && positive.isRegex == wanted.isRegex;
                       });
  };
  for (std::size_t i = 0; i < parts_->terms.size(); ++i) {
    if (!isWanted(i)) continue;
    std::size_t count = 0;
    for (auto hit = parts_->terms[i].matcher.find(text); hit && count < most; ++count) {
      if (hit->end > hit->begin) found.emplace_back(hit->begin, hit->end);
      if (hit->end >= text.size()) break;
      hit = parts_->terms[i].matcher.find(text, std::max(hit->end, hit->begin + 1));
    }
  }
  std::sort(found.begin(), found.end());
  if (found.size() > most) found.resize(most);
  return found;
}

const std::optional<Error>& TextScan::tooHard() const {
  return parts_->tooHard;
}

}  // namespace lockstep
