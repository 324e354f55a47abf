// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/field_binding.h"

#include <QCoreApplication>

#include "widgets/cluster/arguments_edit.h"
#include "widgets/common/qt_convert.h"

namespace lockstep {
namespace {

QString text(const char* source) {
  return QCoreApplication::translate("lockstep::ClusterForm", source);
}

FieldPath infrastructure(const char* key) {
  return {"spec", "infrastructure", "spec", key};
}
FieldPath cluster(const char* key) {
  return {"spec", "cluster", "spec", key};
}
FieldPath role(const char* name, const char* key) {
  return {"spec", "cluster", "spec", name, key};
}
FieldPath code(const char* key) {
  return {"spec", "runtime", "spec", key};
}
FieldPath shapeDetail(const char* map, const char* key) {
  return {"spec", "infrastructure", "spec", map, key};
}

std::vector<FieldPath> shapeDetails(const char* key, const char* snakeKey) {
  std::vector<FieldPath> paths;
  for (const char* map : {"shapeConfigDetails", "shape_config_details", "job_shape_config_details"})
    for (const char* spelling : {key, snakeKey}) paths.push_back(shapeDetail(map, spelling));
  return paths;
}

void addClusterSection(std::vector<FieldBinding>& all) {
  const QString section = text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Cluster"));
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "&Name")),
                 {cluster("name")},
                 FieldKind::Text,
                 true,
                 true,
                 {},
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "The job is created under this name.")),
                 {},
                 {}});
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Fra&mework")),
                 {FieldPath{"spec", "cluster", "kind"}},
                 FieldKind::Choice,
                 true,
                 false,
                 {},
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm",
                                        "What runs the ranks. This version launches PyTorch.")),
                 {{QStringLiteral("PYTORCH"), QStringLiteral("PyTorch")}},
                 {}});
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Container &image")),
                 {cluster("image")},
                 FieldKind::Text,
                 false,
                 false,
                 QStringLiteral("iad.ocir.io/namespace/repository:tag"),
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Every node runs this image.")),
                 {},
                 {}});
  all.push_back(
      {section,
       text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "&Work directory")),
       {cluster("workDir")},
       FieldKind::Text,
       false,
       false,
       QStringLiteral("oci://bucket@namespace/prefix"),
       text(QT_TRANSLATE_NOOP("lockstep::ClusterForm",
                              "Folder in object storage where the nodes meet and leave their records.")),
       {},
       {}});
}

void addNodesSection(std::vector<FieldBinding>& all) {
  const QString section = text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Nodes"));
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Main no&de name")),
                 {role("main", "name")},
                 FieldKind::Text,
                 true,
                 true,
                 QStringLiteral("main"),
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "The main node is where rank 0 runs.")),
                 {},
                 {}});
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Wor&ker name")),
                 {role("worker", "name")},
                 FieldKind::Text,
                 true,
                 true,
                 QStringLiteral("worker"),
                 {},
                 {},
                 {}});
  all.push_back(
      {section,
       text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Worke&rs")),
       {role("worker", "replicas")},
       FieldKind::Count,
       true,
       false,
       {},
       text(QT_TRANSLATE_NOOP("lockstep::ClusterForm",
                              "Worker nodes besides the main node: the cluster has one node more.")),
       {},
       cluster("worker")});
}

void addMachineSection(std::vector<FieldBinding>& all) {
  const QString section = text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Machine of each node"));
  std::vector<FieldChoice> shapes;
  for (const char* name : {"VM.Standard.E4.Flex", "VM.Standard.E5.Flex", "VM.Standard3.Flex",
                           "VM.Optimized3.Flex", "VM.GPU.A10.1", "VM.GPU.A10.2", "BM.GPU.A10.4", "VM.GPU2.1",
                           "VM.GPU3.1", "VM.GPU3.2", "VM.GPU3.4", "BM.GPU4.8"})
    shapes.push_back({QString::fromLatin1(name), QString()});
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "S&hape")),
                 {infrastructure("shapeName"), infrastructure("shape_name")},
                 FieldKind::Suggested,
                 true,
                 false,
                 QStringLiteral("VM.GPU.A10.1"),
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "The compute shape of every node.")),
                 shapes,
                 {}});
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Block stora&ge (GB)")),
                 {infrastructure("blockStorageSize"), infrastructure("block_storage_size"),
                  infrastructure("block_storage_size_in_GBs")},
                 FieldKind::Number,
                 true,
                 true,
                 QStringLiteral("50"),
                 {},
                 {},
                 {}});
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "OC&PUs")),
                 shapeDetails("ocpus", "ocpus"),
                 FieldKind::Number,
                 true,
                 true,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "flexible shapes")),
                 {},
                 {},
                 {}});
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Memor&y (GB)")),
                 shapeDetails("memoryInGBs", "memory_in_gbs"),
                 FieldKind::Number,
                 true,
                 true,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "flexible shapes")),
                 {},
                 {},
                 {}});
}

