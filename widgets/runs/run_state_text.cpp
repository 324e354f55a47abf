// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_state_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "base/time_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

// A namespace has no tr(); this one stands for all functions of the file.
struct RunStateText {
  Q_DECLARE_TR_FUNCTIONS(lockstep::RunStateText)
};

}  // namespace

QString textOf(RunState state) {
  switch (state) {
    case RunState::Launching:
      return RunStateText::tr("Launching");
    case RunState::Waiting:
      return RunStateText::tr("Waiting");
    case RunState::Running:
      return RunStateText::tr("Running");
    case RunState::Stopping:
      return RunStateText::tr("Stopping");
    case RunState::Succeeded:
      return RunStateText::tr("Succeeded");
    case RunState::Failed:
      return RunStateText::tr("Failed");
    case RunState::Canceled:
      return RunStateText::tr("Canceled");
    case RunState::Silent:
      return RunStateText::tr("No heartbeat");
  }
  return {};
}

BadgeTone toneOf(RunState state) {
  switch (state) {
    case RunState::Launching:
    case RunState::Waiting:
      return BadgeTone::Neutral;
    case RunState::Running:
      return BadgeTone::Busy;
    case RunState::Stopping:
      return BadgeTone::Warning;
    case RunState::Succeeded:
      return BadgeTone::Ok;
    case RunState::Failed:
      return BadgeTone::Error;
    case RunState::Canceled:
      return BadgeTone::Off;
    case RunState::Silent:
      return BadgeTone::Warning;
  }
  return BadgeTone::Neutral;
}

QString textOf(JobRunState state) {
  switch (state) {
    case JobRunState::Accepted:
      return RunStateText::tr("waiting");
    case JobRunState::InProgress:
      return RunStateText::tr("running");
    case JobRunState::Failed:
      return RunStateText::tr("failed");
    case JobRunState::Succeeded:
      return RunStateText::tr("succeeded");
    case JobRunState::Canceling:
      return RunStateText::tr("stopping");
    case JobRunState::Canceled:
      return RunStateText::tr("canceled");
    case JobRunState::Deleted:
      return RunStateText::tr("deleted");
    case JobRunState::NeedsAttention:
      return RunStateText::tr("needs attention");
    case JobRunState::Silent:
      return RunStateText::tr("no heartbeat");
    case JobRunState::Unknown:
      break;
  }
  return RunStateText::tr("unknown");
}

QString elapsedOf(const TrainingRun& run, TimePoint now) {
  const TimePoint end = run.finished.value_or(now);
  return toQString(elapsedText(std::max(end - run.created, TimePoint::duration::zero())));
}

QString startedText(TimePoint started, TimePoint now) {
  const QDateTime local = toQDateTime(started).toLocalTime();
  const QDate today = toQDateTime(now).toLocalTime().date();
  const QLocale locale;
  const QString time = locale.toString(local.time(), QLocale::ShortFormat);
  if (local.date() == today) return RunStateText::tr("Today %1").arg(time);
  if (local.date() == today.addDays(-1)) return RunStateText::tr("Yesterday %1").arg(time);
  return locale.toString(local, QLocale::ShortFormat);
}

bool isRehearsed(const TrainingRun& run) {
  return run.profile == "REHEARSAL";
}

bool isRelaunchable(const TrainingRun& run) {
  return !run.id.empty() && !run.trainYaml.empty() && isTerminal(stateOf(run));
}

QString placeOf(const TrainingRun& run) {
  if (isReadOnly(run)) return RunStateText::tr("Folder");
  if (isRehearsed(run)) return RunStateText::tr("Rehearsal region");
  const QString backend = run.backend == "oci" ? QStringLiteral("OCI") : toQString(run.backend);
  return run.profile.empty() ? backend : QStringLiteral("%1 · %2").arg(backend, toQString(run.profile));
}

}  // namespace lockstep
