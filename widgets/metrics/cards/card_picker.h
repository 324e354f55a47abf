// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

#include "metrics/layouts/dashboard_layout.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTreeView;

namespace lockstep {

class QuantityTree;

/// What a new card shows, or another one instead: its kind, and the quantities, found by typing a part of their names. Call
/// open(); accepted() says that card() is wanted.
class CardPicker : public QDialog {
  Q_OBJECT
 public:
  /// `metrics`: of the run, for what is measured in it; null: of none.
  CardPicker(const MetricStore* metrics, QWidget* parent);

  /// Begins with what that card shows, and keeps the rest of it.
  void setCard(const DashboardCard& card);
  [[nodiscard]] DashboardCard card() const;

  [[nodiscard]] QuantityTree* tree() const { return tree_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void arrange();
  void onKind();
  void filter(const QString& text);
  void showChosen();
  [[nodiscard]] CardKind kind() const;

  DashboardCard card_;
  QComboBox* kind_;
  QLineEdit* search_;
  QuantityTree* tree_;
  QSortFilterProxyModel* found_;
  QTreeView* view_;
  QLabel* chosen_;
  QPushButton* accept_;
};

}  // namespace lockstep