void addOcid(std::vector<FieldBinding>& all, const QString& section, const char* label, const char* key,
             const char* snakeKey, const char* kind, bool isOptional) {
  all.push_back({section,
                 text(label),
                 {infrastructure(key), infrastructure(snakeKey)},
                 FieldKind::Text,
                 false,
                 isOptional,
                 QStringLiteral("ocid1.%1.oc1…").arg(QLatin1String(kind)),
                 {},
                 {},
                 {}});
}

void addTenancySection(std::vector<FieldBinding>& all) {
  const QString section = text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Where it runs"));
  addOcid(all, section, QT_TRANSLATE_NOOP("lockstep::ClusterForm", "&Compartment"), "compartmentId",
          "compartment_id", "compartment", false);
  addOcid(all, section, QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Pro&ject"), "projectId", "project_id",
          "datascienceproject", false);
  addOcid(all, section, QT_TRANSLATE_NOOP("lockstep::ClusterForm", "S&ubnet"), "subnetId", "subnet_id",
          "subnet", true);
  addOcid(all, section, QT_TRANSLATE_NOOP("lockstep::ClusterForm", "&Log group"), "logGroupId",
          "log_group_id", "loggroup", true);
  addOcid(all, section, QT_TRANSLATE_NOOP("lockstep::ClusterForm", "L&og"), "logId", "log_id", "log", true);
}

void addCodeSection(std::vector<FieldBinding>& all) {
  const QString section = text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Training code"));
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "&Entry point")),
                 {code("entryPoint")},
                 FieldKind::Text,
                 true,
                 false,
                 QStringLiteral("train.py"),
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "The program that every rank runs.")),
                 {},
                 {}});
  all.push_back(
      {section,
       text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Code &from")),
       {FieldPath{"spec", "runtime", "type"}},
       FieldKind::Choice,
       true,
       true,
       {},
       {},
       {{QString(), text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "the container image"))},
        {QStringLiteral("git"), text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "a Git repository"))},
        {QStringLiteral("remote"), text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "object storage"))}},
       {}});
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Argumen&ts")),
                 {code("args")},
                 FieldKind::Arguments,
                 false,
                 true,
                 QStringLiteral("--epochs 10"),
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Passed to the entry point of every rank.")),
                 {},
                 {}});
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Code UR&I")),
                 {code("uri")},
                 FieldKind::Text,
                 true,
                 true,
                 QStringLiteral("https://…/repository.git"),
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Used when the code is not in the image.")),
                 {},
                 {}});
  all.push_back({section,
                 text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "&Branch")),
                 {code("branch")},
                 FieldKind::Text,
                 true,
                 true,
                 QStringLiteral("main"),
                 {},
                 {},
                 {}});
}

bool isPlainNumber(const FieldBinding& binding, const QString& value) {
  if (binding.kind != FieldKind::Number && binding.kind != FieldKind::Count) return false;
  bool isNumber = false;
  value.toDouble(&isNumber);
  return isNumber;
}

}  // namespace

std::vector<FieldBinding> clusterFormBindings() {
  std::vector<FieldBinding> all;
  addClusterSection(all);
  addNodesSection(all);
  addMachineSection(all);
  addTenancySection(all);
  addCodeSection(all);
  return all;
}

const FieldPath& pathIn(const FieldBinding& binding, const ClusterDocument& document) {
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

QString resolvedNote(const FieldBinding& binding, const ClusterDocument& document) {
  const auto scalar = document.scalar(pathIn(binding, document));
  if (!scalar || scalar->raw == scalar->value) return {};
  if (scalar->raw.empty())
    return text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "Empty: the value is “%1”"))
        .arg(toQString(scalar->value));
  return text(QT_TRANSLATE_NOOP("lockstep::ClusterForm", "YAML reads this as “%1”"))
      .arg(toQString(scalar->value));
}

std::vector<EditableCluster::Step> stepsToSet(const FieldBinding& binding, const ClusterDocument& document,
                                              const QString& value) {
  const FieldPath path = pathIn(binding, document);
  const std::string bytes = toStdString(value);
  const auto removeAt = [](const FieldPath& place) -> std::vector<EditableCluster::Step> {
    return {[place](const ClusterDocument& present) { return present.remove(place); }};
  };
  if (binding.kind == FieldKind::Arguments) return stepsToSetArguments(document, path, bytes);
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
