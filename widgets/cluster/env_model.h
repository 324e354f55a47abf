// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <vector>

#include "widgets/cluster/editable_cluster.h"

namespace lockstep {

/// The {name, value} list at one path of the document. Edits go to the document as undoable commands.
class EnvModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { NameColumn, ValueColumn, ColumnCount };

  explicit EnvModel(EditableCluster* cluster, QObject* parent = nullptr);

  void setPath(const FieldPath& path);
  [[nodiscard]] const FieldPath& path() const { return path_; }
  /// Takes the rows from the document; called when the document changed.
  void refresh();
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
  void editFailed(const lockstep::Status& status);

 private:
  struct Row {
    QString name, value;
    bool operator==(const Row&) const = default;
  };
  [[nodiscard]] std::vector<Row> rowsOf(const ClusterDocument& document) const;
  [[nodiscard]] const Issue* issueAt(const QModelIndex& index) const;

  EditableCluster* cluster_;
  FieldPath path_;
  std::vector<Row> rows_;
};

}  // namespace lockstep
