// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

#include "widgets/cluster/tables/env_model.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace lockstep {

class FieldNote;

/// Environment variables: at which level, and the table of names, values and what becomes of them; or what
/// the nodes of a role get of all levels together.
class EnvEditor : public QWidget {
  Q_OBJECT
 public:
  explicit EnvEditor(EditableCluster* cluster, QWidget* parent = nullptr);

  void refresh();
  /// Selects the variable that a path below one of the lists means; false when it means none.
  bool focusField(const FieldPath& field);
  /// Whether a path belongs to one of the lists.
  [[nodiscard]] bool owns(const FieldPath& field) const;
  /// Shows a view; one that the document has no use for is refused.
  bool setView(const EnvView& view);
  [[nodiscard]] QComboBox* views() const { return views_; }
  [[nodiscard]] QTableView* table() const { return table_; }
  [[nodiscard]] EnvModel* model() const { return model_; }

 signals:
  void editFailed(const lockstep::Error& error);
  void fixRequested(const lockstep::Issue& issue);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void listViews(const EnvPrecedence& precedence);
  void show(int index);
  void addVariable();
  void removeSelected();
  void refreshParts();
  void fitColumns();
  void updateButtons();

  EditableCluster* cluster_;
  EnvModel* model_;
  EnvSettings lists_;           // what was refreshed last
  std::vector<Issue> issues_;   // and its issues
  std::vector<EnvView> shown_;  // as the items of views_
  QComboBox* views_;
  QTableView* table_;
  QPushButton* add_;
  QPushButton* remove_;
  QLabel* order_;
  FieldNote* note_;
};

}  // namespace lockstep
