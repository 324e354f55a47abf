// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <map>
#include <vector>

#include "widgets/cluster/document/editable_cluster.h"
#include "widgets/cluster/tables/env_levels.h"

namespace lockstep {

/// The variables of one view of the environment, and what becomes of each. Edits go to the document as
/// undoable commands; a result is read-only.
class EnvModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { NameColumn, ValueColumn, EffectColumn, ColumnCount };

  explicit EnvModel(EditableCluster* cluster, QObject* parent = nullptr);

  void setView(const EnvView& view);
  [[nodiscard]] const EnvView& view() const { return view_; }
  /// The list that is edited; empty for a result.
  [[nodiscard]] FieldPath path() const;
  /// Takes the rows from the document; called when the document changed.
  void refresh(const EnvPrecedence& precedence);
  /// Whether there is anything to be said of any row.
  [[nodiscard]] bool hasEffects() const;
  /// Appends a variable with a name that is free; -1 when the document refused (editFailed says why).
  int addVariable();
  void removeVariables(std::vector<int> rows);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  void editFailed(const lockstep::Error& error);

 private:
  void findIssues();
  [[nodiscard]] const Issue* issueAt(const QModelIndex& index) const;

  EditableCluster* cluster_;
  EnvView view_;
  std::vector<EnvRow> rows_;
  std::map<std::pair<int, int>, Issue> issues_;  // by row and column
};

}  // namespace lockstep
