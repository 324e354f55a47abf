// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_table_model.h"

#include <QGuiApplication>
#include <QLocale>
#include <QPixmap>
#include <algorithm>
#include <cmath>

#include "health/health_text.h"
#include "widgets/common/text/number_text.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/metric_texts.h"

namespace lockstep {
namespace {

QString nothing() {
  return QStringLiteral("–");
}

// A value that is none goes below all others, whichever they are.
double sortedBy(const std::optional<double>& value) {
  return value && !std::isnan(*value) ? *value : -1e300;
}

QString metricText(std::string_view metric, const std::optional<double>& value) {
  const MetricInfo* info = findMetric(metric);
  if (!value || info == nullptr) return nothing();
  // A loss that is not finite is news; a rate that is not has only not been measured.
  if (info->unit == MetricUnit::None && !std::isfinite(*value)) return RankTableModel::tr("not a number");
  return metricValueText(info->unit, *value);
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
  for (const Rank rank : ranksIn(store)) rowOf(rank);
  for (auto& row : rows_) row.values = rankValues(store, row.node.rank);
  if (!rows_.empty()) emit dataChanged(index(0, StepColumn), index(rowCount() - 1, ageColumn()));
}

void RankTableModel::setStale(const std::vector<StaleRank>& stale) {
  bool isNew = false;
  for (Row& row : rows_) {
    const auto found = std::ranges::find(stale, row.node.rank, &StaleRank::rank);
    std::optional<StaleRank> now = found == stale.end() ? std::nullopt : std::optional(*found);
    isNew = isNew || now != row.stale;
    row.stale = now;
  }
  if (isNew) emit dataChanged(index(0, RankColumn), index(rowCount() - 1, ageColumn()));
}

void RankTableModel::setNow(TimePoint now) {
  now_ = now;
  if (!rows_.empty()) emit dataChanged(index(0, ageColumn()), index(rowCount() - 1, ageColumn()));
}

void RankTableModel::clear() {
  beginResetModel();
  rows_.clear();
  endResetModel();
}

int RankTableModel::columnOf(std::string_view metric) const {
  const auto found = std::ranges::find(quantities_, metric, &RankMetricColumn::metric);
  return found == quantities_.end() ? -1 : FirstMetricColumn + static_cast<int>(found - quantities_.begin());
}

int RankTableModel::ageColumn() const {
  return FirstMetricColumn + static_cast<int>(quantities_.size());
}

const RankMetricColumn* RankTableModel::quantityIn(int column) const {
  if (column < FirstMetricColumn || column >= ageColumn()) return nullptr;
  return &quantities_[static_cast<std::size_t>(column - FirstMetricColumn)];
}

bool RankTableModel::isOfUse(int column) const {
  const RankMetricColumn* quantity = quantityIn(column);
  if (quantity == nullptr || !quantity->onlyWhereMeasured) return true;
  return std::ranges::any_of(
      rows_, [quantity](const Row& row) { return row.values.value(quantity->metric).has_value(); });
}

std::vector<Rank> RankTableModel::ranks() const {
  std::vector<Rank> ranks;
  for (const auto& row : rows_) ranks.push_back(row.node.rank);
  return ranks;
}

QString RankTableModel::widestText(int column) const {
  if (column == RankColumn && !rows_.empty()) return QString::number(rows_.back().node.rank.value);
  const RankMetricColumn* quantity = quantityIn(column);
  const MetricInfo* info = quantity == nullptr ? nullptr : findMetric(quantity->metric);
  const bool isPercent =
      info != nullptr && (info->unit == MetricUnit::Percent || info->unit == MetricUnit::PercentOfOneCore);
  return isPercent ? metricText(quantity->metric, 100) : QString();
}

int RankTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RankTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ageColumn() + 1;
}

QVariant RankTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const bool isNumber = index.column() >= StepColumn || index.column() == RankColumn;
  switch (role) {
    case Qt::DisplayRole:
      return text(row, index.column());
    case Qt::ToolTipRole:
      return plainToolTip(toolTip(row, index.column()));
    case Qt::ForegroundRole:
      if (!row.stale) return {};
      return index.column() == ageColumn() ? warningColor(QGuiApplication::palette())
                                           : mutedColor(QGuiApplication::palette());
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
  const RankValues& values = row.values;
  if (const RankMetricColumn* quantity = quantityIn(column)) return sortedBy(values.value(quantity->metric));
  if (column == RankColumn) return row.node.rank.value;
  if (column == StepColumn) return static_cast<qlonglong>(values.step.value_or(-1));
  return values.newest ? static_cast<qlonglong>((now_ - *values.newest).count())
                       : std::numeric_limits<qlonglong>::max();
}

QString RankTableModel::text(const Row& row, int column) const {
  const RankValues& values = row.values;
  if (const RankMetricColumn* quantity = quantityIn(column))
    return metricText(quantity->metric, values.value(quantity->metric));
  switch (column) {
    case RankColumn:
      return QString::number(row.node.rank.value);
    case NodeColumn:
      return row.node.node;
    case StateColumn:
      return row.node.state;
    case StepColumn:
      return values.step ? QLocale().toString(static_cast<qlonglong>(*values.step)) : nothing();
    default:
      return values.newest ? ageText(now_ - *values.newest) : nothing();
  }
}

QString RankTableModel::toolTip(const Row& row, int column) const {
  if (row.stale && column >= StepColumn)
    return tr("No sample for %1 after step %2, while other ranks went on")
        .arg(toQString(lastingText(row.stale->behind)), QLocale().toString(row.stale->lastStep));
  if (column != NodeColumn && column != StateColumn) return {};
  return text(row, column);
}

QString RankTableModel::title(int column) const {
  if (const RankMetricColumn* quantity = quantityIn(column)) {
    const MetricInfo* info = findMetric(quantity->metric);
    return info == nullptr ? QString() : shortTitleOfMetric(*info);
  }
  switch (column) {
    case RankColumn:
      return tr("Rank");
    case NodeColumn:
      return tr("Node");
    case StateColumn:
      return tr("State");
    case StepColumn:
      return tr("Step");
    default:
      return tr("Last sample");
  }
}

QVariant RankTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role == Qt::DisplayRole) return title(section);
  if (role == Qt::TextAlignmentRole && section == RankColumn) return static_cast<int>(Qt::AlignCenter);
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section >= StepColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  const RankMetricColumn* quantity = role == Qt::ToolTipRole ? quantityIn(section) : nullptr;
  const MetricInfo* info = quantity != nullptr ? findMetric(quantity->metric) : nullptr;
  if (info == nullptr || *info->note == '\0') return {};
  return noteOfMetric(*info);
}

}  // namespace lockstep
