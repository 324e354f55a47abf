// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/issue_list.h"

#include <algorithm>
#include <tuple>

#include "cluster/reading/issue_causes.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxIssues = 1000;  // nobody reads more; a hostile file could have a million

}  // namespace

void IssueList::add(Severity severity, std::string code, const FieldPath& field, std::string message,
                    std::string remedy) {
  const TextPosition place = isFull() ? TextPosition{} : placeOf(field);
  keep({severity, std::move(code), std::move(message), std::move(remedy), field, place});
}

bool IssueList::isFull() const {
  return issues_.size() >= kMaxIssues;
}

void IssueList::fix(std::string title, std::vector<FixStep> steps) {
  if (lastWasKept_) issues_.back().fix = Fix{std::move(title), std::move(steps)};
}

void IssueList::keep(Issue issue) {
  lastWasKept_ = !isFull();
  if (lastWasKept_) {
    issues_.push_back(std::move(issue));
    return;
  }
  ++dropped_;
  worstDropped_ = std::max(worstDropped_, issue.severity);
}

void IssueList::error(std::string code, const FieldPath& field, std::string message, std::string remedy) {
  add(Severity::Error, std::move(code), field, std::move(message), std::move(remedy));
}

void IssueList::warning(std::string code, const FieldPath& field, std::string message, std::string remedy) {
  add(Severity::Warning, std::move(code), field, std::move(message), std::move(remedy));
}

void IssueList::info(std::string code, const FieldPath& field, std::string message, std::string remedy) {
  add(Severity::Info, std::move(code), field, std::move(message), std::move(remedy));
}

void IssueList::addAtKey(Severity severity, std::string code, const FieldPath& field, NodeId key,
                         std::string message, std::string remedy) {
  keep({severity, std::move(code), std::move(message), std::move(remedy), field,
        index_.placeOf(tree_.node(key).begin)});
}

TextPosition IssueList::placeOf(const FieldPath& field) const {
  return placeOfField(tree_, index_, field);
}

std::vector<Issue> IssueList::take() {
  std::stable_sort(issues_.begin(), issues_.end(), [](const Issue& a, const Issue& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  putCausesFirst(issues_, tree_);
  if (dropped_ > 0)
    issues_.push_back({worstDropped_,
                       "more-issues",
                       "there are " + std::to_string(dropped_) + " more issues",
                       "fix these first",
                       {},
                       {1, 1}});
  return std::move(issues_);
}

TextPosition placeOfField(const YamlTree& tree, const TextIndex& index, const FieldPath& field) {
  if (!tree.root()) return {1, 1};
  NodeId at = *tree.root();
  std::size_t begin = tree.node(at).begin;
  for (const FieldPath::Element& element : field.elements()) {
    const YamlNode& node = tree.node(tree.resolved(at));
    if (const auto* key = std::get_if<std::string>(&element)) {
      const auto value = tree.valueOf(at, *key);
      if (!value) return index.placeOf(begin);
      if (const auto entry = tree.entryOf(at, *key)) begin = tree.node(node.children[*entry]).begin;
      at = *value;
    } else {
      const std::size_t item = std::get<std::size_t>(element);
      if (node.kind != NodeKind::Sequence || item >= node.children.size()) return index.placeOf(begin);
      at = node.children[item];
      begin = tree.node(at).begin;
    }
  }
  const YamlNode& value = tree.node(at);
  return index.placeOf(value.kind == NodeKind::Scalar && value.begin != value.end ? value.begin : begin);
}

std::string shown(const std::string& value) {
  constexpr std::size_t kMax = 80;
  std::string text = value;
  if (text.size() > kMax) {
    std::size_t end = kMax;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text = text.substr(0, end) + "…";
  }
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return "'" + text + "'";
}

}  // namespace lockstep
