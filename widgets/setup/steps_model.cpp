// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/steps_model.h"

#include <QLocale>
#include <algorithm>

#include "setup/steps/setup_steps.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

QString stateText(const StepsModel::Step& step) {
  const QString state = nameOf(step.state());
  if (step.isChecking) return state;
  if (step.report.state == StepState::Waived && !step.report.findings.empty())
    return toQString(step.report.findings.front().text);  // "waived: the reason"
  if (step.rememberedFrom)
    return StepsModel::tr("%1, last checked %2").arg(state, shortTime(*step.rememberedFrom));
  return state;
}

}  // namespace

QString shortTime(const QDateTime& time) {
  const QDateTime local = time.toLocalTime();
  const QLocale locale;
  const QString clock = locale.toString(local.time(), QLocale::ShortFormat);
  if (local.date() == QDate::currentDate()) return clock;
  return locale.toString(local.date(), QStringLiteral("d MMM ")) + clock;
}

StepsModel::StepsModel(QObject* parent) : QAbstractListModel(parent) {
  for (const std::string& id : setupStepNames()) {
    Step step;
    step.id = id;
    step.title = stepTitle(id);
    step.purpose = stepPurpose(id);
    steps_.push_back(std::move(step));
  }
}

StepsModel::Step* StepsModel::find(const std::string& id) {
  const int row = rowOf(id);
  return row < 0 ? nullptr : &steps_[static_cast<std::size_t>(row)];
}

void StepsModel::noteChange(const Step& step) {
  const QModelIndex at = index(rowOf(step.id));
  emit dataChanged(at, at);
}

void StepsModel::setChecking(const std::string& id, bool isChecking) {
  Step* step = find(id);
  if (!step || step->isChecking == isChecking) return;
  step->isChecking = isChecking;
  noteChange(*step);
}

void StepsModel::setReport(const std::string& id, StepReport report) {
  Step* step = find(id);
  if (!step) return;
  step->report = std::move(report);
  step->isChecking = false;
  step->rememberedFrom.reset();
  noteChange(*step);
}

void StepsModel::setRemembered(const std::string& id, StepReport report, const QDateTime& checkedAt) {
  Step* step = find(id);
  if (!step || step->report.state != StepState::Unknown) return;
  step->report = std::move(report);
  step->report.fixes.clear();
  step->rememberedFrom = checkedAt;
  noteChange(*step);
}

void StepsModel::clearReports() {
  for (Step& step : steps_) {
    step.report = {};
    step.isChecking = false;
    step.rememberedFrom.reset();
  }
  emit dataChanged(index(0), index(rowCount() - 1));
}

int StepsModel::rowOf(const std::string& id) const {
  const auto at = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) { return step.id == id; });
  return at == steps_.end() ? -1 : static_cast<int>(at - steps_.begin());
}

int StepsModel::count(StepState state) const {
  return static_cast<int>(
      std::count_if(steps_.begin(), steps_.end(), [&](const Step& step) { return step.state() == state; }));
}

int StepsModel::settledCount() const {
  return static_cast<int>(std::count_if(steps_.begin(), steps_.end(), [](const Step& step) {
    const StepState state = step.report.state;  // a step that is looked at again has not become unready
    return state == StepState::Ready || state == StepState::NotApplicable || state == StepState::Waived;
  }));
}

std::map<std::string, std::string> StepsModel::facts() const {
  std::map<std::string, std::string> all;
  for (const Step& step : steps_)
    for (const auto& [path, value] : step.report.facts) all[path] = value;
  return all;
}

std::map<QString, QString> StepsModel::names() const {
  std::map<QString, QString> all;
  for (const Step& step : steps_)
    for (const auto& [id, name] : step.report.names)
      if (!name.empty()) all[toQString(id)] = toQString(name);
  return all;
}

const ProposedFix* StepsModel::fix(const std::string& stepId, const std::string& fixId) const {
  const int row = rowOf(stepId);
  if (row < 0) return nullptr;
  const auto& fixes = step(row).report.fixes;
  const auto at = std::find_if(fixes.begin(), fixes.end(), [&](const auto& fix) { return fix.id == fixId; });
  return at == fixes.end() ? nullptr : &*at;
}

std::vector<FixOfStep> StepsModel::unaskedFixes() const {
  std::vector<FixOfStep> all;
  for (const Step& step : steps_) {
    if (step.report.state != StepState::Blocked && step.report.state != StepState::Warning) continue;
    for (const ProposedFix& fix : step.report.fixes)
      if (fix.isDoneUnasked()) all.push_back({step.id, fix});
  }
  return all;
}

int StepsModel::nextBlocked(int after) const {
  const int all = rowCount();
  for (int i = 1; i <= all; ++i) {
    const int row = (after + i) % all;
    if (step(row).report.state == StepState::Blocked) return row;
  }
  return -1;
}

int StepsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(steps_.size());
}

QString StepsModel::spoken(int row) const {
  const Step& shown = step(row);
  return tr("%1 of %2, %3: %4").arg(row + 1).arg(rowCount()).arg(shown.title, stateText(shown));
}

QVariant StepsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Step& shown = step(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return shown.title;
    case Qt::DecorationRole:
      return iconFor(toneOf(shown.state()));
    case StateRole:
      return static_cast<int>(shown.state());
    case StateTextRole:
      return stateText(shown);
    case Qt::ToolTipRole:
      return plainToolTip(spoken(index.row()));
    case Qt::AccessibleTextRole:
      return spoken(index.row());
    default:
      return {};
  }
}

}  // namespace lockstep
