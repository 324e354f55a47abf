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
  /// Columns as wide as their content; those that are of use only. Where all together are a little too wide for the table,
  /// names of nodes are elided.
  void fitColumns();
  /// Selects their rows and scrolls to the first, when they are others than the last time.
  void showChosen(const std::set<Rank>& ranks);

 signals:
  void rankActivated(int rank);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void copySelection() const;
  [[nodiscard]] int wantedWidth(int column) const;
  void fitNodes();

  RankTableModel* ranks_;
  QSortFilterProxyModel* sorted_;
  QString emptyText_;
  std::set<Rank> chosen_;
  int nodeWidth_ = 0;  // that the names of the nodes want
};

}  // namespace lockstep
