// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "cluster/reading/field_reader.h"

namespace lockstep {

/// `spec.multiNode`: our own mapping, which asks for OCI's native multi-node job. An empty one does, null
/// does not.
[[nodiscard]] std::optional<MultiNodeSpec> readMultiNode(FieldReader& reader);

/// {ocpus, memoryInGBs, cpuBaseline} in their spellings; nothing when there is no mapping, or an empty one.
[[nodiscard]] std::optional<ShapeConfig> readShapeConfig(FieldReader& reader, const FieldPath& path);

namespace field {
inline FieldPath multiNode() {
  return {"spec", "multiNode"};
}
inline FieldPath nodeGroup(const char* role) {  // "main" | "worker" | "ps"
  return {"spec", "multiNode", "groups", role};
}
}  // namespace field

}  // namespace lockstep
