// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/cluster/document/editable_cluster.h"

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace lockstep {

class NodeGroupSettings;
class OptionalNumber;

/// The fields of spec.multiNode: network, start-up order, longest run time, and what each node group has for
/// itself.
class MultiNodeSettings : public QWidget {
  Q_OBJECT
 public:
  explicit MultiNodeSettings(EditableCluster* cluster, QWidget* parent = nullptr);
  /// Shows what the last good document says.
  void refresh();

  [[nodiscard]] QComboBox* network() const { return network_; }
  [[nodiscard]] QComboBox* order() const { return order_; }
  [[nodiscard]] OptionalNumber* maximumRuntime() const { return runtime_; }
  [[nodiscard]] NodeGroupSettings* group(NodeRole role) const;

 signals:
  void editFailed(const lockstep::Error& error);

 private:
  void set(const char* key, const QString& value, bool plain, const QString& name);
  void explainNetwork(const ClusterSpec& spec);

  EditableCluster* cluster_;
  QComboBox* network_;
  QLabel* networkWords_;
  QComboBox* order_;
  OptionalNumber* runtime_;
  QLabel* groupWords_;
  std::vector<NodeGroupSettings*> groups_;
};

}  // namespace lockstep
