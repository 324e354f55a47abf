// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "cluster/reading/issue_list.h"
#include "cluster/spec/cluster_spec.h"
#include "cluster/yaml/yaml_tree.h"

namespace lockstep {

/// Reads what a train.yaml says, keys and spellings of ads-contract 1.2. What cannot be read (a list where a
/// text belongs) goes to `issues`, and the field stays unset. Missing fields are no matter here: the checks
/// look for them.
[[nodiscard]] ClusterSpec readTrainYaml(const YamlTree& tree, IssueList& issues);

namespace field {
// Places in a train.yaml that several files speak of.
inline FieldPath infrastructure() {
  return {"spec", "infrastructure", "spec"};
}
inline FieldPath cluster() {
  return {"spec", "cluster", "spec"};
}
inline FieldPath runtime() {
  return {"spec", "runtime", "spec"};
}
}  // namespace field

/// The spelling under which the document has an infrastructure key (`projectId` or `project_id`); the first
/// spelling when it has none.
[[nodiscard]] FieldPath infrastructureField(const YamlTree& tree, const std::string& key);

}  // namespace lockstep
