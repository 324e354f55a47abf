// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_state_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "base/time_text.h"
#include "history/run_price.h"
#include "metrics/metric_catalogue.h"
#include "runs/search/run_index.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/charts/metric_texts.h"

namespace lockstep {
namespace {

// A namespace has no tr(); this one stands for all functions of the file.
struct RunStateText {
  Q_DECLARE_TR_FUNCTIONS(lockstep::RunStateText)
};

constexpr const char* kRehearsalName = "REHEARSAL";

QString placeText(const QString& backend, const QString& profile) {
  if (backend == QLatin1String(kFolderBackend)) return RunStateText::tr("Folder");
  if (backend == QLatin1String(kFileBackend)) return RunStateText::tr("Run file");
  if (profile == QLatin1String(kRehearsalName)) return RunStateText::tr("Rehearsal region");
  const QString name = backend == QLatin1String("oci") ? QStringLiteral("OCI") : backend;
  return profile.isEmpty() ? name : QStringLiteral("%1 · %2").arg(name, profile);
}

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
  return run.profile == kRehearsalName;
}

bool isRelaunchable(const TrainingRun& run) {
  // A file says what the run was launched from, and not where: the ids that it needs are not in it.
  return !run.id.empty() && !run.trainYaml.empty() && isTerminal(stateOf(run)) && !isReadOnly(run);
}

bool isRelaunchable(const RunSummary& run) {
  return !run.id.empty() && run.hasText && isTerminal(run.state) && run.backend != kFileBackend;
}

QString placeOf(const TrainingRun& run) {
  return placeText(toQString(run.backend), toQString(run.profile));
}

QString placeOf(const RunSummary& run) {
  return placeText(toQString(run.backend), toQString(run.profile));
}

const RunResult* mainResultOf(const RunSummary& run) {
  for (const std::string_view metric : {metric::kAccuracy, metric::kLoss, metric::kMeanLoss})
    if (const RunResult* result = resultNamed(run.results, metric)) return result;
  return run.results.empty() ? nullptr : &run.results.front();
}

QString resultText(const RunSummary& run) {
  const RunResult* result = mainResultOf(run);
  if (result == nullptr) return {};
  const MetricInfo* info = findMetric(result->metric);
  const QString title = info == nullptr ? toShownLine(result->metric) : shortTitleOfMetric(*info);
  const QString value = QLocale().toString(result->last, 'g', 4);
  return QStringLiteral("%1 %2%3").arg(
      title, value, info != nullptr && info->unit == MetricUnit::Percent ? QStringLiteral(" %") : QString());
}

QString costText(const RunSummary& run, TimePoint now) {
  const auto cost = costUntil(run, now);
  if (!cost) return {};
  const QString text =
      QStringLiteral("%1 %2").arg(QLocale().toString(*cost, 'f', 2), toShownLine(run.currency));
  return isRehearsal(run) ? QStringLiteral("(%1)").arg(text) : text;
}

QString tagsText(const RunMarks& marks) {
  QStringList tags;
  for (const std::string& tag : marks.tags) tags << toShownLine(tag);
  const QString text = tags.join(QStringLiteral(", "));
  if (!marks.isPinned) return text;
  return text.isEmpty() ? QStringLiteral("★") : QStringLiteral("★ %1").arg(text);
}

}  // namespace lockstep
