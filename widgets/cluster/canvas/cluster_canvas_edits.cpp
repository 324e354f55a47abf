// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/canvas/cluster_canvas_edits.h"

#include <algorithm>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/canvas/cluster_canvas_model.h"

namespace lockstep {
namespace {

const char* keyOf(NodeRole role) {
  switch (role) {
    case NodeRole::Main:
      return "main";
    case NodeRole::Worker:
      return "worker";
    case NodeRole::ParameterServer:
      return "ps";
  }
  return "";
}

}  // namespace

FieldPath roleField(NodeRole role) {
  return {"spec", "cluster", "spec", keyOf(role)};
}

FieldPath replicasField(NodeRole role) {
  return roleField(role).child("replicas");
}

Result<void> setReplicas(EditableCluster& cluster, NodeRole role, long long count, const QString& mergeKey) {
  const long long present = nodeCount(cluster.document().spec(), role);
  const long long wanted = std::clamp(count, 0LL, std::max(kMaxReplicas, present));
  if (wanted == present) return {};
  const QString text = ClusterCanvas::tr("set %1").arg(roleCountText(role, wanted));
  // A kind: job file counts its nodes in one number, of which the first is main.
  if (cluster.document().spec().job)
    return cluster.setScalar({"spec", "runtime", "spec", "replicas"}, QString::number(wanted + 1), true, text,
                             mergeKey);
  const QString removal = ClusterCanvas::tr("remove %1").arg(rolePlural(role));
  if (wanted == 0) return cluster.remove(roleField(role), removal);
  QUndoStack& undo = *cluster.undoStack();
  // Down to none and up again: what stood there (names, comments) comes back rather than a bare count.
  if (present == 0 && undo.canUndo() && undo.undoText() == removal) {
    undo.undo();
    return {};
  }
  return cluster.setScalar(replicasField(role), QString::number(wanted), true, text, mergeKey);
}

}  // namespace lockstep
