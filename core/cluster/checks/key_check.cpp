// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "base/text/trimmed.h"
#include "cluster/checks/check_parts.h"
#include "cluster/reading/train_yaml.h"
#include "cluster/reading/train_yaml_keys.h"

namespace lockstep {
namespace {

/// Looks for keys that nothing reads, in the mappings whose keys are known.
class KeyCheck {
 public:
  KeyCheck(const YamlTree& tree, IssueList& issues) : tree_(tree), issues_(issues) {}

  void run() {
    const auto kind = tree_.find(FieldPath{"kind"});
    isJob_ = kind && tree_.node(tree_.resolved(*kind)).value == "job";
    for (const FieldPath& path : {FieldPath{}, FieldPath{"spec"}, FieldPath{"spec", "infrastructure"},
                                  field::infrastructure(), FieldPath{"spec", "runtime"}, field::runtime()})
      mapping(path);
    mapping(infrastructureField(tree_, "shapeConfigDetails"));
    items(infrastructureField(tree_, "storageMount"));
    items(field::runtime().child("env"));
    if (isJob_)
      job();
    else
      cluster();
  }

 private:
  void cluster() {
    const FieldPath cluster = field::cluster();
    mapping({"spec", "cluster"});
    mapping(cluster);
    const FieldPath certificate = cluster.child("certificate");
    for (const FieldPath& path : {certificate, certificate.child("cert"), certificate.child("caCert")})
      mapping(path);
    for (const FieldPath& owner :
         {cluster, cluster.child("main"), cluster.child("worker"), cluster.child("ps")}) {
      if (owner != cluster) mapping(owner);
      mapping(owner.child("config"));
      items(owner.child("config").child("env"));
    }
    const FieldPath multiNode{"spec", "multiNode"};
    const FieldPath groups = multiNode.child("groups");
    mapping(multiNode);
    mapping(groups);
    for (const char* role : {"main", "worker", "ps"}) {
      mapping(groups.child(role));
      mapping(groups.child(role).child("shapeConfigDetails"));
      mapping(groups.child(role).child("startupProbe"));
    }
  }

  void job() {
    const FieldPath runtime = field::runtime();
    for (const char* key : {"conda", "git", "dependencies"}) mapping(runtime.child(key));
  }

  [[nodiscard]] std::vector<KeySpelling> known(const FieldPath& path) const {
    return isJob_ ? knownJobKeys(path) : knownKeys(path);
  }

  void items(const FieldPath& list) {
    const auto id = tree_.find(list);
    if (!id) return;
    const YamlNode& node = tree_.node(tree_.resolved(*id));
    if (node.kind != NodeKind::Sequence) return;
    if (node.children.empty()) return;
    const std::vector<KeySpelling> keys = known(list.child(std::size_t{0}));
    for (std::size_t i = 0; i < node.children.size(); ++i)
      keysOf(node.children[i], keys, [&] { return list.child(i); });
  }

  void mapping(const FieldPath& path) {
    if (const auto id = tree_.find(path)) keysOf(*id, known(path), [&] { return path; });
  }

  template <class PathOf>
  void keysOf(NodeId id, const std::vector<KeySpelling>& known, PathOf pathOf) {
    const YamlNode& node = tree_.node(tree_.resolved(id));
    if (node.kind != NodeKind::Mapping || known.empty()) return;
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
    if (path == field::runtime().child("type")) return typeTooDeep(path, id);
    std::vector<std::string> names;
    for (const KeySpelling& spelling : known) names.push_back(spelling.key);
    const std::string meant = nearest(key, names);
    issues_.addAtKey(Severity::Warning, "unknown-key", path, id,
                     fmt::format("nothing reads {}, so its value has no effect", path.toString()),
                     meant.empty() ? "remove it" : "did you mean " + meant + "?");
    if (!meant.empty() && isSlip(key, meant) && wordDistance(key, meant) * 3 <= meant.size() &&
        isFree(mapping, meant, known))
      issues_.fix("rename it to " + meant, renaming(path, meant));
  }

  /// No spelling of the key is there yet.
  bool isFree(const FieldPath& mapping, const std::string& meant,
              const std::vector<KeySpelling>& known) const {
    for (const KeySpelling& spelling : known) {
      if (spelling.key != meant) continue;
      if (tree_.find(mapping.child(meant))) return false;
      for (const std::string& alias : spelling.aliases)
        if (tree_.find(mapping.child(alias))) return false;
    }
    return true;
  }

  /// The widespread `blockStorageSizeGB: 50GB` loses its unit as well.
  std::vector<FixStep> renaming(const FieldPath& path, const std::string& meant) const {
    std::vector<FixStep> steps{{FixStep::Kind::RenameKey, path, meant}};
    if (meant != "blockStorageSize") return steps;
    const YamlNode& node = tree_.node(tree_.resolved(*tree_.find(path)));
    if (node.kind != NodeKind::Scalar) return steps;
    const std::size_t unit = std::min(node.value.find_first_not_of("0123456789"), node.value.size());
    const std::string rest = upperCased(std::string(trimmed(std::string_view(node.value).substr(unit))));
    if (unit > 0 && (rest == "GB" || rest == "G" || rest == "GIB"))
      steps.push_back({FixStep::Kind::SetBare, path.parent().child(meant), node.value.substr(0, unit)});
    return steps;
  }

  void typeTooDeep(const FieldPath& path, NodeId id) {
    issues_.addAtKey(Severity::Warning, "unknown-key", path, id, "spec.runtime.spec.type is not read here",
                     "move it up, beside spec.runtime.kind");
    const YamlNode& node = tree_.node(tree_.resolved(*tree_.find(path)));
    const FieldPath above = path.parent().parent().child("type");
    const bool whole =
        tree_.find(path.parent().child("uri")) && (node.value == "git" || node.value == "remote");
    if (whole && !tree_.find(above))  // without uri the file would become an invalid one
      issues_.fix("move it up, beside spec.runtime.kind",
                  {{FixStep::Kind::Set, above, node.value}, {FixStep::Kind::Remove, path, {}}});
  }

  const YamlTree& tree_;
  IssueList& issues_;
  bool isJob_ = false;
};

}  // namespace

void checkKeys(const YamlTree& tree, IssueList& issues) {
  KeyCheck(tree, issues).run();
}

}  // namespace lockstep
