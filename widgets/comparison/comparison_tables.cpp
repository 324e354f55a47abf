// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/comparison/comparison_tables.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "base/time_text.h"
#include "comparison/run_difference.h"
#include "comparison/verdict.h"
#include "metrics/metric_catalogue.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/comparison/verdict_text.h"
#include "widgets/runs/run_state_text.h"

namespace lockstep {
namespace {

// A namespace has no tr(); this one stands for all functions of the file.
struct ComparisonText {
  Q_DECLARE_TR_FUNCTIONS(lockstep::ComparisonText)
};

QString numberText(const std::optional<double>& value) {
  return value ? QLocale().toString(*value, 'g', 4) : QStringLiteral("–");
}

QString meanText(const RunResult& result) {
  if (!result.mean) return QStringLiteral("–");
  const RoundedNumber number =
      rounded(*result.mean, result.error ? std::optional(kSureErrors * *result.error) : std::nullopt);
  QString text = toQString(number.value);
  if (!number.uncertainty.empty()) text += QStringLiteral(" ± ") + toQString(number.uncertainty);
  return text.replace(QLatin1Char('.'), QLocale().decimalPoint());
}

template <class CellOf>
QStringList rowOf(const QString& head, const std::vector<ComparedRun>& runs, CellOf cellOf) {
  QStringList row{head};
  for (const ComparedRun& run : runs) row << cellOf(run);
  return row;
}

void addResult(const std::vector<ComparedRun>& runs, const std::string& metric,
               std::vector<QStringList>& rows) {
  const MetricInfo* info = findMetric(metric);
  const QString unit = QString::fromUtf8(info == nullptr ? "" : symbolInHeading(info->unit));
  const QString title =
      unit.isEmpty() ? titleOfResult(metric) : QStringLiteral("%1 (%2)").arg(titleOfResult(metric), unit);
  const auto add = [&](const QString& head, auto cellOf) {
    rows.push_back(rowOf(head, runs, [&](const ComparedRun& run) {
      const RunResult* result = resultNamed(run.results, metric);
      return result == nullptr ? QStringLiteral("–") : cellOf(*result);
    }));
  };
  const bool hasBest = std::any_of(runs.begin(), runs.end(), [&](const ComparedRun& run) {
    const RunResult* result = resultNamed(run.results, metric);
    return result != nullptr && result->best;
  });
  add(ComparisonText::tr("%1, last").arg(title), [](const RunResult& r) { return numberText(r.last); });
  if (hasBest)
    add(ComparisonText::tr("%1, best").arg(title), [](const RunResult& r) { return numberText(r.best); });
  add(ComparisonText::tr("%1, mean of the last fifth").arg(title), meanText);
}

}  // namespace

ComparisonTable::ComparisonTable(QObject* parent) : QAbstractTableModel(parent) {}

void ComparisonTable::setRows(QStringList heads, std::vector<QStringList> rows) {
  beginResetModel();
  heads_ = std::move(heads);
  rows_ = std::move(rows);
  endResetModel();
}

int ComparisonTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ComparisonTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(heads_.size());
}

QVariant ComparisonTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const QString text = rows_[static_cast<std::size_t>(index.row())].value(index.column());
  if (role == Qt::DisplayRole) return text;
  if (role == Qt::ToolTipRole) return plainToolTip(text);
  return {};
}

QVariant ComparisonTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) return heads_.value(section);
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
  return {};
}

std::vector<QStringList> resultRows(const std::vector<ComparedRun>& runs, TimePoint now) {
  const auto summary = [](const ComparedRun& run) {
    RunSummary whole = summaryOf(run.run);
    whole.perHour = run.perHour;
    whole.currency = run.currency;
    return whole;
  };
  std::vector<QStringList> rows;
  rows.push_back(rowOf(ComparisonText::tr("State"), runs,
                       [](const ComparedRun& run) { return textOf(stateOf(run.run)); }));
  rows.push_back(rowOf(ComparisonText::tr("Elapsed"), runs, [&](const ComparedRun& run) {
    return toQString(elapsedText(elapsedOf(summary(run), now)));
  }));
  rows.push_back(rowOf(ComparisonText::tr("Cost"), runs, [&](const ComparedRun& run) {
    const QString cost = costText(summary(run), now);
    return cost.isEmpty() ? QStringLiteral("–") : cost;
  }));
  for (const std::string& metric : metricsOf(runs)) addResult(runs, metric, rows);
  return rows;
}

std::vector<QStringList> differenceRows(const std::vector<ComparedRun>& runs) {
  std::vector<QStringList> rows;
  for (const DifferenceRow& row : differencesOf(runs)) {
    QStringList texts{QStringLiteral("%1: %2").arg(textOf(row.area), toShownLine(row.name))};
    for (const auto& value : row.values) texts << (value ? toShownLine(*value) : QStringLiteral("–"));
    rows.push_back(std::move(texts));
  }
  return rows;
}

}  // namespace lockstep
