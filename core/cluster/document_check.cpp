// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <unordered_map>
#include <variant>
#include <vector>

#include "cluster/check_parts.h"
#include "cluster/cluster_check.h"
#include "cluster/train_yaml.h"
#include "cluster/train_yaml_keys.h"
#include "cluster/yaml_scalar.h"

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

  void placeholder(const YamlNode& node) {
    const FieldPath at = path();
    const bool free = at.startsWith(field::runtime().child("args")) ||
                      at.startsWith(field::runtime().child("kwargs")) ||
                      at.toString().find("env[") != std::string::npos;
    issues_.add(
        free ? Severity::Warning : Severity::Error, free ? "placeholder-like" : "placeholder", at,
        fmt::format("{} is {}, which still has a placeholder in it", at.toString(), shown(node.value)),
        "put the real value in the place of the angle brackets");
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
  }

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

/// Looks for keys that nothing reads, in the mappings whose keys are known.
class KeyCheck {
 public:
  KeyCheck(const YamlTree& tree, IssueList& issues) : tree_(tree), issues_(issues) {}

  void run() {
    const FieldPath cluster = field::cluster();
    for (const FieldPath& path :
         {FieldPath{}, FieldPath{"spec"}, FieldPath{"spec", "infrastructure"}, field::infrastructure(),
          FieldPath{"spec", "cluster"}, cluster, FieldPath{"spec", "runtime"}, field::runtime()})
      mapping(path, knownKeys(path));
    for (const char* role : {"main", "worker", "ps"})
      mapping(cluster.child(role), knownKeys(cluster.child(role)));
    mapping(infrastructureField(tree_, "shapeConfigDetails"),
            knownKeys(field::infrastructure().child("shapeConfigDetails")));
    const FieldPath certificate = cluster.child("certificate");
    for (const FieldPath& path : {certificate, certificate.child("cert"), certificate.child("caCert")})
      mapping(path, knownKeys(path));
    items(infrastructureField(tree_, "storageMount"), {{"src", {}}, {"dest", {}}});
    for (const FieldPath& owner :
         {cluster, cluster.child("main"), cluster.child("worker"), cluster.child("ps")}) {
      mapping(owner.child("config"), {{"env", {}}, {"startOptions", {}}});
      items(owner.child("config").child("env"), {{"name", {}}, {"value", {}}});
    }
    items(field::runtime().child("env"), {{"name", {}}, {"value", {}}});
  }

 private:
  void items(const FieldPath& list, const std::vector<KeySpelling>& known) {
    const auto id = tree_.find(list);
    if (!id) return;
    const YamlNode& node = tree_.node(tree_.resolved(*id));
    if (node.kind != NodeKind::Sequence) return;
    for (std::size_t i = 0; i < node.children.size(); ++i)
      keysOf(node.children[i], known, [&] { return list.child(i); });
  }

  void mapping(const FieldPath& path, const std::vector<KeySpelling>& known) {
    if (const auto id = tree_.find(path)) keysOf(*id, known, [&] { return path; });
  }

  template <class PathOf>
  void keysOf(NodeId id, const std::vector<KeySpelling>& known, PathOf pathOf) {
    const YamlNode& node = tree_.node(tree_.resolved(id));
    if (node.kind != NodeKind::Mapping) return;
    for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
      const YamlNode& key = tree_.node(tree_.resolved(node.children[i]));
      if (key.kind != NodeKind::Scalar || tree_.isMergeKey(node.children[i]) || isKnown(key.value, known))
        continue;
      unknown(pathOf(), node.children[i], key.value, known);
    }
  }

  static bool isKnown(const std::string& key, const std::vector<KeySpelling>& known) {
    if (key.starts_with("x-")) return true;  // the custom for keys that only hold anchors
    const std::string upper = upperCased(key);
    for (const KeySpelling& spelling : known) {
      if (key == spelling.key) return true;
      for (const std::string& alias : spelling.aliases) {
        if (key == alias || (alias.find("_GBs") != std::string::npos && upper == upperCased(alias)))
          return true;
      }
    }
    return false;
  }

  void unknown(const FieldPath& mapping, NodeId id, const std::string& key,
               const std::vector<KeySpelling>& known) {
    if (issues_.isFull()) return issues_.addAtKey(Severity::Warning, "unknown-key", mapping, id, "");
    const FieldPath path = mapping.child(key);
    if (path == field::runtime().child("type")) {
      issues_.addAtKey(Severity::Warning, "unknown-key", path, id, "spec.runtime.spec.type is not read here",
                       "move it up, beside spec.runtime.kind");
      return;
    }
    std::vector<std::string> names;
    for (const KeySpelling& spelling : known) names.push_back(spelling.key);
    const std::string meant = nearest(key, names);
    issues_.addAtKey(Severity::Warning, "unknown-key", path, id,
                     fmt::format("nothing reads {}, so its value has no effect", path.toString()),
                     meant.empty() ? "remove it" : "did you mean " + meant + "?");
  }

  const YamlTree& tree_;
  IssueList& issues_;
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
  KeyCheck(tree, issues).run();
}

}  // namespace lockstep
