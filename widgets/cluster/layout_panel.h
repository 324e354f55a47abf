// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/cluster/editable_cluster.h"

namespace lockstep {

/// How the nodes become job runs: one job run per node, or OCI's native multi-node job with its network,
/// start-up order, probe, least number of replicas and longest run time. Changing it shows first what
/// changes, and asks.
class LayoutPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LayoutPanel(EditableCluster* cluster, QWidget* parent = nullptr);

 signals:
  void editFailed(const lockstep::Status& status);
};

}  // namespace lockstep
