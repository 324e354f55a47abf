// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "cluster/cluster_document.h"
#include "cluster/python_text.h"
#include "cluster/yaml_tree.h"
#include "fuzz_targets.h"
#include "plan/plan.h"

namespace lockstep {
namespace {

constexpr std::size_t kMostIssues = 1001;

std::string checkIssues(const ClusterDocument& document) {
  const std::string& text = document.text();
  const auto breaks = std::count_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; });
  if (document.issues().size() > kMostIssues) return "more issues than the list may have";
  if (!document.isParsable() && document.issues().size() != 1) return "no YAML, but not exactly one issue";
  for (const Issue& issue : document.issues()) {
    if (issue.message.empty() || issue.code.empty()) return "an issue without message or code";
    if (issue.place.line < 1 || issue.place.line > breaks + 1 || issue.place.column < 1)
      return "an issue beside the text: " + describe(issue, "train.yaml");
    if (FieldPath::parse(issue.field.toString()) != issue.field)
      return "a path that does not read back: " + issue.field.toString();
  }
  return {};
}

/// Every node stands inside the text, and inside the node that holds it.
std::string checkNodes(const YamlTree& tree, std::string_view text) {
  for (NodeId id = 0; id < tree.size(); ++id) {
    const YamlNode& node = tree.node(id);
    if (node.begin > node.end || node.end > text.size()) return "a node beside the text";
    for (const NodeId child : node.children) {
      if (child <= id || child >= tree.size()) return "a child that comes before its parent";
      if (tree.node(child).begin < node.begin) return "a child that begins before its parent";
    }
  }
  if (tree.root()) (void)pythonStr(tree, *tree.root());
  return {};
}

}  // namespace

std::string tryReader(std::string_view input) {
  const ClusterDocument document{std::string(input)};
  if (document.text() != input) return "the document holds another text";
  if (std::string wrong = checkIssues(document); !wrong.empty()) return wrong;
  const auto tree = YamlTree::parse(input);
  if (tree.has_value() != document.isParsable()) return "tree and document disagree";
  if (tree)
    if (std::string wrong = checkNodes(*tree, input); !wrong.empty()) return wrong;
  for (const Issue& issue : document.issues()) {
    (void)document.scalar(issue.field);
    (void)document.keysAt(issue.field);
    (void)document.lengthAt(issue.field);
  }
  if (const auto plan = makePlan(document); !plan && describe(plan.error()).empty())
    return "a plan refused without a word";
  return {};
}

}  // namespace lockstep
