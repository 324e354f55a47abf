// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>

#include "base/error.h"
#include "cluster/yaml/text_edit.h"
#include "cluster/yaml/yaml_tree.h"
#include "cluster/yaml/yaml_writer.h"

namespace lockstep {

/// A text and its nodes. Both must outlive the editor.
struct YamlText {
  const std::string& text;
  const YamlTree& tree;
};

/// An edit that was applied and read again, and the nodes of the text after it.
struct VerifiedEdit {
  TextEdit edit;
  std::shared_ptr<const YamlTree> tree;
};

/// The nodes after the edit, by the shortest way; the issue says why the text would be no document any more.
[[nodiscard]] tl::expected<std::shared_ptr<const YamlTree>, Issue> treeAfter(const YamlText& yaml,
                                                                             const TextEdit& edit);

/// See ClusterDocument::respelledAs.
[[nodiscard]] std::optional<TextEdit> respelling(const YamlText& from, const YamlText& to);

/// See ClusterDocument. Each result was applied and read again before it is returned: an edit that would
/// change anything else than it should is refused instead.
[[nodiscard]] Result<VerifiedEdit> setScalarEdit(const YamlText& yaml, const FieldPath& path,
                                                 std::string_view value, bool plain);
/// Appends to the list at `path`, creating it.
[[nodiscard]] Result<VerifiedEdit> appendEdit(const YamlText& yaml, const FieldPath& path,
                                              const NewValue& item);
[[nodiscard]] Result<VerifiedEdit> removeEdit(const YamlText& yaml, const FieldPath& path);
[[nodiscard]] Result<VerifiedEdit> renameKeyEdit(const YamlText& yaml, const FieldPath& path,
                                                 std::string_view newName);

}  // namespace lockstep
