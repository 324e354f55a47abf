// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "base/status.h"
#include "cluster/cluster_document.h"
#include "cluster/yaml_tree.h"
#include "cluster/yaml_writer.h"

namespace lockstep {

/// A text and its nodes. Both must outlive the editor.
struct YamlText {
  const std::string& text;
  const YamlTree& tree;
};

/// See ClusterDocument. Each result was applied and parsed again before it is returned: an edit that would
/// change anything else than it should is refused instead.
[[nodiscard]] Result<TextEdit> setScalarEdit(const YamlText& yaml, const FieldPath& path,
                                             std::string_view value, bool plain);
/// Appends to the list at `path`, creating it.
[[nodiscard]] Result<TextEdit> appendEdit(const YamlText& yaml, const FieldPath& path, const NewValue& item);
[[nodiscard]] Result<TextEdit> removeEdit(const YamlText& yaml, const FieldPath& path);
[[nodiscard]] Result<TextEdit> renameKeyEdit(const YamlText& yaml, const FieldPath& path,
                                             std::string_view newName);

}  // namespace lockstep
