// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>

#include "health/reach_findings.h"

namespace lockstep {

/// Which node reaches which: a row per node that tries, a column per node that is tried.
class ReachModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit ReachModel(QObject* parent = nullptr);
  void setMatrix(ReachMatrix matrix);
  [[nodiscard]] const ReachMatrix& matrix() const { return matrix_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  /// The first column names the row.
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QVariant rowName(const ReachNode& node, int role) const;
  [[nodiscard]] QString spoken(const ReachNode& node) const;
  [[nodiscard]] QString spoken(std::size_t from, std::size_t to) const;
  ReachMatrix matrix_;
};

}  // namespace lockstep
