// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/fields/field_binding.h"

#include "widgets/cluster/fields/arguments_edit.h"
#include "widgets/cluster/fields/form_bindings.h"
#include "widgets/cluster/fields/form_texts.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

bool isPlainNumber(const FieldBinding& binding, const QString& value) {
  if (binding.kind != FieldKind::Number && binding.kind != FieldKind::Count) return false;
  bool isNumber = false;
  value.toDouble(&isNumber);
  return isNumber;
}

bool isInFile(const FieldBinding& binding, const ClusterDocument& document) {
  const FieldPath& path = pathIn(binding, document);
  return document.scalar(path) || document.lengthAt(path) || document.keysAt(path);
}

}  // namespace

std::vector<FieldBinding> clusterFormBindings() {
  std::vector<FieldBinding> all;
  const auto add = [&](void (*section)(std::vector<FieldBinding>&), FileKind file) {
    const std::size_t first = all.size();
    section(all);
    for (std::size_t i = first; i < all.size(); ++i) all[i].file = file;
  };
  add(addClusterSection, FileKind::Cluster);
  add(addJobSection, FileKind::Job);
  add(addNodesSection, FileKind::Cluster);
  add(addMachineSection, FileKind::Any);
  add(addTenancySection, FileKind::Any);
  add(addCertificateSection, FileKind::Cluster);
  add(addCodeSection, FileKind::Cluster);
  add(addJobCodeSection, FileKind::Job);
  return all;
}

const FieldPath& pathIn(const FieldBinding& binding, const ClusterDocument& document) {
  if (binding.paths.size() == 1) return binding.paths.front();
  for (const FieldPath& path : binding.paths)
    if (document.scalar(path) || document.lengthAt(path)) return path;
  return binding.paths.front();
}

std::optional<QString> textOf(const FieldBinding& binding, const ClusterDocument& document) {
  const FieldPath& path = pathIn(binding, document);
  if (binding.kind == FieldKind::Arguments) {
    const auto line = argumentsLine(document, path);
    return line ? std::optional(toQString(*line)) : std::nullopt;
  }
  if (const auto scalar = document.scalar(path)) return toQString(scalar->raw);
  // A role that is there without a count has one node.
  if (binding.removedAtZero && document.keysAt(*binding.removedAtZero)) return QStringLiteral("1");
  return std::nullopt;
}

bool isWanted(const FieldBinding& binding, const ClusterDocument& document, bool showsAll) {
  if (binding.file == FileKind::Cluster && isJobFile(document)) return false;
  if (binding.file == FileKind::Job && !isJobFile(document)) return false;
  const bool isRelevant = !binding.isRelevant || binding.isRelevant(document);
  if (isRelevant && (!binding.isRare || showsAll)) return true;
  return isInFile(binding, document);
}

QString resolvedNote(const FieldBinding& binding, const ClusterDocument& document) {
  const auto scalar = document.scalar(pathIn(binding, document));
  if (!scalar || scalar->raw == scalar->value) return {};
  if (scalar->raw.empty()) return FormTexts::tr("Empty: the value is “%1”").arg(toQString(scalar->value));
  return FormTexts::tr("YAML reads this as “%1”").arg(toQString(scalar->value));
}

std::vector<EditableCluster::Step> stepsToSet(const FieldBinding& binding, const ClusterDocument& document,
                                              const QString& value) {
  const FieldPath path = pathIn(binding, document);
  const std::string bytes = toStdString(value);
  const auto removeAt = [](const FieldPath& place) -> std::vector<EditableCluster::Step> {
    return {[place](const ClusterDocument& present) { return present.remove(place); }};
  };
  if (binding.kind == FieldKind::Arguments)
    return stepsToSetArguments(document, path, bytes,
                               binding.isList ? ArgumentsForm::List : ArgumentsForm::Any);
  if (binding.removedAtZero && value == QLatin1String("0"))
    return document.keysAt(*binding.removedAtZero) ? removeAt(*binding.removedAtZero)
                                                   : std::vector<EditableCluster::Step>{};
  if (binding.kind == FieldKind::Choice && value.isEmpty())
    return document.scalar(path) ? removeAt(path) : std::vector<EditableCluster::Step>{};
  const bool plain = isPlainNumber(binding, value);
  return {
      [path, bytes, plain](const ClusterDocument& present) { return present.setScalar(path, bytes, plain); }};
}

}  // namespace lockstep
