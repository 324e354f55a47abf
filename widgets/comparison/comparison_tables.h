// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

#include "base/clock.h"
#include "comparison/compared_run.h"

namespace lockstep {

/// A table of texts, a column for each run behind the one that says what a row is.
class ComparisonTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit ComparisonTable(QObject* parent = nullptr);
  /// `heads`: of the columns; each row has as many texts.
  void setRows(QStringList heads, std::vector<QStringList> rows);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QStringList heads_;
  std::vector<QStringList> rows_;
};

/// State, time, cost, and of each quantity last, best and mean with its uncertainty.
[[nodiscard]] std::vector<QStringList> resultRows(const std::vector<ComparedRun>& runs, TimePoint now);
/// What was other in their launches.
[[nodiscard]] std::vector<QStringList> differenceRows(const std::vector<ComparedRun>& runs);

}  // namespace lockstep
