// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/canvas/cluster_canvas_model.h"

#include <QStringList>

#include "cluster/reading/shape_catalogue.h"
#include "plan/node_details.h"
#include "plan/node_groups.h"
#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/canvas/cluster_canvas_edits.h"
#include "widgets/cluster/fields/framework_texts.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

constexpr qsizetype kOcidTail = 8;

QString textOr(const std::optional<std::string>& text) {
  return text ? toQString(*text) : QString();
}

FieldPath infrastructure(const char* key) {
  return {"spec", "infrastructure", "spec", key};
}

FieldPath clusterField(const char* key) {
  return {"spec", "cluster", "spec", key};
}

CanvasRole roleOf(const ClusterSpec& spec, NodeRole role) {
  CanvasRole out;
  out.role = role;
  out.count = nodeCount(spec, role);
  out.field = spec.job ? FieldPath{"spec", "runtime", "spec", "replicas"} : roleField(role);
  out.single = roleCountText(role, 1);
  out.title = rolePlural(role);
  if (!out.title.isEmpty()) out.title[0] = out.title[0].toUpper();
  if (role == NodeRole::Main) out.word = frameworkMainWord(spec.framework);
  out.gpus = gpusOfShape(shapeNameOf(spec, role)).value_or(0);
  return out;
}

QString imageName(const QString& image) {
  return image.startsWith(QLatin1Char('@')) ? image : image.mid(image.lastIndexOf(QLatin1Char('/')) + 1);
}

QString withoutScheme(const QString& uri) {
  const qsizetype scheme = uri.indexOf(QLatin1String("://"));
  return scheme < 0 ? uri : uri.mid(scheme + 3);
}

CanvasChip chip(CanvasChip::Kind kind, const QString& caption, const QString& full, const QString& shown,
                const QString& missing, FieldPath field) {
  CanvasChip out;
  out.kind = kind;
  out.caption = caption;
  out.isMissing = full.isEmpty();
  out.value = out.isMissing ? missing : shown;
  out.toolTip = out.isMissing ? missing : full;
  out.field = std::move(field);
  return out;
}

/// What a `kind: job` file has instead of a work dir and an image.
void addJobChips(CanvasModel& model, const ClusterSpec& spec) {
  const FieldPath runtime{"spec", "runtime", "spec"};
  const QString image = textOr(spec.image);
  if (spec.job->isContainer()) {
    model.chips.push_back(chip(CanvasChip::Kind::Image, ClusterCanvas::tr("image"), image, imageName(image),
                               ClusterCanvas::tr("none yet"), runtime.child("image")));
    return;
  }
  const QString conda = spec.job->conda
                            ? textOr(spec.job->conda->slug ? spec.job->conda->slug : spec.job->conda->uri)
                            : QString();
  model.chips.push_back(chip(CanvasChip::Kind::Conda, ClusterCanvas::tr("conda environment"), conda,
                             withoutScheme(conda), ClusterCanvas::tr("none yet"), runtime.child("conda")));
  if (!spec.job->outputUri) return;
  const QString output = textOr(spec.job->outputUri);
  model.chips.push_back(chip(CanvasChip::Kind::WorkDir, ClusterCanvas::tr("output"), output,
                             withoutScheme(output), QString(), runtime.child("outputUri")));
}

void addChips(CanvasModel& model, const ClusterSpec& spec) {
  const QString workDir = textOr(spec.workDir);
  const QString logGroup = textOr(spec.infrastructure.logGroupId);
  const QString image = textOr(spec.image);
  if (!spec.job)
    model.chips.push_back(chip(CanvasChip::Kind::WorkDir, ClusterCanvas::tr("work dir"), workDir,
                               withoutScheme(workDir), ClusterCanvas::tr("none yet"),
                               clusterField("workDir")));
  model.chips.push_back(chip(CanvasChip::Kind::LogGroup, ClusterCanvas::tr("log group"), logGroup,
                             shortOcid(logGroup), ClusterCanvas::tr("none: no logs"),
                             infrastructure("logGroupId")));
  if (spec.job) return addJobChips(model, spec);
  model.chips.push_back(chip(CanvasChip::Kind::Image, ClusterCanvas::tr("image"), image, imageName(image),
                             ClusterCanvas::tr("none yet"), clusterField("image")));
}

