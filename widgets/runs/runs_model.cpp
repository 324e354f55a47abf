// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/runs_model.h"

#include <algorithm>
#include <numeric>

#include "base/time_text.h"
#include "history/run_price.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/runs/found_text.h"
#include "widgets/runs/run_state_text.h"

namespace lockstep {
namespace {

Qt::Alignment alignmentOf(int column) {
  if (column == RunsModel::kElapsed) return Qt::AlignRight | Qt::AlignVCenter;
  // Centred: between two texts a number at the right would seem to belong to the next column.
  const bool isNumber = column == RunsModel::kNodes || column == RunsModel::kCost;
  return isNumber ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter;
}

/// What a column is sorted by where its text is not it. Runs without one come last, whichever the direction.
std::optional<double> sortNumber(const RunSummary& run, int column, TimePoint now) {
  switch (column) {
    case RunsModel::kStarted:
      return std::chrono::duration<double>(run.created.time_since_epoch()).count();
    case RunsModel::kElapsed:
      return std::chrono::duration<double>(elapsedOf(run, now)).count();
    case RunsModel::kNodes:
      return run.nodes;
    case RunsModel::kCost:
      return costUntil(run, now);
    case RunsModel::kFindings:
      return run.findings ? std::optional(weightOf(*run.findings)) : std::nullopt;
    case RunsModel::kResult: {
      const RunResult* result = mainResultOf(run);
      return result == nullptr ? std::nullopt : std::optional(result->last);
    }
    default:
      return std::nullopt;
  }
}

bool isSortedByNumber(int column) {
  return column == RunsModel::kFindings || column == RunsModel::kStarted || column == RunsModel::kElapsed ||
         column == RunsModel::kNodes || column == RunsModel::kCost || column == RunsModel::kResult;
}

}  // namespace

RunsModel::RunsModel(QObject* parent)
    : QAbstractTableModel(parent), index_(std::make_shared<const RunIndex>()) {}

void RunsModel::setRuns(std::vector<RunSummary> runs) {
  if (runs != index_->runs()) take(RunIndex(std::move(runs)));
}

void RunsModel::updateRun(const TrainingRun& run) {
  const auto& runs = index_->runs();
  const auto at = std::find_if(runs.begin(), runs.end(), [&](const RunSummary& r) { return r.id == run.id; });
  RunSummary newer = at == runs.end() ? summaryOf(run) : withNewState(*at, run);
  if (at != runs.end() && newer == *at) return;
  RunIndex changed = *index_;
  if (at == runs.end())
    changed.addFirst(std::move(newer));
  else
    changed.replace(static_cast<std::size_t>(at - runs.begin()), std::move(newer));
  take(std::move(changed));
}

void RunsModel::setFindings(const RunId& id, const RunFindings& findings) {
  const auto& runs = index_->runs();
  const auto at = std::find_if(runs.begin(), runs.end(), [&](const RunSummary& r) { return r.id == id; });
  if (at == runs.end() || at->findings == findings) return;
  RunSummary newer = *at;
  newer.findings = findings;
  RunIndex changed = *index_;
  changed.replace(static_cast<std::size_t>(at - runs.begin()), std::move(newer));
  take(std::move(changed));
}

void RunsModel::setQuery(RunQuery query, bool withArchived) {
  query_ = std::move(query);
  withArchived_ = withArchived;
  show(index_, wanted(*index_, order_));
}

void RunsModel::take(RunIndex index) {
  const auto next = std::make_shared<const RunIndex>(std::move(index));
  order_ = sorted(*next);
  show(next, wanted(*next, order_));
}

RunsModel::Places RunsModel::wanted(const RunIndex& index, const Places& order) const {
  std::vector<bool> isFound(index.size());
  for (const std::uint32_t place : index.search(query_, now_, withArchived_)) isFound[place] = true;
  Places places;
  for (const std::uint32_t place : order)
    if (isFound[place]) places.push_back(place);
  return places;
}

RunsModel::Places RunsModel::sorted(const RunIndex& index) const {
  Places order(index.size());
  std::iota(order.begin(), order.end(), 0U);
  if (sortColumn_ < 0) return order;
  const bool isDown = sortOrder_ == Qt::DescendingOrder;
  if (isSortedByNumber(sortColumn_)) {
    std::vector<std::optional<double>> keys;
    for (const RunSummary& run : index.runs()) keys.push_back(sortNumber(run, sortColumn_, now_));
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (!keys[a] || !keys[b]) return keys[a].has_value() && !keys[b];
      return isDown ? *keys[a] > *keys[b] : *keys[a] < *keys[b];
    });
    return order;
  }
  std::vector<QString> keys;
  for (const RunSummary& run : index.runs()) keys.push_back(text(run, sortColumn_).toCaseFolded());
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return isDown ? keys[a] > keys[b] : keys[a] < keys[b];
  });
  return order;
}

