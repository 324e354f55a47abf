// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>
#include <QString>

#include "plan/cost.h"

class QTableView;

namespace lockstep {

class ShapeTableModel;

/// An editable field for the shape whose list is a table: GPUs, GPU type and memory, CPUs, memory, network,
/// RDMA, price with its date. Any text may be typed; what is typed narrows the table. Used by FieldRow for
/// FieldKind::Shape.
class ShapePicker : public QComboBox {
  Q_OBJECT
 public:
  explicit ShapePicker(QWidget* parent = nullptr);
  void setPrices(const PriceTable& prices);
  /// "2 × NVIDIA A10, 24 GB each · 30 OCPUs · 480 GB · 4.00 USD/h (as of 2026-07)"; empty for an unknown
  /// shape.
  [[nodiscard]] static QString describeShape(const QString& name, const PriceTable& prices);

  void showPopup() override;

 private:
  void updateToolTip();

  PriceTable prices_;
  ShapeTableModel* all_;       // what the button shows
  ShapeTableModel* matching_;  // what typing narrows
  QTableView* table_;
  QTableView* narrowed_;
};

}  // namespace lockstep
