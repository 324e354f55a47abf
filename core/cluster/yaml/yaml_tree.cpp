// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/yaml_tree.h"

#include <unordered_map>

#include "cluster/yaml/yaml_scalar.h"

namespace lockstep {

bool YamlTree::isMergeKey(NodeId key) const {
  const YamlNode& n = nodes_[resolved(key)];
  return n.kind == NodeKind::Scalar && n.resolvesType && n.value == "<<";
}

std::optional<std::size_t> YamlTree::entryOf(NodeId mapping, std::string_view key) const {
  const NodeId id = resolved(mapping);
  const YamlNode& n = nodes_[id];
  if (n.kind != NodeKind::Mapping) return std::nullopt;
  if (n.children.size() >= kLargeMapping) {
    const Entries& entries = *largeMappings_.at(id);
    const auto entry = entries.find(std::string(key));
    return entry == entries.end() ? std::nullopt : std::optional(entry->second);
  }
  for (std::size_t i = n.children.size(); i >= 2; i -= 2) {
    const YamlNode& k = nodes_[resolved(n.children[i - 2])];
    if (k.value == key && k.kind == NodeKind::Scalar && !isMergeKey(n.children[i - 2])) return i - 2;
  }
  return std::nullopt;
}

std::vector<NodeId> YamlTree::mergedMappings(NodeId value) const {
  const NodeId id = resolved(value);
  const YamlNode& n = nodes_[id];
  if (n.kind == NodeKind::Mapping) return {id};
  std::vector<NodeId> found;
  if (n.kind != NodeKind::Sequence) return found;
  for (auto item = n.children.rbegin(); item != n.children.rend(); ++item) {
    if (nodes_[resolved(*item)].kind == NodeKind::Mapping) found.push_back(resolved(*item));
  }
  return found;
}

std::optional<NodeId> YamlTree::valueOf(NodeId mapping, std::string_view key) const {
  const NodeId id = resolved(mapping);
  const YamlNode& n = nodes_[id];
  if (n.kind != NodeKind::Mapping) return std::nullopt;
  if (const auto entry = entryOf(id, key)) return n.children[*entry + 1];
  if (!n.merges) return std::nullopt;
  for (std::size_t i = n.children.size(); i >= 2; i -= 2) {
    if (!isMergeKey(n.children[i - 2])) continue;
    const std::vector<NodeId> merged = mergedMappings(n.children[i - 1]);
    for (auto m = merged.rbegin(); m != merged.rend(); ++m) {
      if (const auto value = valueOf(*m, key)) return value;
    }
  }
  return std::nullopt;
}

std::optional<NodeId> YamlTree::find(const FieldPath& path) const {
  std::optional<NodeId> at = root_;
  for (const FieldPath::Element& element : path.elements()) {
    if (!at) return std::nullopt;
    if (const auto* key = std::get_if<std::string>(&element)) {
      at = valueOf(*at, *key);
      continue;
    }
    const YamlNode& n = nodes_[resolved(*at)];
    const std::size_t index = std::get<std::size_t>(element);
    if (n.kind != NodeKind::Sequence || index >= n.children.size()) return std::nullopt;
    at = n.children[index];
  }
  return at;
}

void YamlTree::collectPairs(NodeId mapping, std::vector<std::pair<NodeId, NodeId>>& pairs) const {
  const YamlNode& n = nodes_[mapping];
  for (std::size_t i = 0; i + 1 < n.children.size(); i += 2) {
    if (!isMergeKey(n.children[i])) continue;
    for (const NodeId merged : mergedMappings(n.children[i + 1])) collectPairs(merged, pairs);
  }
  for (std::size_t i = 0; i + 1 < n.children.size(); i += 2) {
    if (!isMergeKey(n.children[i])) pairs.emplace_back(n.children[i], n.children[i + 1]);
  }
}

std::vector<std::pair<NodeId, NodeId>> YamlTree::pairsOf(NodeId mapping) const {
  std::vector<std::pair<NodeId, NodeId>> all;
  const NodeId id = resolved(mapping);
  if (nodes_[id].kind != NodeKind::Mapping) return all;
  collectPairs(id, all);
  std::vector<std::pair<NodeId, NodeId>> once;
  std::unordered_map<std::string, std::size_t> seen;
  for (const auto& [key, value] : all) {
    const YamlNode& k = nodes_[resolved(key)];
    if (k.kind != NodeKind::Scalar) {
      once.emplace_back(key, value);
      continue;
    }
    const YamlScalar scalar = resolveScalar(k);
    const bool isText = scalar.type == ScalarType::String || scalar.type == ScalarType::Invalid;
    const auto [at, isNew] = seen.try_emplace(isText ? "'" + scalar.text : scalar.repr(), once.size());
    if (isNew)
      once.emplace_back(key, value);
    else
      once[at->second].second = value;  // Python keeps the first key and its place
  }
  return once;
}

}  // namespace lockstep