void addSubnet(CanvasModel& model, const ClusterSpec& spec) {
  const QString subnet = textOr(spec.infrastructure.subnetId);
  const bool isManaged = spec.multiNode && (spec.multiNode->network == "managed" ||
                                            (!spec.multiNode->network && subnet.isEmpty()));
  model.subnetField = infrastructure("subnetId");
  model.hasSubnet = isManaged || !subnet.isEmpty();
  if (isManaged) {
    model.subnetField = FieldPath{"spec", "multiNode", "network"};
    model.subnetTitle = ClusterCanvas::tr("Managed network");
    model.subnetCaption = ClusterCanvas::tr("made by the service for this job");
  } else if (model.hasSubnet) {
    model.subnetTitle = shortOcid(subnet);
    model.subnetCaption = ClusterCanvas::tr("private subnet");
  } else {
    model.subnetTitle = ClusterCanvas::tr("No subnet");
    model.subnetCaption = ClusterCanvas::tr("the service's own network");
  }
}

/// "VM.GPU.A10.2 (2 × NVIDIA A10)", "VM.Standard.E4.Flex (1 OCPU, 16 GB)"
QString shapeWords(const ClusterSpec& spec) {
  const std::string name = spec.infrastructure.shapeName.value_or(std::string());
  QStringList parts;
  const Shape* shape = ShapeCatalogue::builtIn().find(name);
  if (shape && shape->gpus > 0)
    parts << ClusterCanvas::tr("%1 × %2").arg(shape->gpus).arg(toQString(shape->gpuType));
  if (const auto& config = spec.infrastructure.shapeConfig) {
    if (config->ocpus)
      parts << (*config->ocpus == 1 ? ClusterCanvas::tr("1 OCPU")
                                    : ClusterCanvas::tr("%1 OCPUs").arg(*config->ocpus));
    if (config->memoryInGBs) parts << ClusterCanvas::tr("%1 GB").arg(*config->memoryInGBs);
  }
  const QString words = toQString(name);
  return parts.isEmpty() ? words : QStringLiteral("%1 (%2)").arg(words, parts.join(QStringLiteral(", ")));
}

/// "29400 + any": the ports of the main node that the others reach.
QString portWords(const NodeDetails& main) {
  QStringList numbers;
  bool isAny = false;
  for (const NodePort& port : main.ports) {
    if (port.ports == "any")
      isAny = true;
    else
      numbers << toQString(port.ports);
  }
  numbers.removeDuplicates();
  const QString words = numbers.join(QStringLiteral(", "));
  if (!isAny) return words;
  return words.isEmpty() ? ClusterCanvas::tr("any port") : ClusterCanvas::tr("%1 + any").arg(words);
}

/// "all must succeed", "2 of 4 must succeed"
QString successWords(const std::optional<long long>& min, long long nodes) {
  if (!min || *min >= nodes) return ClusterCanvas::tr("all must succeed");
  return ClusterCanvas::tr("%1 of %2 must succeed").arg(*min).arg(nodes);
}

QString groupNote(const ClusterSpec& spec, const NodeGroup& group) {
  const NodeGroupSpec own = nodeGroupSpecOf(spec, group.role);
  QStringList words{ClusterCanvas::tr("node group “%1”").arg(toQString(group.name)),
                    successWords(own.minimumSuccessReplicas, group.replicas)};
  if (own.shapeName) words << toQString(*own.shapeName);
  if (own.startupProbe) words << ClusterCanvas::tr("start-up probe");
  return words.join(QStringLiteral(" · "));
}

void addJobRun(CanvasModel& model, const ClusterSpec& spec) {
  model.isOneRun = isMultiNode(spec);
  if (!model.isOneRun) return;
  const std::vector<NodeGroup> groups = nodeGroupsOf(spec);
  const bool inOrder = spec.multiNode && spec.multiNode->startupOrder == "IN_ORDER";
  QStringList words{ClusterCanvas::tr("One job run")};
  if (groups.size() == 1)
    words << groupNote(spec, groups.front());
  else
    words << (inOrder ? ClusterCanvas::tr("groups start one after the other")
                      : ClusterCanvas::tr("groups start together"));
  const auto minutes = spec.multiNode ? spec.multiNode->maximumRuntimeInMinutes
                       : spec.job     ? spec.job->maximumRuntimeInMinutes
                                      : std::nullopt;
  if (minutes) words << ClusterCanvas::tr("at most %1 min").arg(*minutes);
  model.runCaption = words.join(QStringLiteral(" · "));
  if (groups.size() == 1) return;
  for (const NodeGroup& group : groups)
    if (CanvasRole* role = group.role ? model.role(*group.role) : nullptr)
      role->note = groupNote(spec, group);
}

