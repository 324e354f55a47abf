// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/runs_model.h"

#include <algorithm>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/runs/run_state_text.h"

namespace lockstep {
namespace {

bool contains(const std::vector<TrainingRun>& runs, const RunId& id) {
  return std::any_of(runs.begin(), runs.end(), [&id](const TrainingRun& run) { return run.id == id; });
}

bool sameOrder(const std::vector<TrainingRun>& a, const std::vector<TrainingRun>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TrainingRun& x, const TrainingRun& y) { return x.id == y.id; });
}

Qt::Alignment alignmentOf(int column) {
  if (column == RunsModel::kElapsed) return Qt::AlignRight | Qt::AlignVCenter;
  // Centred: between two texts a number at the right would seem to belong to the next column.
  return column == RunsModel::kNodes ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter;
}

}  // namespace

RunsModel::RunsModel(QObject* parent) : QAbstractTableModel(parent) {}

void RunsModel::setRuns(std::vector<TrainingRun> runs) {
  removeMissing(runs);
  insertNew(runs);
  if (!sameOrder(runs_, runs)) {
    beginResetModel();
    runs_ = std::move(runs);
    endResetModel();
    return;
  }
  runs_ = std::move(runs);
  if (!runs_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

void RunsModel::removeMissing(const std::vector<TrainingRun>& runs) {
  for (int row = rowCount() - 1; row >= 0; --row) {
    if (contains(runs, runs_[static_cast<std::size_t>(row)].id)) continue;
    beginRemoveRows({}, row, row);
    runs_.erase(runs_.begin() + row);
    endRemoveRows();
  }
}

void RunsModel::insertNew(const std::vector<TrainingRun>& runs) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (contains(runs_, runs[i].id)) continue;
    const int row = static_cast<int>(std::min(i, runs_.size()));
    beginInsertRows({}, row, row);
    runs_.insert(runs_.begin() + row, runs[i]);
    endInsertRows();
  }
}

void RunsModel::updateRun(const TrainingRun& run) {
  if (const auto row = rowOf(run.id)) {
    runs_[static_cast<std::size_t>(*row)] = run;
    emit dataChanged(index(*row, 0), index(*row, kColumnCount - 1));
    return;
  }
  beginInsertRows({}, 0, 0);
  runs_.insert(runs_.begin(), run);
  endInsertRows();
}

void RunsModel::setNow(TimePoint now) {
  now_ = now;
  for (int row = 0; row < rowCount(); ++row) {
    if (runs_[static_cast<std::size_t>(row)].finished) continue;
    emit dataChanged(index(row, kStarted), index(row, kElapsed), {Qt::DisplayRole});
  }
}

const TrainingRun* RunsModel::run(int row) const {
  return row >= 0 && row < rowCount() ? &runs_[static_cast<std::size_t>(row)] : nullptr;
}

std::optional<int> RunsModel::rowOf(const RunId& id) const {
  const auto it =
      std::find_if(runs_.begin(), runs_.end(), [&id](const TrainingRun& run) { return run.id == id; });
  return it == runs_.end() ? std::nullopt : std::optional(static_cast<int>(it - runs_.begin()));
}

int RunsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const TrainingRun& run = runs_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return text(run, index.column());
    case Qt::DecorationRole:
      return index.column() == kState ? QVariant(iconFor(toneOf(stateOf(run)))) : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant(alignmentOf(index.column()));
    case Qt::ToolTipRole:
      return plainToolTip(index.column() == kName ? toQString(run.id.value) : text(run, index.column()));
    case kSortRole:
      return sortKey(run, index.column());
    case kRunIdRole:
      return toQString(run.id.value);
    default:
      return {};
  }
}

QString RunsModel::text(const TrainingRun& run, int column) const {
  switch (column) {
    case kName:
      return toShownLine(run.name.empty() ? run.id.value : run.name);
    case kState:
      return textOf(stateOf(run));
    case kStarted:
      return startedText(run.created, now_);
    case kElapsed:
      return elapsedOf(run, now_);
    case kNodes:
      return QString::number(run.nodes.size());
    case kPlace:
      return placeOf(run);
    case kFailure:
      return toShownText(run.failure).simplified();
    default:
      return {};
  }
}

QVariant RunsModel::sortKey(const TrainingRun& run, int column) const {
  switch (column) {
    case kStarted:
      return static_cast<qlonglong>(run.created.time_since_epoch().count());
    case kElapsed:
      return static_cast<qlonglong>((run.finished.value_or(now_) - run.created).count());
    case kNodes:
      return static_cast<qlonglong>(run.nodes.size());
    default:
      return text(run, column);
  }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(alignmentOf(section));
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kName:
      return tr("Name");
    case kState:
      return tr("State");
    case kStarted:
      return tr("Started");
    case kElapsed:
      return tr("Elapsed");
    case kNodes:
      return tr("Nodes");
    case kPlace:
      return tr("Place");
    case kFailure:
      return tr("Failure");
    default:
      return {};
  }
}

}  // namespace lockstep
