// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "base/field_path.h"
#include "base/issue.h"
#include "cluster/yaml/text_index.h"
#include "cluster/yaml/yaml_tree.h"

namespace lockstep {

/// Collects issues about the fields of one document and gives each its place. Refers to tree and index.
class IssueList {
 public:
  IssueList(const YamlTree& tree, const TextIndex& index) : tree_(tree), index_(index) {}

  void add(Severity severity, std::string code, const FieldPath& field, std::string message,
           std::string remedy = {});
  void error(std::string code, const FieldPath& field, std::string message, std::string remedy = {});
  void warning(std::string code, const FieldPath& field, std::string message, std::string remedy = {});
  void info(std::string code, const FieldPath& field, std::string message, std::string remedy = {});
  /// About one key rather than its value: an unknown or doubled one.
  void addAtKey(Severity severity, std::string code, const FieldPath& field, NodeId key, std::string message,
                std::string remedy = {});

  /// The fix of the issue that was added last.
  void fix(std::string title, std::vector<FixStep> steps);

  /// Further issues are only counted, so their messages need not be made.
  [[nodiscard]] bool isFull() const;

  [[nodiscard]] TextPosition placeOf(const FieldPath& field) const;
  /// All issues, by place, but what follows from another one right below that. After the first thousand there is one that says how many more there are.
  [[nodiscard]] std::vector<Issue> take();

 private:
  const YamlTree& tree_;
  const TextIndex& index_;
  void keep(Issue issue);

  std::vector<Issue> issues_;
  std::size_t dropped_ = 0;
  bool lastWasKept_ = false;
  Severity worstDropped_ = Severity::Info;
};

/// The place of a field: of its value; of its key when the value is empty; of the nearest key above that
/// exists.
[[nodiscard]] TextPosition placeOfField(const YamlTree& tree, const TextIndex& index, const FieldPath& field);

/// A value in a message: quoted, cut when it is long.
[[nodiscard]] std::string shown(const std::string& value);

}  // namespace lockstep
