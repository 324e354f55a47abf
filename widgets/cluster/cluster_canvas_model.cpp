// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/cluster_canvas_model.h"

#include <QStringList>

#include "plan/plan.h"
#include "widgets/cluster/cluster_canvas.h"
#include "widgets/cluster/cluster_canvas_edits.h"
#include "widgets/common/qt_convert.h"

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

/// What the framework calls its main node, where that is not "main".
QString mainWord(Framework framework) {
  switch (framework) {
    case Framework::Dask:
      return ClusterCanvas::tr("scheduler");
    case Framework::TensorFlow:
      return ClusterCanvas::tr("chief");
    case Framework::Ray:
      return ClusterCanvas::tr("head");
    default:
      return {};
  }
}

CanvasRole roleOf(const ClusterSpec& spec, NodeRole role) {
  CanvasRole out;
  out.role = role;
  out.count = nodeCount(spec, role);
  out.field = roleField(role);
  out.single = roleCountText(role, 1);
  out.title = rolePlural(role);
  if (!out.title.isEmpty()) out.title[0] = out.title[0].toUpper();
  if (role == NodeRole::Main) out.word = mainWord(spec.framework);
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

void addChips(CanvasModel& model, const ClusterSpec& spec) {
  const QString workDir = textOr(spec.workDir);
  const QString logGroup = textOr(spec.infrastructure.logGroupId);
  const QString image = textOr(spec.image);
  model.chips.push_back(chip(CanvasChip::Kind::WorkDir, ClusterCanvas::tr("work directory"), workDir,
                             withoutScheme(workDir), ClusterCanvas::tr("none yet"), clusterField("workDir")));
  model.chips.push_back(chip(CanvasChip::Kind::LogGroup, ClusterCanvas::tr("log group"), logGroup,
                             shortOcid(logGroup), ClusterCanvas::tr("none: no logs"),
                             infrastructure("logGroupId")));
  model.chips.push_back(chip(CanvasChip::Kind::Image, ClusterCanvas::tr("image"), image, imageName(image),
                             ClusterCanvas::tr("none yet"), clusterField("image")));
}

void addSubnet(CanvasModel& model, const ClusterSpec& spec) {
  const QString subnet = textOr(spec.infrastructure.subnetId);
  model.subnetField = infrastructure("subnetId");
  model.hasSubnet = !subnet.isEmpty();
  if (model.hasSubnet) {
    model.subnetTitle = shortOcid(subnet);
    model.subnetCaption = ClusterCanvas::tr("private subnet");
  } else {
    model.subnetTitle = ClusterCanvas::tr("No subnet");
    model.subnetCaption = ClusterCanvas::tr("the service's own network");
  }
}

void addGroups(CanvasModel& model, const ClusterSpec& spec) {
  for (const NodeRole role : {NodeRole::Worker, NodeRole::ParameterServer}) {
    const bool isThere = nodeCount(spec, role) > 0;
    const bool isUsual = role == NodeRole::Worker || spec.framework == Framework::TensorFlow;
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
  const QString shape = textOr(spec.infrastructure.shapeName);
  model.shapeField = infrastructure("shapeName");
  model.shapeText =
      shape.isEmpty() ? ClusterCanvas::tr("No shape yet") : ClusterCanvas::tr("Each node: %1").arg(shape);
  model.main = roleOf(spec, NodeRole::Main);
  addGroups(model, spec);
  addChips(model, spec);
  return model;
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
