// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/remote/remote_runs_model.h"

#include <utility>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/runs/run_state_text.h"

namespace lockstep {
namespace {

// What an index of a job run carries; those of jobs carry kOfJob.
constexpr quintptr kOfJob = 0;
constexpr quintptr ofJobRunOf(int job) {
  return static_cast<quintptr>(job) + 1;
}

// A job run goes through the same states as a whole run.
BadgeTone toneOf(JobRunState state) {
  TrainingRun one;
  one.launchComplete = true;
  one.nodes.resize(1);
  one.nodes.front().id = JobRunId("one");
  one.nodes.front().state = state;
  return toneOf(stateOf(one));
}

}  // namespace

RemoteRunsModel::RemoteRunsModel(QObject* parent) : QAbstractItemModel(parent) {}

void RemoteRunsModel::setRuns(std::vector<RemoteRun> runs, std::map<std::string, RunId> known) {
  beginResetModel();
  runs_ = std::move(runs);
  known_ = std::move(known);
  endResetModel();
}

void RemoteRunsModel::setKnown(const JobId& job, const RunId& run) {
  known_[job.value] = run;
  for (int row = 0; row < rowCount(); ++row)
    if (runs_[static_cast<std::size_t>(row)].jobId == job)
      emit dataChanged(index(row, 0), index(row, kColumnCount - 1));
}

const RemoteRun* RemoteRunsModel::run(const QModelIndex& index) const {
  if (!index.isValid() || index.model() != this) return nullptr;
  const QModelIndex job = index.parent().isValid() ? index.parent() : index;
  return &runs_[static_cast<std::size_t>(job.row())];
}

std::optional<RunId> RemoteRunsModel::knownAs(const RemoteRun& run) const {
  const auto found = known_.find(run.jobId.value);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

QModelIndex RemoteRunsModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? ofJobRunOf(parent.row()) : kOfJob);
}

QModelIndex RemoteRunsModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kOfJob) return {};
  return createIndex(static_cast<int>(index.internalId() - 1), 0, kOfJob);
}

int RemoteRunsModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(runs_.size());
  if (parent.parent().isValid() || parent.column() != 0) return 0;
  return static_cast<int>(runs_[static_cast<std::size_t>(parent.row())].jobRuns.size());
}

int RemoteRunsModel::columnCount(const QModelIndex& /*parent*/) const {
  return kColumnCount;
}

QVariant RemoteRunsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const RemoteRun& run = *this->run(index);
  const NodeRun* node =
      index.parent().isValid() ? &run.jobRuns[static_cast<std::size_t>(index.row())] : nullptr;
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return node ? textOfJobRun(*node, column) : textOfJob(run, column);
    case Qt::DecorationRole:
      return column == kState ? QVariant(iconFor(node ? toneOf(node->state) : toneOf(run.state)))
                              : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant(column == kJobRuns ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole:
      return toolTipLines(linesAbout(run, node, column));
    case kSortRole:
      return node ? QVariant(index.row()) : sortKey(run, column);
    default:
      return {};
  }
}

QString RemoteRunsModel::textOfJob(const RemoteRun& run, int column) const {
  switch (column) {
    case kName:
      return toShownLine(run.name.empty() ? run.jobId.value : run.name);
    case kState:
      return textOf(run.state);
    case kStarted:
      return startedText(run.created, now_);
    case kJobRuns:
      return QString::number(run.jobRuns.size());
    case kCompartment:
      return run.compartment.empty() ? tr("(tenancy)") : toShownLine(run.compartment);
    case kProject:
      return toShownLine(run.project);
    case kHere:
      return knownAs(run) ? tr("yes") : QString();
    default:
      return {};
  }
}

QString RemoteRunsModel::textOfJobRun(const NodeRun& node, int column) const {
  switch (column) {
    case kName:
      return toShownLine(node.displayName.empty() ? node.id.value : node.displayName);
    case kState:
      return textOf(node.state);
    case kStarted:
      return node.started ? startedText(*node.started, now_) : QString();
    default:
      return {};
  }
}

QVariant RemoteRunsModel::sortKey(const RemoteRun& run, int column) const {
  if (column == kStarted) return static_cast<qlonglong>(run.created.time_since_epoch().count());
  if (column == kJobRuns) return static_cast<qlonglong>(run.jobRuns.size());
  return textOfJob(run, column).toCaseFolded();
}

QStringList RemoteRunsModel::linesAbout(const RemoteRun& run, const NodeRun* node, int column) const {
  if (node && column == kState && !node->details.empty())
    return toShownText(node->details).split(QLatin1Char('\n'));
  if (node) return {toShownLine(node->id.value)};
  if (column != kName) return {textOfJob(run, column)};
  QStringList lines{toShownLine(run.jobId.value)};
  if (!run.createdBy.empty()) lines << tr("Launched by %1").arg(toShownLine(run.createdBy));
  return lines;
}

QVariant RemoteRunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant(section == kJobRuns ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == kHere)
    return plainToolTip(tr("Whether the job stands among the runs of this computer"));
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kName:
      return tr("Job");
    case kState:
      return tr("State");
    case kStarted:
      return tr("Started");
    case kJobRuns:
      return tr("Job runs");
    case kCompartment:
      return tr("Compartment");
    case kProject:
      return tr("Project");
    case kHere:
      return tr("Here");
    default:
      return {};
  }
}

}  // namespace lockstep
