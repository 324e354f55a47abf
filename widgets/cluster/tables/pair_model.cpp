// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "cluster/document/fix.h"
#include "widgets/cluster/tables/pair_editor.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

using Step = EditableCluster::Step;

Step fixStep(FixStep step) {
  return [step = std::move(step)](const ClusterDocument& document) { return editOf(document, step); };
}

FieldPath infrastructure(const char* key) {
  return {"spec", "infrastructure", "spec", key};
}

}  // namespace

PairModel::PairModel(PairKind kind, EditableCluster* cluster, QObject* parent)
    : QAbstractTableModel(parent), kind_(kind), cluster_(cluster) {}

FieldPath PairModel::path() const {
  const bool isMounts = kind_ == PairKind::Mounts;
  const FieldPath camel = infrastructure(isMounts ? "storageMount" : "freeformTags");
  const FieldPath snake = infrastructure(isMounts ? "storage_mount" : "freeform_tags");
  const ClusterDocument& document = cluster_->lastGood();
  const auto isThere = [&](const FieldPath& path) {
    return document.lengthAt(path) || document.keysAt(path);
  };
  return !isThere(camel) && isThere(snake) ? snake : camel;
}

void PairModel::refresh() {
  std::vector<Pair> pairs = pairsOf(cluster_->lastGood());
  if (pairs == pairs_) return;
  if (pairs.size() == pairs_.size()) {
    // Same rows: an editor that is open in one of them stays open.
    pairs_ = std::move(pairs);
    emit dataChanged(index(0, 0), index(rowCount() - 1, 1));
    return;
  }
  beginResetModel();
  pairs_ = std::move(pairs);
  endResetModel();
}

std::vector<PairModel::Pair> PairModel::pairsOf(const ClusterDocument& document) const {
  std::vector<Pair> pairs;
  const FieldPath at = path();
  const auto text = [&](const FieldPath& place) {
    const auto scalar = document.scalar(place);
    return scalar ? toQString(scalar->value) : QString();
  };
  if (kind_ == PairKind::Mounts) {
    for (std::size_t i = 0; i < document.lengthAt(at).value_or(0); ++i)
      pairs.push_back({text(at.child(i).child("src")), text(at.child(i).child("dest"))});
    return pairs;
  }
  if (const auto keys = document.keysAt(at))
    for (const std::string& key : *keys) pairs.push_back({toQString(key), text(at.child(key))});
  return pairs;
}

FieldPath PairModel::placeOf(int row) const {
  const auto index = static_cast<std::size_t>(row);
  return kind_ == PairKind::Mounts ? path().child(index) : path().child(toStdString(pairs_[index].first));
}

bool PairModel::edit(const QString& text, const std::vector<Step>& steps) {
  const auto done = cluster_->edit(text, {}, steps);
  if (!done) emit editFailed(done.error());
  cluster_->document();
  refresh();
  return done.has_value();
}

QString PairModel::freeTag() const {
  QString name = QStringLiteral("tag");
  const auto isTaken = [&] {
    return std::any_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) { return pair.first == name; });
  };
  for (int i = 2; isTaken(); ++i) name = QStringLiteral("tag-%1").arg(i);
  return name;
}

int PairModel::addPair() {
  const FieldPath at = path();
  if (kind_ == PairKind::Tags) {
    const FieldPath place = at.child(toStdString(freeTag()));
    return edit(tr("add tag"),
                {[=](const ClusterDocument& document) { return document.setScalar(place, ""); }})
               ? rowCount() - 1
               : -1;
  }
  // The document appends {name, value} pairs; these are called otherwise.
  const FieldPath row = at.child(pairs_.size());
  const EnvVar pair{"oci://bucket@namespace/prefix", "data"};
  const bool done = edit(tr("add storage mount"),
                         {[=](const ClusterDocument& document) { return document.appendEnv(at, pair); },
                          fixStep({FixStep::Kind::RenameKey, row.child("name"), "src"}),
                          fixStep({FixStep::Kind::RenameKey, row.child("value"), "dest"})});
  return done ? rowCount() - 1 : -1;
}

void PairModel::removePairs(std::vector<int> rows) {
  std::sort(rows.rbegin(), rows.rend());  // from the end, so that the indices before stay right
  std::vector<Step> steps;
  for (const int row : rows)
    steps.push_back(
        [place = placeOf(row)](const ClusterDocument& document) { return document.remove(place); });
  edit(kind_ == PairKind::Mounts ? tr("remove storage mount") : tr("remove tag"), steps);
}

int PairModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(pairs_.size());
}

int PairModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : 2;
}

QVariant PairModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Pair& pair = pairs_[static_cast<std::size_t>(index.row())];
  const QString& text = index.column() == 0 ? pair.first : pair.second;
  if (role == Qt::ToolTipRole) return plainToolTip(text);
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  return text;
}

QVariant PairModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  if (kind_ == PairKind::Mounts) return section == 0 ? tr("Source") : tr("Folder in the container");
  return section == 0 ? tr("Tag") : tr("Value");
}

Qt::ItemFlags PairModel::flags(const QModelIndex& index) const {
  return QAbstractTableModel::flags(index) | (index.isValid() ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool PairModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  if (data(index, Qt::EditRole) == value) return true;
  const std::string text = toStdString(value.toString());
  const FieldPath row = placeOf(index.row());
  if (kind_ == PairKind::Tags && index.column() == 0)
    return edit(tr("rename tag"), {fixStep({FixStep::Kind::RenameKey, row, text})});
  const FieldPath place = kind_ == PairKind::Tags ? row : row.child(index.column() == 0 ? "src" : "dest");
  return edit(kind_ == PairKind::Tags ? tr("change tag") : tr("change storage mount"),
              {[=](const ClusterDocument& document) { return document.setScalar(place, text); }});
}

}  // namespace lockstep
