// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "base/field_path.h"
#include "widgets/cluster/editable_cluster.h"

namespace lockstep {

/// The cluster drawn: the subnet as a box, in it the main node and the groups of workers and parameter
/// servers with their ports, beside it bucket and log group. One edits it directly: replicas by dragging or
/// typing, roles added, duplicated, removed. Hover or focus shows a node's ranks, host, ports and
/// environment. Changes the document through EditableCluster, so the one undo stack has them; while the text
/// is no YAML it shows the last good state, disabled.
class ClusterCanvas : public QWidget {
  Q_OBJECT
 public:
  explicit ClusterCanvas(EditableCluster* cluster, QWidget* parent = nullptr);
  ~ClusterCanvas() override;

  /// "World size 6 = (1 main + 2 workers) × 2 GPUs": what the drawing says to those who cannot see it.
  [[nodiscard]] QString summary() const;

 signals:
  /// The user wants to edit what is behind a part of the drawing: the form moves there.
  void fieldRequested(const lockstep::FieldPath& field);
  void editFailed(const lockstep::Status& status);
};

}  // namespace lockstep
