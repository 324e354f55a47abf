// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/env_lists.h"

#include "cluster/reading/train_yaml.h"
#include "cluster/yaml/python_text.h"

namespace lockstep {
namespace {

std::vector<ListedVariable> variablesAt(const YamlTree& tree, const FieldPath& list) {
  std::vector<ListedVariable> variables;
  const auto id = tree.find(list);
  if (!id) return variables;
  const YamlNode& node = tree.node(tree.resolved(*id));
  if (node.kind != NodeKind::Sequence) return variables;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const auto name = tree.valueOf(node.children[i], "name");
    const auto value = tree.valueOf(node.children[i], "value");
    if (name && value) variables.push_back({i, pythonStr(tree, *name), pythonStr(tree, *value)});
  }
  return variables;
}

FieldPath roleEnv(const char* role) {
  return field::cluster().child(role).child("config").child("env");
}

}  // namespace

EnvLists::EnvLists(const YamlTree& tree)
    : lists_{{{field::cluster().child("config").child("env"), EnvScope::Cluster, NodeRole::Main, {}},
              {roleEnv("main"), EnvScope::Role, NodeRole::Main, {}},
              {roleEnv("worker"), EnvScope::Role, NodeRole::Worker, {}},
              {roleEnv("ps"), EnvScope::Role, NodeRole::ParameterServer, {}},
              {field::runtime().child("env"), EnvScope::Runtime, NodeRole::Main, {}}}} {
  for (EnvList& list : lists_) list.variables = variablesAt(tree, list.path);
}

std::optional<EnvLists::Seen> EnvLists::seenBy(NodeRole role, std::string_view name) const {
  const auto in = [&](const EnvList& list) -> std::optional<Seen> {
    for (auto it = list.variables.rbegin(); it != list.variables.rend(); ++it) {
      if (it->name == name) return Seen{&list, &*it};
    }
    return std::nullopt;
  };
  for (const EnvList& list : lists_) {
    if (list.scope != EnvScope::Role || list.role != role) continue;
    if (auto seen = in(list)) return seen;
  }
  if (auto seen = in(lists_[4])) return seen;
  return in(lists_[0]);
}

std::optional<std::string> EnvLists::valueFor(NodeRole role, std::string_view name) const {
  const auto seen = seenBy(role, name);
  return seen ? std::optional(seen->variable->value) : std::nullopt;
}

}  // namespace lockstep
