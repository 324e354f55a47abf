// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "base/issue.h"
#include "base/status.h"
#include "cluster/cluster_spec.h"

namespace lockstep {

class YamlTree;

/// One replacement in a text, in bytes. Applying {offset, inserted, removed} undoes it.
struct TextEdit {
  std::size_t offset = 0;
  std::string removed;
  std::string inserted;
};
[[nodiscard]] std::string applyEdit(std::string text, const TextEdit& edit);

/// One scalar of the document as a form field wants to show it.
struct ScalarView {
  std::string value;  // what the planner would use (YAML 1.1, Python str): `010` reads "8"
  std::string raw;    // what the file says, quotes removed
  TextPlace place;
};

/// A train.yaml. The document is the text; everything else here is derived from it. Immutable: an edit yields
/// the TextEdit, and the caller makes a new document from the edited text (and keeps the edit for undo).
/// Pure: no I/O. Bounded: texts above 8 MiB, deeper than 64 levels or with alias bombs are refused with an
/// issue.
class ClusterDocument {
 public:
  explicit ClusterDocument(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Whether the text is YAML at all; if not, issues() holds one error with its line and column.
  [[nodiscard]] bool isParsable() const { return parsable_; }
  [[nodiscard]] const ClusterSpec& spec() const { return spec_; }
  /// Everything that is wrong or worth knowing: syntax, schema, types, ranges, OCIDs, image, work dir,
  /// placeholders. Sorted by place.
  [[nodiscard]] const std::vector<Issue>& issues() const { return issues_; }

  [[nodiscard]] std::optional<ScalarView> scalar(const FieldPath& path) const;
  /// Keys of a mapping or the length of a sequence at `path`; nullopt when there is none.
  [[nodiscard]] std::optional<std::vector<std::string>> keysAt(const FieldPath& path) const;
  [[nodiscard]] std::optional<std::size_t> lengthAt(const FieldPath& path) const;

  /// Sets one scalar, creating missing mappings on the way; only that scalar's characters change. The value
  /// is quoted when YAML 1.1 would otherwise read it as something else than the text given, unless `plain`
  /// asks for a bare number or boolean.
  [[nodiscard]] Result<TextEdit> setScalar(const FieldPath& path, std::string_view value,
                                           bool plain = false) const;
  /// Appends {name, value} to the env list at `path` (creating it).
  [[nodiscard]] Result<TextEdit> appendEnv(const FieldPath& path, const EnvVar& variable) const;
  /// Appends one text to the list at `path` (creating it), e.g. an element of args.
  [[nodiscard]] Result<TextEdit> appendItem(const FieldPath& path, std::string_view value) const;
  /// Removes a key or a list item with its own lines and comments on them. A mapping or list that loses its
  /// only part stays, as `{}` or `[]`.
  [[nodiscard]] Result<TextEdit> remove(const FieldPath& path) const;
  /// Changes the characters of one key and nothing else: its value, quotes, anchor and comments stay. Refused
  /// when the mapping has the new key already (also through a merge), or when other places share the key
  /// through an alias or a merge. Of a key that is given twice, the last one, which counts, is renamed.
  [[nodiscard]] Result<TextEdit> renameKey(const FieldPath& key, std::string_view newName) const;

 private:
  [[nodiscard]] Result<std::shared_ptr<const YamlTree>> editable(const FieldPath& path) const;

  std::string text_;
  bool parsable_ = false;
  std::shared_ptr<const YamlTree> tree_;  // immutable, so copies of the document share it
  ClusterSpec spec_;
  std::vector<Issue> issues_;
};

}  // namespace lockstep
