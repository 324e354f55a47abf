// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/cluster/document/editable_cluster.h"

class QLabel;
class QRadioButton;

namespace lockstep {

class MessageBar;
class MigrationPreview;
class MultiNodeSettings;

/// How the nodes become job runs: one job run per node, or OCI's native multi-node job with its network,
/// start-up order, probe, least number of replicas and longest run time. Changing it shows first what
/// changes, and asks.
class LayoutPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LayoutPanel(EditableCluster* cluster, QWidget* parent = nullptr);

  [[nodiscard]] MigrationPreview* preview() const { return preview_; }
  [[nodiscard]] MultiNodeSettings* settings() const { return settings_; }
  [[nodiscard]] QRadioButton* runsButton() const { return runs_; }
  [[nodiscard]] QRadioButton* nodesButton() const { return nodes_; }
  [[nodiscard]] MessageBar* note() const { return note_; }

 signals:
  void editFailed(const lockstep::Error& error);

 private:
  void refresh();
  void propose(bool wantsNodes);
  void applyProposal();
  void dropProposal();
  void showPresent();

  EditableCluster* cluster_;
  QRadioButton* runs_;
  QRadioButton* nodes_;
  QLabel* words_;
  MessageBar* note_;
  MigrationPreview* preview_;
  MultiNodeSettings* settings_;
};

}  // namespace lockstep
