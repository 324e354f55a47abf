// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/spec/cluster_spec.h"
#include "cluster/yaml/yaml_tree.h"

namespace lockstep {

enum class EnvScope { Cluster, Role, Runtime };

/// One complete item of an env list, as text.
struct ListedVariable {
  std::size_t index = 0;
  std::string name, value;
};

struct EnvList {
  FieldPath path;
  EnvScope scope = EnvScope::Cluster;
  NodeRole role = NodeRole::Main;  // of EnvScope::Role
  std::vector<ListedVariable> variables;

  [[nodiscard]] FieldPath itemOf(const ListedVariable& v) const { return path.child(v.index); }
  [[nodiscard]] FieldPath nameOf(const ListedVariable& v) const { return itemOf(v).child("name"); }
  [[nodiscard]] FieldPath valueOf(const ListedVariable& v) const { return itemOf(v).child("value"); }
};

/// The env lists of a document with the places of their variables, which the ClusterSpec does not have.
class EnvLists {
 public:
  explicit EnvLists(const YamlTree& tree);
  EnvLists(const EnvLists&) = delete;
  EnvLists& operator=(const EnvLists&) = delete;

  struct Seen {
    const EnvList* list = nullptr;
    const ListedVariable* variable = nullptr;
  };
  [[nodiscard]] const std::array<EnvList, 5>& lists() const { return lists_; }
  /// The variable that counts on the nodes of a role (ads-contract 2.3): its own, else the runtime's, else
  /// the cluster's; the last of a name in its list.
  [[nodiscard]] std::optional<Seen> seenBy(NodeRole role, std::string_view name) const;
  /// Its value, when it is set.
  [[nodiscard]] std::optional<std::string> valueFor(NodeRole role, std::string_view name) const;

 private:
  std::array<EnvList, 5> lists_;  // cluster, main, worker, ps, runtime
};

}  // namespace lockstep
