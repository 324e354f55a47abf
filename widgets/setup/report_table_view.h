// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QTableView>
#include <vector>

#include "setup/step/setup_step.h"

namespace lockstep {

/// The cells of a report's table. A cell with a state has its icon and its colour, and says the state to who
/// cannot see either.
class ReportTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit ReportTableModel(ReportTable table, QObject* parent = nullptr);
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] const ReportTable::Cell* cell(const QModelIndex& index) const;  // null: a short row
  ReportTable table_;
};

/// A table as tall as its rows: the page around it scrolls. Ctrl+C copies the selected cells.
class ReportTableView : public QTableView {
  Q_OBJECT
 public:
  explicit ReportTableView(const ReportTable& table, QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void fit();
  void fitColumns();
  std::vector<int> natural_;  // widths at which nothing wraps
  bool fitting_ = false;
};

}  // namespace lockstep
