// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QTableView>

namespace lockstep {

/// A table that says in words when it is empty, keeps its columns wide enough for their texts, and copies
/// what is selected with Ctrl+C.
class HealthTable : public QTableView {
  Q_OBJECT
 public:
  HealthTable(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent = nullptr);
  void setEmptyText(const QString& text);
  [[nodiscard]] const QString& emptyText() const { return emptyText_; }
  /// Columns only grow, until the model is reset: numbers that change must not make the table jump.
  void fitColumns();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QString emptyText_;
};

}  // namespace lockstep