void RunsModel::sort(int column, Qt::SortOrder order) {
  sortColumn_ = column;
  sortOrder_ = order;
  order_ = sorted(*index_);
  Places places = wanted(*index_, order_);
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  std::vector<int> rows(index_->size(), -1);  // by place
  for (std::size_t row = 0; row < places.size(); ++row) rows[places[row]] = static_cast<int>(row);
  QModelIndexList from = persistentIndexList(), to;
  for (const QModelIndex& one : from)
    to << index(rows[shown_[static_cast<std::size_t>(one.row())]], one.column());
  shown_ = std::move(places);
  changePersistentIndexList(from, to);
  emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

// Rows go before the new runs are there and others come after it, so that at each signal every row is a run.
void RunsModel::show(const Runs& next, const Places& places) {
  const auto before = index_;
  const Places shownBefore = shown_;
  const auto isSame = [&](std::size_t oldRow, std::size_t newRow) {
    return before->runs()[shownBefore[oldRow]].id == next->runs()[places[newRow]].id;
  };
  const std::size_t had = shownBefore.size(), has = places.size(), least = std::min(had, has);
  std::size_t first = 0, last = 0;
  while (first < least && isSame(first, first)) ++first;
  while (last < least - first && isSame(had - 1 - last, has - 1 - last)) ++last;
  if (had > first + last) {
    beginRemoveRows({}, static_cast<int>(first), static_cast<int>(had - last) - 1);
    shown_.erase(shown_.begin() + static_cast<std::ptrdiff_t>(first),
                 shown_.end() - static_cast<std::ptrdiff_t>(last));
    endRemoveRows();
  }
  index_ = next;
  shown_.assign(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(first));
  shown_.insert(shown_.end(), places.end() - static_cast<std::ptrdiff_t>(last), places.end());
  if (has > first + last) {
    beginInsertRows({}, static_cast<int>(first), static_cast<int>(has - last) - 1);
    shown_ = places;
    endInsertRows();
  }
  if (before == next) return;
  tellChanges(*before, shownBefore, 0, 0, first);
  tellChanges(*before, shownBefore, had - last, has - last, last);
}

/// Of rows that stayed: so many from `now` on, which were from `then` on.
void RunsModel::tellChanges(const RunIndex& before, const Places& shownBefore, std::size_t then,
                            std::size_t now, std::size_t count) {
  std::optional<std::size_t> first, last;
  for (std::size_t row = now; row < now + count; ++row) {
    if (index_->runs()[shown_[row]] == before.runs()[shownBefore[row - now + then]]) continue;
    if (!first) first = row;
    last = row;
  }
  if (first)
    emit dataChanged(index(static_cast<int>(*first), 0), index(static_cast<int>(*last), kColumnCount - 1));
}

void RunsModel::setNow(TimePoint now) {
  now_ = now;
  for (int row = 0; row < rowCount(); ++row) {
    if (run(row)->finished) continue;
    emit dataChanged(index(row, kStarted), index(row, kCost), {Qt::DisplayRole});
  }
}

const RunSummary* RunsModel::run(int row) const {
  return row >= 0 && row < rowCount() ? &index_->runs()[shown_[static_cast<std::size_t>(row)]] : nullptr;
}

std::optional<int> RunsModel::rowOf(const RunId& id) const {
  for (int row = 0; row < rowCount(); ++row)
    if (run(row)->id == id) return row;
  return std::nullopt;
}

int RunsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const RunSummary& one = *run(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return text(one, index.column());
    case Qt::DecorationRole:
      return icon(one, index.column());
    case Qt::AccessibleTextRole:
      return index.column() == kFindings ? QVariant(findingsSentence(one)) : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant(alignmentOf(index.column()));
    case Qt::ToolTipRole:
      return plainToolTip(toolTip(one, index.column()));
    case kRunIdRole:
      return toQString(one.id.value);
    default:
      return {};
  }
}

QVariant RunsModel::icon(const RunSummary& run, int column) {
  if (column == kState) return iconFor(toneOf(run.state));
  if (column == kFindings && run.findings && run.findings->count > 0) return iconFor(toneOf(*run.findings));
  return {};
}

QString RunsModel::text(const RunSummary& run, int column) const {
  switch (column) {
    case kName:
      return toShownLine(run.name.empty() ? run.id.value : run.name);
    case kState:
      return textOf(run.state);
    case kFindings:
      return findingsText(run);
    case kStarted:
      return startedText(run.created, now_);
    case kElapsed:
      return toQString(elapsedText(elapsedOf(run, now_)));
    case kNodes:
      return QString::number(run.nodes);
    case kResult:
      return resultText(run);
    case kCost:
      return costText(run, now_);
    case kTags:
      return tagsText(run.marks);
    case kPlace:
      return placeOf(run);
    case kFailure:
      return toShownText(run.failure).simplified();
    default:
      return {};
  }
}

QString RunsModel::toolTip(const RunSummary& run, int column) const {
  if (column == kName) {
    const QString id = toQString(run.id.value);
    return run.marks.note.empty() ? id : id + QLatin1Char('\n') + toShownText(run.marks.note);
  }
  if (column == kCost && isRehearsal(run) && run.perHour)
    return tr("Rehearsed: nothing was charged. In the service it would have cost that.");
  if (column == kFindings) return findingsToolTip(run);
  return text(run, column);
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(alignmentOf(section));
  if (role != Qt::DisplayRole) return {};
  const QString titles[] = {tr("Name"),    tr("State"), tr("Findings"), tr("Started"),
                            tr("Elapsed"), tr("Nodes"), tr("Result"),   tr("Cost"),
                            tr("Tags"),    tr("Place"), tr("Failure")};
  return section >= 0 && section < kColumnCount ? QVariant(titles[section]) : QVariant();
}

}  // namespace lockstep
