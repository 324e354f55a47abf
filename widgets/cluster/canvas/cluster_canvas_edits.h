// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include "widgets/cluster/document/editable_cluster.h"

namespace lockstep {

/// More nodes of one role than this cannot be asked for on the canvas; the text takes any number.
inline constexpr long long kMaxReplicas = 100'000;

/// Where the document has a role: spec.cluster.spec.worker.
[[nodiscard]] FieldPath roleField(NodeRole role);
/// Where the document has the number of its nodes.
[[nodiscard]] FieldPath replicasField(NodeRole role);

/// Gives a role that many nodes as one undoable command; 0 removes the role with all that it says. A role
/// that was removed by the last command comes back as it was when it is added again. Commands in a row with
/// the same non-empty `mergeKey` become one.
Result<void> setReplicas(EditableCluster& cluster, NodeRole role, long long count,
                         const QString& mergeKey = {});

}  // namespace lockstep
