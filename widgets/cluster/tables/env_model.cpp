// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/tables/env_model.h"

#include <QFont>
#include <QGuiApplication>
#include <algorithm>

#include "widgets/common/issues/issues_model.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

EnvModel::EnvModel(EditableCluster* cluster, QObject* parent)
    : QAbstractTableModel(parent), cluster_(cluster) {}

void EnvModel::setView(const EnvView& view) {
  beginResetModel();
  view_ = view;
  rows_ = EnvPrecedence(cluster_->lastGood()).rows(view_);
  findIssues();
  endResetModel();
}

FieldPath EnvModel::path() const {
  return view_.isResult ? FieldPath() : pathOf(view_.level, cluster_->lastGood());
}

void EnvModel::refresh(const EnvPrecedence& precedence) {
  std::vector<EnvRow> rows = precedence.rows(view_);
  auto issuesBefore = std::move(issues_);
  findIssues();
  if (rows == rows_ && issues_ == issuesBefore) return;
  if (rows.size() != rows_.size()) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
    return;
  }
  // Same number of rows: an editor that is open in one of them stays open.
  rows_ = std::move(rows);
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

bool EnvModel::hasEffects() const {
  return std::any_of(rows_.begin(), rows_.end(), [](const EnvRow& row) { return !row.effect.isEmpty(); });
}

int EnvModel::addVariable() {
  QString name = QStringLiteral("NAME");
  const auto taken = [&] {
    return std::any_of(rows_.begin(), rows_.end(), [&](const EnvRow& row) { return row.name == name; });
  };
  for (int i = 2; taken(); ++i) name = QStringLiteral("NAME_%1").arg(i);
  const EnvVar variable{toStdString(name), std::string()};
  const auto done =
      cluster_->edit(tr("add variable"), {},
                     {[&](const ClusterDocument& document) { return document.appendEnv(path(), variable); }});
  if (!done) {
    emit editFailed(done.error());
    return -1;
  }
  refresh(EnvPrecedence(cluster_->document()));
  return rowCount() - 1;
}

void EnvModel::removeVariables(std::vector<int> rows) {
  std::sort(rows.rbegin(), rows.rend());  // from the end, so that the indices before stay right
  std::vector<EditableCluster::Step> steps;
  for (const int row : rows)
    steps.push_back([path = path().child(static_cast<std::size_t>(row))](const ClusterDocument& document) {
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
  const EnvRow& row = rows_[static_cast<std::size_t>(index.row())];
  const QString& text = index.column() == NameColumn    ? row.name
                        : index.column() == ValueColumn ? row.value
                                                        : row.effect;
  if (role == Qt::DisplayRole || role == Qt::EditRole) return text;
  const bool isRemark = index.column() == EffectColumn || !row.isUsed || view_.isResult;
  if (role == Qt::ForegroundRole && isRemark) return mutedColor(QGuiApplication::palette());
  if (role == Qt::FontRole && !row.isUsed && index.column() != EffectColumn) {
    QFont struck = QGuiApplication::font();
    struck.setStrikeOut(true);
    return struck;
  }
  const Issue* issue = issueAt(index);
  if (role == Qt::ToolTipRole) return plainToolTip(issue ? toQString(issue->message) : text);
  return issue && role == Qt::DecorationRole ? QVariant(iconFor(issue->severity)) : QVariant();
}

QVariant EnvModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  if (section == EffectColumn) return view_.isResult ? tr("Where from") : tr("What wins");
  return section == NameColumn ? tr("Variable") : tr("Value");
}

Qt::ItemFlags EnvModel::flags(const QModelIndex& index) const {
  const bool isEditable = index.isValid() && !view_.isResult && index.column() != EffectColumn;
  return QAbstractTableModel::flags(index) | (isEditable ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool EnvModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  if (data(index, Qt::EditRole) == value) return true;
  const bool isName = index.column() == NameColumn;
  const FieldPath place =
      path().child(static_cast<std::size_t>(index.row())).child(isName ? "name" : "value");
  const auto done = cluster_->setScalar(place, value.toString(), false,
                                        isName ? tr("rename variable") : tr("change variable"));
  if (!done) emit editFailed(done.error());
  return done.has_value();
}

/// Once for each change rather than for each cell that is painted.
void EnvModel::findIssues() {
  issues_.clear();
  const FieldPath list = path();
  if (list.empty()) return;
  const std::size_t depth = list.elements().size();
  for (const Issue& issue : cluster_->lastGood().issues()) {
    const auto& elements = issue.field.elements();
    if (elements.size() <= depth || !issue.field.startsWith(list)) continue;
    const auto* row = std::get_if<std::size_t>(&elements[depth]);
    if (!row) continue;
    const bool isValue =
        elements.size() > depth + 1 && elements[depth + 1] == FieldPath::Element(std::string("value"));
    issues_.emplace(std::pair(static_cast<int>(*row), static_cast<int>(isValue ? ValueColumn : NameColumn)),
                    issue);
  }
}

const Issue* EnvModel::issueAt(const QModelIndex& index) const {
  const auto at = issues_.find({index.row(), index.column()});
  return at == issues_.end() ? nullptr : &at->second;
}

}  // namespace lockstep
