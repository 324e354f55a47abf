// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/remote/remote_runs_filter.h"

#include <algorithm>

#include "widgets/common/text/qt_convert.h"
#include "widgets/runs/remote/remote_runs_model.h"

namespace lockstep {

RemoteRunsFilter::RemoteRunsFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(RemoteRunsModel::kSortRole);
}

void RemoteRunsFilter::setText(const QString& text) {
  words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

void RemoteRunsFilter::setOnlyRunning(bool isOnlyRunning) {
  isOnlyRunning_ = isOnlyRunning;
  invalidateFilter();
}

void RemoteRunsFilter::setProject(const QString& projectId) {
  projectId_ = projectId;
  invalidateFilter();
}

void RemoteRunsFilter::setCompartment(const QString& compartmentId) {
  compartmentId_ = compartmentId;
  invalidateFilter();
}

bool RemoteRunsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (parent.isValid()) return true;
  const QModelIndex job = sourceModel()->index(row, 0);
  const RemoteRun* run = static_cast<const RemoteRunsModel*>(sourceModel())->run(job);
  if (isOnlyRunning_ && isTerminal(run->state)) return false;
  if (!projectId_.isEmpty() && toQString(run->projectId) != projectId_) return false;
  if (!compartmentId_.isEmpty() && toQString(run->compartmentId) != compartmentId_) return false;
  return std::ranges::all_of(words_, [&](const QString& word) { return isFound(word, job); });
}

bool RemoteRunsFilter::isFound(const QString& word, const QModelIndex& job) const {
  const auto says = [&word](const QModelIndex& row, const std::string& ocid) {
    for (int column = 0; column < RemoteRunsModel::kColumnCount; ++column)
      if (row.siblingAtColumn(column).data().toString().contains(word, Qt::CaseInsensitive)) return true;
    return toQString(ocid).contains(word, Qt::CaseInsensitive);
  };
  const RemoteRun* run = static_cast<const RemoteRunsModel*>(sourceModel())->run(job);
  if (says(job, run->jobId.value)) return true;
  for (int child = 0; child < sourceModel()->rowCount(job); ++child)
    if (says(sourceModel()->index(child, 0, job), run->jobRuns[static_cast<std::size_t>(child)].id.value))
      return true;
  return false;
}

}  // namespace lockstep
