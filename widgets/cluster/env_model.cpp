// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/env_model.h"

#include <algorithm>

#include "widgets/common/issues_model.h"
#include "widgets/common/qt_convert.h"

namespace lockstep {

EnvModel::EnvModel(EditableCluster* cluster, QObject* parent)
    : QAbstractTableModel(parent), cluster_(cluster) {}

void EnvModel::setPath(const FieldPath& path) {
  beginResetModel();
  path_ = path;
  rows_ = rowsOf(cluster_->lastGood());
  endResetModel();
}

void EnvModel::refresh() {
  std::vector<Row> rows = rowsOf(cluster_->lastGood());
  if (rows.size() != rows_.size()) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
    return;
  }
  // Same rows: an editor that is open in one of them stays open. Issues may have changed, too.
  rows_ = std::move(rows);
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int EnvModel::addVariable() {
  QString name = QStringLiteral("NAME");
  const auto taken = [&] {
    return std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) { return row.name == name; });
  };
  for (int i = 2; taken(); ++i) name = QStringLiteral("NAME_%1").arg(i);
  const EnvVar variable{toStdString(name), std::string()};
  const auto done =
      cluster_->edit(tr("add variable"), {},
                     {[&](const ClusterDocument& document) { return document.appendEnv(path_, variable); }});
  if (!done) {
    emit editFailed(done.error());
    return -1;
  }
  cluster_->document();
  return rowCount() - 1;
}

void EnvModel::removeVariables(std::vector<int> rows) {
  std::sort(rows.rbegin(), rows.rend());  // from the end, so that the indices before stay right
  std::vector<EditableCluster::Step> steps;
  for (const int row : rows)
    steps.push_back([path = path_.child(static_cast<std::size_t>(row))](const ClusterDocument& document) {
      return document.remove(path);
    });
  if (const auto done = cluster_->edit(tr("remove variable"), {}, steps); !done)
    emit editFailed(done.error());
}

int EnvModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int EnvModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant EnvModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const QString& text = index.column() == NameColumn ? row.name : row.value;
  if (role == Qt::DisplayRole || role == Qt::EditRole) return text;
  if (role != Qt::DecorationRole && role != Qt::ToolTipRole) return {};
  const Issue* issue = issueAt(index);
  if (role == Qt::DecorationRole) return issue ? QVariant(iconFor(issue->severity)) : QVariant();
  return issue ? toQString(issue->message) : text;
}

QVariant EnvModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == NameColumn ? tr("Variable") : tr("Value");
}

Qt::ItemFlags EnvModel::flags(const QModelIndex& index) const {
  return QAbstractTableModel::flags(index) | (index.isValid() ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool EnvModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  if (data(index, Qt::EditRole) == value) return true;
  const bool isName = index.column() == NameColumn;
  const FieldPath place = path_.child(static_cast<std::size_t>(index.row())).child(isName ? "name" : "value");
  const auto done = cluster_->setScalar(place, value.toString(), false,
                                        isName ? tr("rename variable") : tr("change variable"));
  if (!done) emit editFailed(done.error());
  return done.has_value();
}

std::vector<EnvModel::Row> EnvModel::rowsOf(const ClusterDocument& document) const {
  std::vector<Row> rows;
  const std::size_t length = path_.empty() ? 0 : document.lengthAt(path_).value_or(0);
  for (std::size_t i = 0; i < length; ++i) {
    const auto name = document.scalar(path_.child(i).child("name"));
    const auto value = document.scalar(path_.child(i).child("value"));
    rows.push_back({name ? toQString(name->value) : QString(), value ? toQString(value->value) : QString()});
  }
  return rows;
}

const Issue* EnvModel::issueAt(const QModelIndex& index) const {
  const FieldPath row = path_.child(static_cast<std::size_t>(index.row()));
  const FieldPath cell = row.child(index.column() == NameColumn ? "name" : "value");
  for (const Issue& issue : cluster_->lastGood().issues())
    if (issue.field.startsWith(cell) || (issue.field == row && index.column() == NameColumn)) return &issue;
  return nullptr;
}

}  // namespace lockstep
