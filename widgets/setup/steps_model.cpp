// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/steps_model.h"

#include <algorithm>

namespace lockstep {

BadgeTone toneOf(StepState state) {
  switch (state) {
    case StepState::Checking:
      return BadgeTone::Busy;
    case StepState::Ready:
      return BadgeTone::Ok;
    case StepState::Warning:
      return BadgeTone::Warning;
    case StepState::Blocked:
      return BadgeTone::Error;
    case StepState::NotApplicable:
      return BadgeTone::Off;
    case StepState::Unknown:
      break;
  }
  return BadgeTone::Neutral;
}

QString nameOf(StepState state) {
  switch (state) {
    case StepState::Checking:
      return StepsModel::tr("checking");
    case StepState::Ready:
      return StepsModel::tr("ready");
    case StepState::Warning:
      return StepsModel::tr("warning");
    case StepState::Blocked:
      return StepsModel::tr("blocked");
    case StepState::NotApplicable:
      return StepsModel::tr("not needed");
    case StepState::Unknown:
      break;
  }
  return StepsModel::tr("not checked");
}

StepsModel::StepsModel(QObject* parent) : QAbstractListModel(parent) {
  steps_.push_back(
      {"auth",
       tr("Profile and key"),
       tr("The profile is complete, its key file is readable by you alone, and the service accepts "
          "requests signed with it."),
       {}});
  steps_.push_back(
      {"bucket",
       tr("Work directory bucket"),
       tr("The bucket of the work directory exists and can be read: the nodes meet there and leave "
          "their metrics."),
       {}});
}

void StepsModel::setReport(const std::string& id, StepReport report) {
  const int row = rowOf(id);
  if (row < 0) return;
  steps_[static_cast<std::size_t>(row)].report = std::move(report);
  emit dataChanged(index(row), index(row));
}

void StepsModel::clearReports() {
  for (Step& step : steps_) step.report = {};
  emit dataChanged(index(0), index(rowCount() - 1));
}

int StepsModel::rowOf(const std::string& id) const {
  const auto at = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) { return step.id == id; });
  return at == steps_.end() ? -1 : static_cast<int>(at - steps_.begin());
}

int StepsModel::count(StepState state) const {
  return static_cast<int>(std::count_if(steps_.begin(), steps_.end(),
                                        [&](const Step& step) { return step.report.state == state; }));
}

int StepsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(steps_.size());
}

QVariant StepsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Step& shown = step(index.row());
  const QString state = nameOf(shown.report.state);
  switch (role) {
    case Qt::DisplayRole:
      return shown.title;
    case Qt::DecorationRole:
      return iconFor(toneOf(shown.report.state));
    case Qt::ToolTipRole:
      return tr("%1: %2").arg(shown.title, state);
    case Qt::AccessibleTextRole:
      return tr("%1: %2").arg(shown.title, state);
    default:
      return {};
  }
}

}  // namespace lockstep
