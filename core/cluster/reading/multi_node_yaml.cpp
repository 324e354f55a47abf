// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/multi_node_yaml.h"

namespace lockstep {
namespace {

std::optional<StartupProbe> readProbe(FieldReader& reader, const FieldPath& path) {
  if (!reader.hasMapping(path)) return std::nullopt;
  StartupProbe probe;
  probe.command = reader.texts(path.child("command"));
  probe.periodInSeconds = reader.whole(path.child("periodInSeconds"));
  probe.failureThreshold = reader.whole(path.child("failureThreshold"));
  probe.initialDelayInSeconds = reader.whole(path.child("initialDelayInSeconds"));
  return probe;
}

NodeGroupSpec readGroup(FieldReader& reader, const FieldPath& path) {
  NodeGroupSpec group;
  if (!reader.hasMapping(path)) return group;
  group.shapeName = reader.text(path.child("shapeName"));
  group.shapeConfig = readShapeConfig(reader, path.child("shapeConfigDetails"));
  group.blockStorageSizeInGBs = reader.whole(path.child("blockStorageSize"));
  group.minimumSuccessReplicas = reader.whole(path.child("minimumSuccessReplicas"));
  group.startupProbe = readProbe(reader, path.child("startupProbe"));
  return group;
}

}  // namespace

std::optional<ShapeConfig> readShapeConfig(FieldReader& reader, const FieldPath& path) {
  if (!reader.hasMapping(path)) return std::nullopt;
  ShapeConfig shape;
  shape.ocpus = reader.number(path.child("ocpus"));
  shape.memoryInGBs = reader.number(reader.spelled(path, {"memoryInGBs", "memory_in_gbs"}));
  shape.cpuBaseline = reader.text(reader.spelled(path, {"cpuBaseline", "cpu_baseline"}));
  return shape;
}

std::optional<MultiNodeSpec> readMultiNode(FieldReader& reader) {
  const FieldPath at = field::multiNode();
  const YamlNode* node = reader.valueAt(at);
  if (!node) return std::nullopt;
  if (!reader.hasMapping(at) && node->kind != NodeKind::Mapping) return std::nullopt;  // has been reported
  MultiNodeSpec spec;
  spec.network = reader.text(at.child("network"));
  spec.startupOrder = reader.text(at.child("startupOrder"));
  spec.maximumRuntimeInMinutes = reader.whole(at.child("maximumRuntimeInMinutes"));
  spec.hasGroups = reader.hasMapping(at.child("groups"));
  if (!spec.hasGroups) return spec;
  spec.main = readGroup(reader, field::nodeGroup("main"));
  spec.worker = readGroup(reader, field::nodeGroup("worker"));
  spec.parameterServer = readGroup(reader, field::nodeGroup("ps"));
  return spec;
}

}  // namespace lockstep
