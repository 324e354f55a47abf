// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "cluster/document/cluster_document.h"
#include "widgets/cluster/document/editable_cluster.h"
#include "widgets/common/pickers/resource_choices.h"

namespace lockstep {

enum class FieldKind {
  Text,       // any text
  Suggested,  // any text, with suggestions
  Choice,     // one of the choices (or what the file says)
  Count,      // a whole number with a spin box
  Number,     // a number, written without quotes
  Arguments,  // a list of arguments or one text, edited as one line
  Shape,      // any text, with the table of shapes
  Resource,   // any text, with the names that the tenancy has for it
};

/// One choice of a field: what the file gets, and what people read ("" : as the file's).
struct FieldChoice {
  QString value;
  QString text;
};

/// Which files a field is for. The two kinds have keys of the same place that mean different things.
enum class FileKind { Any, Cluster, Job };

/// One row of the form: which place of the document it edits, how, and when it is of use.
struct FieldBinding {
  QString section;
  QString label = {};
  std::vector<FieldPath> paths = {};  // accepted spellings; a new value goes to the first
  FieldKind kind = FieldKind::Text;
  FileKind file = FileKind::Any;
  bool isHalf = false;      // shares its line with the next one
  bool isOptional = false;  // emptied: the key goes
  bool isRare = false;      // shown when the file has it, or when the section shows all it has
  bool isList = false;      // Arguments: a text instead of a list would mean something else
  QString placeholder = {};
  QString help = {};  // tool tip
  std::vector<FieldChoice> choices = {};
  std::optional<FieldPath> removedAtZero = std::nullopt;  // Count: 0 removes this mapping
  std::optional<ResourceKind> resource = std::nullopt;    // Resource: of what kind
  /// Whether the field means anything in such a document; nullptr: always. A field that the file has is
  /// shown all the same.
  bool (*isRelevant)(const ClusterDocument& document) = nullptr;
  /// What to know about the field in such a document; nullptr: nothing.
  QString (*hint)(const ClusterDocument& document) = nullptr;
};

/// The whole form, in the order in which it is shown: for `kind: distributed` and for `kind: job`. The only
/// place that knows which widget edits which key.
[[nodiscard]] std::vector<FieldBinding> clusterFormBindings();

/// The spelling that the document uses, or the first one.
[[nodiscard]] const FieldPath& pathIn(const FieldBinding& binding, const ClusterDocument& document);

/// What the field shows; nullopt: the document has nothing there.
[[nodiscard]] std::optional<QString> textOf(const FieldBinding& binding, const ClusterDocument& document);

/// Whether the form has to offer the field for this document; `showsAll`: the rarely used ones, too.
[[nodiscard]] bool isWanted(const FieldBinding& binding, const ClusterDocument& document, bool showsAll);

/// What the service will get, when YAML 1.1 makes it something else than the file seems to say; otherwise
/// empty.
[[nodiscard]] QString resolvedNote(const FieldBinding& binding, const ClusterDocument& document);

/// The steps that give the field another text. None: there is nothing to change.
[[nodiscard]] std::vector<EditableCluster::Step> stepsToSet(const FieldBinding& binding,
                                                            const ClusterDocument& document,
                                                            const QString& text);

}  // namespace lockstep
