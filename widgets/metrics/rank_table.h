// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTableView>
#include <set>

#include "base/ids.h"

class QSortFilterProxyModel;

namespace lockstep {

class RankTableModel;

/// A RankTableModel as a table that sorts by any column. Double click or Enter on a rank asks to see it
/// alone.
class RankTable : public QTableView {
  Q_OBJECT
 public:
  explicit RankTable(RankTableModel* model, QWidget* parent = nullptr);
  void setEmptyText(const QString& text);
  /// Columns as wide as their content; the GPU column only when there is one.
  void fitColumns();
  /// Selects their rows and scrolls to the first, when they are others than the last time.
  void showChosen(const std::set<Rank>& ranks);

 signals:
  void rankActivated(int rank);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void copySelection() const;

  RankTableModel* ranks_;
  QSortFilterProxyModel* sorted_;
  QString emptyText_;
  std::set<Rank> chosen_;
};

}  // namespace lockstep
