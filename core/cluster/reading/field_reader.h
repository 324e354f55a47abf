// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/reading/issue_list.h"
#include "cluster/spec/cluster_spec.h"
#include "cluster/yaml/yaml_tree.h"

namespace lockstep {

/// Reads single values of a document as `ads` would (ads-contract 1.3); what has the wrong type is reported
/// and counts as not given. Refers to tree and issues.
class FieldReader {
 public:
  FieldReader(const YamlTree& tree, IssueList& issues) : tree_(tree), issues_(issues) {}

  [[nodiscard]] const YamlTree& tree() const { return tree_; }
  IssueList& issues() { return issues_; }

  /// The node with aliases followed; nullptr when there is none or it is null.
  [[nodiscard]] const YamlNode* valueAt(const FieldPath& path) const;
  /// The path of the mapping's key under the first of these spellings that the document has; under the first
  /// when it has none.
  [[nodiscard]] FieldPath spelled(const FieldPath& mapping, const std::vector<std::string>& spellings) const;
  /// Whether there is a mapping with at least one key; anything else but nothing is reported.
  bool hasMapping(const FieldPath& path);
  /// The items' paths of a list; nothing when there is none.
  std::vector<FieldPath> items(const FieldPath& path, const char* expected);

  /// str() of a scalar. Says so when that is not what the file shows.
  std::optional<std::string> text(const FieldPath& path);
  std::optional<long long> whole(const FieldPath& path);
  std::optional<double> number(const FieldPath& path);
  /// str() of anything that is there, for the fields that `ads` passes on as they come.
  [[nodiscard]] std::string anything(const FieldPath& path) const;
  /// Python's truth of a value.
  [[nodiscard]] bool isTrue(const FieldPath& path) const;

  /// [{name, value}]. Items that cannot be used are reported and left out.
  std::vector<EnvVar> env(const FieldPath& path);
  /// str() of the items of a list of scalars.
  std::vector<std::string> texts(const FieldPath& path);
  /// The list that `ads` joins with blanks: a plain text falls apart into its letters.
  std::vector<std::string> startOptions(const FieldPath& path);
  /// A list joined with blanks, or str() of a scalar.
  std::optional<std::string> args(const FieldPath& path);
  /// str() of the pairs of a mapping of scalars.
  std::vector<std::pair<std::string, std::string>> pairs(const FieldPath& path);

 private:
  void wrongType(const FieldPath& path, const YamlNode& node, const char* expected);
  void warnAboutReading(const FieldPath& path, const YamlNode& node);
  void fixNumber(const FieldPath& path, const YamlNode& node);
  void fixStartOptions(const FieldPath& path, const YamlNode& node);
  std::string envValue(const FieldPath& path, NodeId at);
  std::vector<std::string> letters(const FieldPath& path, const std::string& value);

  const YamlTree& tree_;
  IssueList& issues_;
};

}  // namespace lockstep
