// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/search/text_query.h"

#include "logs/search/text_query_tree.h"

namespace lockstep {
namespace {

void collectPositive(const TextQuery::Node& node, const std::vector<TextTerm>& terms,
                     std::vector<TextTerm>& into) {
  if (node.kind == TextQuery::Node::Kind::Not) return;
  if (node.kind == TextQuery::Node::Kind::Term) into.push_back(terms[node.term]);
  for (const auto& child : node.children) collectPositive(child, terms, into);
}

/// The terms stand so many places further on.
void moveTerms(TextQuery::Node& node, std::size_t places) {
  node.term += places;
  for (auto& child : node.children) moveTerms(child, places);
}

Result<TextPattern> patternOf(const TextTerm& term) {
  if (term.isRegex) return TextPattern::regex(term.text, term.isCaseSensitive);
  return TextPattern::literal(term.text, term.isCaseSensitive);
}

}  // namespace

Result<TextQuery> TextQuery::of(const TextTerm& term) {
  if (term.text.empty()) return compile({});
  return compile({Node{Node::Kind::Term, 0, {}}, {term}});
}

Result<TextQuery> TextQuery::parse(std::string_view typed, bool isCaseSensitive) {
  auto read = parseTyped(typed, isCaseSensitive);
  if (!read) return failure(std::move(read.error()));
  return compile(*std::move(read));
}

TextQuery TextQuery::both(const TextQuery& one, const TextQuery& other) {
  if (one.wantsAll()) return other;
  if (other.wantsAll()) return one;
  auto compiled = std::make_shared<Compiled>(*one.compiled_);
  Node second = other.compiled_->root;
  moveTerms(second, compiled->terms.size());
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(compiled->terms, other.compiled_->terms);
  append(compiled->patterns, other.compiled_->patterns);
  append(compiled->positive, other.compiled_->positive);
  compiled->root = Node{Node::Kind::And, 0, {one.compiled_->root, std::move(second)}};
  return TextQuery(std::move(compiled));
}

Result<TextQuery> TextQuery::compile(TypedQuery typed) {
  auto compiled = std::make_shared<Compiled>();
  for (const TextTerm& term : typed.terms) {
    auto pattern = patternOf(term);
    if (!pattern) return failure(std::move(pattern.error()));
    compiled->patterns.push_back(*std::move(pattern));
  }
  collectPositive(typed.root, typed.terms, compiled->positive);
  compiled->root = std::move(typed.root);
  compiled->terms = std::move(typed.terms);
  return TextQuery(std::move(compiled));
}

bool TextQuery::wantsAll() const {
  return compiled_->root.kind == Node::Kind::All;
}

const std::vector<TextTerm>& TextQuery::positiveTerms() const {
  return compiled_->positive;
}

}  // namespace lockstep