void addGroups(CanvasModel& model, const ClusterSpec& spec) {
  for (const NodeRole role : {NodeRole::Worker, NodeRole::ParameterServer}) {
    const bool isThere = nodeCount(spec, role) > 0;
    const bool isUsual =
        role == NodeRole::Worker || (traitsOf(spec.framework).hasParameterServers && !spec.job);
    if (isThere)
      model.groups.push_back(roleOf(spec, role));
    else if (isUsual)
      model.addable.push_back(role);
  }
}

}  // namespace

const CanvasRole* CanvasModel::role(NodeRole wanted) const {
  if (wanted == NodeRole::Main) return &main;
  for (const CanvasRole& group : groups)
    if (group.role == wanted) return &group;
  return nullptr;
}

CanvasRole* CanvasModel::role(NodeRole wanted) {
  return const_cast<CanvasRole*>(std::as_const(*this).role(wanted));
}

CanvasModel canvasModelOf(const ClusterSpec& spec) {
  CanvasModel model;
  addSubnet(model, spec);
  model.shapeField = infrastructure("shapeName");
  model.shapeText = spec.infrastructure.shapeName ? ClusterCanvas::tr("Each node: %1").arg(shapeWords(spec))
                                                  : ClusterCanvas::tr("No shape yet");
  const NodeDetails main = nodeDetails(spec, NodeRole::Main, 0);
  model.main = roleOf(spec, NodeRole::Main);
  model.main.firstRanks = main.ranks;
  model.portText = portWords(main);
  addGroups(model, spec);
  for (CanvasRole& group : model.groups) group.firstRanks = nodeDetails(spec, group.role, 0).ranks;
  addChips(model, spec);
  addJobRun(model, spec);
  model.summary = asSentence(worldSizeOf(spec).text);
  return model;
}

void previewCount(CanvasModel& model, NodeRole role, long long count) {
  CanvasRole* changed = model.role(role);
  if (!changed || role == NodeRole::Main) return;
  changed->count = count;
  model.note =
      QStringList{roleCountText(NodeRole::Main, 1), roleCountText(role, count)}.join(QStringLiteral(" + "));
  model.summary = model.note;
}

QString rankText(const CanvasRole& role, long long first, long long last) {
  if (!role.firstRanks) return {};
  const long long perNode = role.firstRanks->second - role.firstRanks->first + 1;
  const long long from = role.firstRanks->first + first * perNode;
  const long long to = role.firstRanks->first + (last + 1) * perNode - 1;
  return from == to ? ClusterCanvas::tr("rank %1").arg(from)
                    : ClusterCanvas::tr("ranks %1–%2").arg(from).arg(to);
}

QString nodeTitle(const CanvasRole& role, long long index) {
  switch (role.role) {
    case NodeRole::Main:
      return ClusterCanvas::tr("main");
    case NodeRole::Worker:
      return ClusterCanvas::tr("worker %1").arg(index);
    case NodeRole::ParameterServer:
      return ClusterCanvas::tr("ps %1").arg(index);
  }
  return {};
}

QString rolePlural(NodeRole role) {
  switch (role) {
    case NodeRole::Main:
      return ClusterCanvas::tr("main");
    case NodeRole::Worker:
      return ClusterCanvas::tr("workers");
    case NodeRole::ParameterServer:
      return ClusterCanvas::tr("parameter servers");
  }
  return {};
}

QString roleCountText(NodeRole role, long long count) {
  switch (role) {
    case NodeRole::Main:
      return ClusterCanvas::tr("1 main node");
    case NodeRole::Worker:
      return count == 1 ? ClusterCanvas::tr("1 worker") : ClusterCanvas::tr("%1 workers").arg(count);
    case NodeRole::ParameterServer:
      return count == 1 ? ClusterCanvas::tr("1 parameter server")
                        : ClusterCanvas::tr("%1 parameter servers").arg(count);
  }
  return {};
}

QString shortOcid(const QString& text) {
  if (!text.startsWith(QLatin1String("ocid1."))) return text;
  return QStringLiteral("…") + text.right(kOcidTail);
}

}  // namespace lockstep
