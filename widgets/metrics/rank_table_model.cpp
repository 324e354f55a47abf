// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_table_model.h"

#include <QLocale>
#include <QPixmap>
#include <algorithm>
#include <cmath>

#include "widgets/common/plain_text.h"
#include "widgets/metrics/number_text.h"

namespace lockstep {
namespace {

std::optional<double> lastValue(const MetricStore& store, std::string_view name, Rank rank) {
  const auto point = store.last(std::string(name), rank);
  return point ? std::optional(point->value) : std::nullopt;
}

QString orNothing(const std::optional<double>& value, QString (*text)(double)) {
  return value ? text(*value) : QStringLiteral("–");
}

}  // namespace

RankTableModel::RankTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void RankTableModel::setNodes(const std::vector<RankNode>& nodes) {
  for (const auto& node : nodes) {
    Row& row = rowOf(node.rank);
    if (row.node.node == node.node && row.node.state == node.state) continue;
    row.node = node;
    const int at = static_cast<int>(&row - rows_.data());
    emit dataChanged(index(at, NodeColumn), index(at, StateColumn));
  }
}

void RankTableModel::setRankState(Rank rank, const QString& state) {
  Row& row = rowOf(rank);
  row.node.state = state;
  const QModelIndex cell = index(static_cast<int>(&row - rows_.data()), StateColumn);
  emit dataChanged(cell, cell);
}

RankTableModel::Row& RankTableModel::rowOf(Rank rank) {
  auto place = std::lower_bound(rows_.begin(), rows_.end(), rank,
                                [](const Row& row, Rank wanted) { return row.node.rank < wanted; });
  if (place != rows_.end() && place->node.rank == rank) return *place;
  const int at = static_cast<int>(place - rows_.begin());
  beginInsertRows({}, at, at);
  place = rows_.insert(place, Row{});
  place->node.rank = rank;
  endInsertRows();
  return rows_[static_cast<std::size_t>(at)];
}

void RankTableModel::update(const MetricStore& store) {
  for (const auto& name : store.names())
    for (const Rank rank : store.ranks(name)) rowOf(rank);
  for (auto& row : rows_) readRow(store, row);
  if (!rows_.empty()) emit dataChanged(index(0, StepColumn), index(rowCount() - 1, AgeColumn));
}

void RankTableModel::readRow(const MetricStore& store, Row& row) {
  const Rank rank = row.node.rank;
  row.loss = lastValue(store, metric::kLoss, rank);
  row.speed = lastValue(store, metric::kSamplesPerSecond, rank);
  row.cpu = lastValue(store, metric::kCpuPercent, rank);
  row.gpu = lastValue(store, metric::kGpuPercent, rank);
  row.memory = lastValue(store, metric::kMemoryBytes, rank);
  row.step.reset();
  row.newest.reset();
  for (const auto name : {metric::kLoss, metric::kSamplesPerSecond, metric::kCpuPercent}) {
    const auto point = store.last(std::string(name), rank);
    if (!point) continue;
    row.step = std::max(row.step.value_or(point->step), point->step);
    row.newest = std::max(row.newest.value_or(point->time), point->time);
  }
}

void RankTableModel::setNow(TimePoint now) {
  now_ = now;
  if (!rows_.empty()) emit dataChanged(index(0, AgeColumn), index(rowCount() - 1, AgeColumn));
}

void RankTableModel::clear() {
  beginResetModel();
  rows_.clear();
  endResetModel();
}

bool RankTableModel::hasGpu() const {
  return std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.gpu.has_value(); });
}

std::vector<Rank> RankTableModel::ranks() const {
  std::vector<Rank> ranks;
  for (const auto& row : rows_) ranks.push_back(row.node.rank);
  return ranks;
}

int RankTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RankTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant RankTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const bool isNumber = index.column() >= StepColumn || index.column() == RankColumn;
  switch (role) {
    case Qt::DisplayRole:
      return text(row, index.column());
    case Qt::ToolTipRole:
      if (index.column() != NodeColumn && index.column() != StateColumn) return {};
      return plainToolTip(text(row, index.column()));
    case Qt::TextAlignmentRole:
      if (index.column() == RankColumn) return static_cast<int>(Qt::AlignCenter);
      return static_cast<int>((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case RankRole:
      return row.node.rank.value;
    case SortRole:
      return isNumber ? number(row, index.column()) : QVariant(text(row, index.column()));
    default:
      return {};
  }
}

QVariant RankTableModel::number(const Row& row, int column) const {
  const auto orLowest = [](const std::optional<double>& value) {
    return value && !std::isnan(*value) ? *value : -1e300;
  };
  switch (column) {
    case RankColumn:
      return row.node.rank.value;
    case StepColumn:
      return static_cast<qlonglong>(row.step.value_or(-1));
    case LossColumn:
      return orLowest(row.loss);
    case SpeedColumn:
      return orLowest(row.speed);
    case CpuColumn:
      return orLowest(row.cpu);
    case GpuColumn:
      return orLowest(row.gpu);
    case MemoryColumn:
      return orLowest(row.memory);
    case AgeColumn:
      return row.newest ? static_cast<qlonglong>((now_ - *row.newest).count())
                        : std::numeric_limits<qlonglong>::max();
    default:
      return {};
  }
}

QString RankTableModel::text(const Row& row, int column) const {
  switch (column) {
    case RankColumn:
      return QString::number(row.node.rank.value);
    case NodeColumn:
      return row.node.node;
    case StateColumn:
      return row.node.state;
    case StepColumn:
      return row.step ? QLocale().toString(static_cast<qlonglong>(*row.step)) : QStringLiteral("–");
    case LossColumn:
      return row.loss && !std::isfinite(*row.loss) ? tr("not a number") : orNothing(row.loss, valueText);
    case SpeedColumn:
      return orNothing(row.speed, countText);
    case CpuColumn:
      return orNothing(row.cpu, percentText);
    case GpuColumn:
      return orNothing(row.gpu, percentText);
    case MemoryColumn:
      return orNothing(row.memory, bytesText);
    case AgeColumn:
      return row.newest ? ageText(now_ - *row.newest) : QStringLiteral("–");
    default:
      return {};
  }
}

QVariant RankTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && section == RankColumn) return static_cast<int>(Qt::AlignCenter);
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>(
        (section >= StepColumn || section == RankColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == CpuColumn) return tr("100 % is one core");
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case RankColumn:
      return tr("Rank");
    case NodeColumn:
      return tr("Node");
    case StateColumn:
      return tr("State");
    case StepColumn:
      return tr("Step");
    case LossColumn:
      return tr("Loss");
    case SpeedColumn:
      return tr("Samples/s");
    case CpuColumn:
      return tr("CPU");
    case GpuColumn:
      return tr("GPU");
    case MemoryColumn:
      return tr("Memory");
    case AgeColumn:
      return tr("Last sample");
    default:
      return {};
  }
}

}  // namespace lockstep
