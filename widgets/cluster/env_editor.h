// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/cluster/env_model.h"

class QComboBox;
class QPushButton;
class QTableView;

namespace lockstep {

class FieldNote;

/// Environment variables: for which nodes, and the table of names and values.
class EnvEditor : public QWidget {
  Q_OBJECT
 public:
  explicit EnvEditor(EditableCluster* cluster, QWidget* parent = nullptr);

  void refresh();
  /// Selects the variable that a path below one of the lists means; false when it means none.
  bool focusField(const FieldPath& field);
  /// Whether a path belongs to one of the lists.
  [[nodiscard]] static bool owns(const FieldPath& field);
  [[nodiscard]] QTableView* table() const { return table_; }
  [[nodiscard]] EnvModel* model() const { return model_; }

 signals:
  void editFailed(const lockstep::Status& status);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addVariable();
  void removeSelected();
  void updateHeight();
  void updateButtons();

  EditableCluster* cluster_;
  EnvModel* model_;
  QComboBox* scope_;
  QTableView* table_;
  QPushButton* add_;
  QPushButton* remove_;
  FieldNote* note_;
};

}  // namespace lockstep
