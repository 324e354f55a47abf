// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/multi_node_yaml.h"

#include "cluster/reading/key_tables.h"

namespace lockstep {
namespace {

NodeGroupSpec readGroup(FieldReader& reader, const FieldPath& path) {
  NodeGroupSpec group;
  if (reader.hasMapping(path)) readKeys(reader, path, nodeGroupKeys(), group);
  return group;
}

}  // namespace

std::optional<ShapeConfig> readShapeConfig(FieldReader& reader, const FieldPath& path) {
  if (!reader.hasMapping(path)) return std::nullopt;
  ShapeConfig shape;
  readKeys(reader, path, shapeConfigKeys(), shape);
  return shape;
}

std::optional<MultiNodeSpec> readMultiNode(FieldReader& reader) {
  const FieldPath at = field::multiNode();
  const YamlNode* node = reader.valueAt(at);
  if (!node) return std::nullopt;
  if (!reader.hasMapping(at) && node->kind != NodeKind::Mapping) return std::nullopt;  // has been reported
  MultiNodeSpec spec;
  readKeys(reader, at, multiNodeKeys(), spec);
  if (!spec.hasGroups) return spec;
  spec.main = readGroup(reader, field::nodeGroup("main"));
  spec.worker = readGroup(reader, field::nodeGroup("worker"));
  spec.parameterServer = readGroup(reader, field::nodeGroup("ps"));
  return spec;
}

}  // namespace lockstep
