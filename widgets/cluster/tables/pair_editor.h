// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QWidget>
#include <vector>

#include "widgets/cluster/document/editable_cluster.h"

class QLabel;
class QPushButton;
class QTableView;

namespace lockstep {

class FieldNote;

enum class PairKind {
  Mounts,  // storageMount: a list of {src, dest}
  Tags,    // freeformTags: a mapping
};

/// Pairs of texts at one place of the document. Edits go to the document as undoable commands.
class PairModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  PairModel(PairKind kind, EditableCluster* cluster, QObject* parent = nullptr);

  /// Takes the rows from the document; called when the document changed.
  void refresh();
  [[nodiscard]] FieldPath path() const;
  /// Appends a pair to be filled in; -1 when the document refused (editFailed says why).
  int addPair();
  void removePairs(std::vector<int> rows);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  void editFailed(const lockstep::Error& error);

 private:
  struct Pair {
    QString first, second;
    bool operator==(const Pair&) const = default;
  };
  [[nodiscard]] std::vector<Pair> pairsOf(const ClusterDocument& document) const;
  [[nodiscard]] FieldPath placeOf(int row) const;
  [[nodiscard]] QString freeTag() const;
  bool edit(const QString& text, const std::vector<EditableCluster::Step>& steps);

  PairKind kind_;
  EditableCluster* cluster_;
  std::vector<Pair> pairs_;
};

/// The table of such pairs with buttons to add and remove.
class PairEditor : public QWidget {
  Q_OBJECT
 public:
  PairEditor(PairKind kind, EditableCluster* cluster, QWidget* parent = nullptr);

  void refresh();
  /// Selects the pair that a path means; false when it means none of these.
  bool focusField(const FieldPath& field);
  [[nodiscard]] QTableView* table() const { return table_; }
  [[nodiscard]] PairModel* model() const { return model_; }

 signals:
  void editFailed(const lockstep::Error& error);
  void fixRequested(const lockstep::Issue& issue);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addPair();
  void removeSelected();

  PairModel* model_;
  EditableCluster* cluster_;
  QTableView* table_;
  QPushButton* add_;
  QPushButton* remove_;
  FieldNote* note_;
};

}  // namespace lockstep
