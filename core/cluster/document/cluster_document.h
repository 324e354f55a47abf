// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/field_path.h"
#include "base/issue.h"
#include "cluster/spec/cluster_spec.h"
#include "cluster/yaml/text_edit.h"

namespace lockstep {

class YamlTree;
struct VerifiedEdit;

/// One scalar of the document as a form field wants to show it.
struct ScalarView {
  std::string value;  // what the planner would use (YAML 1.1, Python str): `010` reads "8"
  std::string raw;    // what the file says, quotes removed
  TextPosition place;
};

/// A train.yaml. The document is the text; everything else here is derived from it. Immutable, and cheap to
/// copy: copies share what they hold. An edit yields the TextEdit; edited() is the document after it (keep
/// the edit for undo). Pure: no I/O. Bounded: texts above 8 MiB, deeper than 64 levels or with alias bombs
/// are refused with an issue. May be used from several threads at once. One that was moved from can only be
/// assigned to.
class ClusterDocument {
 public:
  explicit ClusterDocument(std::string text);
  /// ClusterDocument(applyEdit(text(), edit)), but sooner for an edit that this document gave last, and for
  /// one within a scalar value: the text is not read all over again.
  [[nodiscard]] ClusterDocument edited(const TextEdit& edit) const;
  /// When both documents say the same and differ only in how one scalar value is written (quotes, escapes,
  /// lines): the edit that writes it as `other` does. Else nullopt.
  [[nodiscard]] std::optional<TextEdit> respelledAs(const ClusterDocument& other) const;

  [[nodiscard]] const std::string& text() const;
  /// Whether the text is YAML at all; if not, issues() holds one error with its line and column.
  [[nodiscard]] bool isParsable() const;
  /// Read when first asked for, with issues().
  [[nodiscard]] const ClusterSpec& spec() const;
  /// Everything that is wrong or worth knowing: syntax, schema, types, ranges, OCIDs, image, work dir,
  /// placeholders. Sorted by place.
  [[nodiscard]] const std::vector<Issue>& issues() const;

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
  struct State;
  ClusterDocument(std::string text, std::shared_ptr<const YamlTree> tree);
  [[nodiscard]] Result<std::shared_ptr<const YamlTree>> editable(const FieldPath& path) const;
  Result<TextEdit> remembered(Result<VerifiedEdit> edit) const;

  std::shared_ptr<State> state_;
};

}  // namespace lockstep
