// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <unordered_map>
#include <variant>
#include <vector>

#include "cluster/checks/check_parts.h"
#include "cluster/checks/cluster_check.h"
#include "cluster/reading/train_yaml.h"
#include "cluster/reading/train_yaml_keys.h"
#include "cluster/yaml/yaml_scalar.h"

namespace lockstep {
namespace {

/// Walks all nodes once. The path is kept as references and written out only for an issue.
class Walk {
 public:
  Walk(const YamlTree& tree, IssueList& issues) : tree_(tree), issues_(issues) {}

  void visit(NodeId id) {
    const YamlNode& node = tree_.node(id);
    switch (node.kind) {
      case NodeKind::Alias:
        break;  // what it stands for is visited where it stands
      case NodeKind::Scalar:
        scalar(node);
        break;
      case NodeKind::Sequence:
        sequence(node);
        break;
      case NodeKind::Mapping:
        mapping(node);
        break;
    }
  }

 private:
  using Step = std::variant<const std::string*, std::size_t>;

  [[nodiscard]] FieldPath path() const {
    FieldPath path;
    for (const Step& step : steps_) {
      if (const auto* key = std::get_if<const std::string*>(&step))
        path = path.child(**key);
      else
        path = path.child(std::get<std::size_t>(step));
    }
    return path;
  }

  void scalar(const YamlNode& node) {
    const bool typed =
        !node.tag.empty() || (node.resolvesType && implicitType(node.value) != ScalarType::String);
    if (typed || (node.resolvesType && node.value == "=")) {
      const YamlScalar value = resolveScalar(node);
      if (value.type == ScalarType::Invalid)
        issues_.error("yaml-value", path(),
                      fmt::format("{} cannot be loaded: {}", shown(node.value), value.error),
                      "put it in quotes if it is a text");
    } else if (node.resolvesType && node.value == "<<") {
      issues_.error("yaml-value", path(), "'<<' cannot be a value", "put it in quotes");
    }
    if (hasPlaceholder(node.value)) placeholder(node);
  }

  /// Only somebody's own words may stand in arguments, variables and the like: there brackets are odd at
  /// most.
  static bool isFree(const FieldPath& at) {
    const FieldPath runtime = field::runtime();
    for (const char* key : {"args", "kwargs", "command", "cmd"})
      if (at.startsWith(runtime.child(key))) return true;
    return at.toString().find("env[") != std::string::npos;
  }

  /// Where your_compartment_name cannot be meant as it stands.
  static bool takesNoPlaceholderWord(const FieldPath& at) {
    const FieldPath infra = field::infrastructure();
    if (at.startsWith(infra))
      return !at.startsWith(infra.child("displayName")) && !at.startsWith(infra.child("display_name"));
    const FieldPath cluster = field::cluster();
    return at == cluster.child("image") || at == cluster.child("workDir") ||
           at.startsWith(cluster.child("certificate"));
  }

  void placeholder(const YamlNode& node) {
    const FieldPath at = path();
    const bool bracketed = !bracketedPart(node.value).empty();
    if (!bracketed && !takesNoPlaceholderWord(at)) return;
    const bool free = isFree(at);
    issues_.add(
        free ? Severity::Warning : Severity::Error, free ? "placeholder-like" : "placeholder", at,
        fmt::format("{} is {}, which still has a placeholder in it", at.toString(), shown(node.value)),
        bracketed ? "put the real value in the place of the angle brackets"
                  : "put the real value in its place");
  }

  void collectionTag(const YamlNode& node, const char* own) {
    if (!node.tag.empty() && node.tag != std::string("tag:yaml.org,2002:") + own)
      issues_.error("yaml-value", path(), fmt::format("the tag '{}' is not known", node.tag),
                    "remove the tag");
  }

  void sequence(const YamlNode& node) {
    collectionTag(node, "seq");
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      steps_.emplace_back(i);
      visit(node.children[i]);
      steps_.pop_back();
    }
  }

  void mapping(const YamlNode& node) {
    collectionTag(node, "map");
    std::unordered_map<std::string_view, NodeId> seen;
    for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
      const NodeId keyId = node.children[i];
      const YamlNode& key = tree_.node(tree_.resolved(keyId));
      if (key.kind != NodeKind::Scalar) {
        issues_.addAtKey(Severity::Error, "yaml-value", path(), keyId, "a list or a mapping cannot be a key");
        continue;
      }
      steps_.emplace_back(&key.value);
      if (tree_.isMergeKey(keyId))
        merge(node.children[i + 1]);
      else if (!seen.try_emplace(key.value, keyId).second)
        duplicate(keyId, key);
      visit(node.children[i + 1]);
      steps_.pop_back();
    }
  }

  void duplicate(NodeId id, const YamlNode& key) {
    issues_.addAtKey(
        Severity::Warning, "duplicate-key", path(), id,
        fmt::format("the key {} is given twice here; only the last one counts", shown(key.value)),
        "remove one of them");
    // Only the last one can be reached by its path: it gets another name until the one before is gone.
    const FieldPath at = path();
    if (at.empty() || key.value == kAside) return;
    const FieldPath aside = at.parent().child(kAside);
    issues_.fix("remove the one that does not count", {{FixStep::Kind::RenameKey, at, kAside},
                                                       {FixStep::Kind::Remove, at, {}},
                                                       {FixStep::Kind::RenameKey, aside, key.value}});
  }

  static constexpr const char* kAside = "x-counts";

  void merge(NodeId value) {
    const YamlNode& node = tree_.node(tree_.resolved(value));
    bool good = node.kind == NodeKind::Mapping;
    if (node.kind == NodeKind::Sequence) {
      good = true;
      for (const NodeId item : node.children)
        good = good && tree_.node(tree_.resolved(item)).kind == NodeKind::Mapping;
    }
    if (!good)
      issues_.error("yaml-value", path(), "'<<' takes a mapping, or a list of mappings",
                    "write <<: *anchor_of_a_mapping");
  }

  const YamlTree& tree_;
  IssueList& issues_;
  std::vector<Step> steps_;
};

}  // namespace

void checkDocument(const YamlTree& tree, IssueList& issues) {
  if (!tree.root()) {
    issues.error("empty-document", {}, "the file is empty",
                 "start from an example: lockstep init --framework pytorch");
    return;
  }
  Walk(tree, issues).visit(*tree.root());
  if (tree.node(tree.resolved(*tree.root())).kind != NodeKind::Mapping) {
    issues.error("wrong-type", {}, "the file is not a mapping: it must begin with 'kind: distributed'");
    return;
  }
  checkKeys(tree, issues);
}

}  // namespace lockstep
