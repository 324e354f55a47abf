// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/cluster/document/editable_cluster.h"

class QLabel;
class QLineEdit;

namespace lockstep {

class OptionalNumber;
class ShapePicker;

/// What the nodes of one role have for themselves in a multi-node job. Hidden while the file has no such
/// role.
class NodeGroupSettings : public QWidget {
  Q_OBJECT
 public:
  NodeGroupSettings(EditableCluster* cluster, NodeRole role, QWidget* parent = nullptr);
  ~NodeGroupSettings() override;
  void refresh();

  [[nodiscard]] NodeRole role() const { return role_; }
  [[nodiscard]] OptionalNumber* min() const { return min_; }
  [[nodiscard]] ShapePicker* shape() const { return shape_; }
  [[nodiscard]] QLineEdit* probe() const { return probe_; }
  [[nodiscard]] OptionalNumber* period() const { return period_; }
  [[nodiscard]] OptionalNumber* threshold() const { return threshold_; }
  [[nodiscard]] OptionalNumber* delay() const { return delay_; }

 signals:
  void editFailed(const lockstep::Error& error);

 private:
  void connectFields();
  [[nodiscard]] FieldPath field(std::initializer_list<const char*> keys) const;
  void set(const FieldPath& path, const QString& value, bool plain, const QString& name);
  void setProbe();
  void setShape();
  [[nodiscard]] const NodeGroupSpec* spec() const;

  EditableCluster* cluster_;
  NodeRole role_;
  QLabel* title_;
  OptionalNumber* min_;
  ShapePicker* shape_;
  OptionalNumber* ocpus_;
  OptionalNumber* memory_;
  QLineEdit* probe_;
  OptionalNumber* period_;
  OptionalNumber* threshold_;
  OptionalNumber* delay_;
  QWidget* minField_ = nullptr;
  QWidget* flexFields_ = nullptr;
  QWidget* probeFields_ = nullptr;
};

}  // namespace lockstep
