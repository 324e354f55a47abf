// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text/encoding.h"
#include "cluster/document/cluster_document.h"
#include "cluster/yaml/python_text.h"
#include "cluster/yaml/yaml_tree.h"
#include "fuzz_targets.h"
#include "plan/plan.h"
#include "yaml/yaml_document.h"
#include "yaml/yaml_text.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxIssues = 1001;

std::string checkIssues(const ClusterDocument& document) {
  const std::string& text = document.text();
  const auto breaks = std::count_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; });
  if (document.issues().size() > kMaxIssues) return "more issues than the list may have";
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

/// Whether every value stands within the lines of the text, after what comes before it in its mapping or list, and
/// how many there are. Copies of what an alias stands for stand where that does.
std::string checkValue(const YamlValue& value, int lines, std::size_t depth, std::size_t& count) {
  ++count;
  if (depth > YamlBounds().depth) return "a value deeper than the bounds";
  if (value.place.line < 1 || value.place.line > lines || value.place.column < 1)
    return "a value beside the text";
  for (const YamlValue& item : value.items)
    if (std::string wrong = checkValue(item, lines, depth + 1, count); !wrong.empty()) return wrong;
  std::set<std::string_view> keys;
  for (const YamlEntry& entry : value.entries) {
    if (std::string wrong = checkValue(entry.value, lines, depth + 1, count); !wrong.empty()) return wrong;
    if (!keys.insert(entry.key).second) return "a key that stands there twice";
  }
  return {};
}

std::string checkDocument(std::string_view text) {
  const auto document = readYaml(text, "input");
  if (!document)
    return document.error().cause.empty() || !document.error().where.starts_with("input")
               ? "YAML refused without cause or place"
               : std::string();
  std::size_t count = 0;
  if (document->kind == YamlValue::Kind::Null && document->place == TextPosition()) return {};
  const int lines = 1 + static_cast<int>(std::ranges::count(text, '\n'));
  if (std::string wrong = checkValue(*document, lines, 0, count); !wrong.empty()) return wrong;
  return count * sizeof(YamlEntry) > YamlBounds().memory ? "more values than the bounds" : std::string();
}

/// Any text comes back from what is written of it.
std::string checkWriting(const std::string& text) {
  const auto yaml = yamlText(nlohmann::ordered_json{{"text", text}});
  if (yaml.has_value() != isUtf8(text)) return "a text is written that is not UTF-8, or one that is is not";
  if (!yaml || yaml->size() > YamlBounds().bytes) return {};
  const auto tree = YamlTree::parse(*yaml);
  if (!tree || tree->node(tree->node(*tree->root()).children[1]).value != text)
    return "libyaml reads another text than was written";
  const auto document = readYaml(*yaml, "written");
  const YamlValue* value = document ? document->find("text") : nullptr;
  return value && value->text == text ? std::string() : "another text is read than was written";
}

}  // namespace

std::string tryReader(std::string_view input) {
  if (std::string wrong = checkDocument(input); !wrong.empty()) return wrong;
  if (std::string wrong = checkWriting(std::string(input)); !wrong.empty()) return wrong;
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
