// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <vector>

#include "cluster/reading/shape_catalogue.h"
#include "plan/cost.h"

namespace lockstep {

/// The shapes of the catalogue as a table, GPU shapes first; with or without a heading row before each kind.
class ShapeTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Name, Gpus, GpuMemory, Ocpus, Memory, Network, Rdma, Price, ColumnCount };
  enum class Headings { Shown, Omitted };

  explicit ShapeTableModel(Headings headings, QObject* parent = nullptr);
  void setPrices(const PriceTable& prices);
  [[nodiscard]] bool isHeading(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  struct Row {
    const Shape* shape = nullptr;  // nullptr: a heading
    QString heading;
  };
  [[nodiscard]] QString cell(const Shape& shape, int column) const;
  [[nodiscard]] QString toolTip(const Shape& shape, int column) const;

  std::vector<Row> rows_;
  PriceTable prices_;
};

/// "4.00 USD" of a node for an hour, "0.0250 USD per OCPU + 0.0015 USD per GB" of a flex shape; empty: no
/// price known.
[[nodiscard]] QString shapePriceText(const Shape& shape, const PriceTable& prices);

}  // namespace lockstep
