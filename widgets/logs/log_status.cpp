// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_status.h"

#include <QCoreApplication>
#include <QLabel>
#include <QLocale>

#include "widgets/common/layout/flow_layout.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

QString countsText(const LogModel& model) {
  const QLocale locale;
  const auto number = [&](std::uint64_t count) { return locale.toString(static_cast<qulonglong>(count)); };
  const std::uint64_t all = model.lineCount();
  if (all == 0) return {};
  QString text = all == 1 ? LogStatus::tr("1 line") : LogStatus::tr("%1 lines").arg(number(all));
  if (model.isScanning())
    text = LogStatus::tr("%1, filtering: %2 %").arg(text).arg(static_cast<int>(model.scanned() * 100));
  else if (model.hiddenCount() > 0)
    text = LogStatus::tr("%1, %2 hidden by filter").arg(text, number(model.hiddenCount()));
  if (model.cutCount() > 0)
    text = LogStatus::tr("%1; the first %2 of these are too many to be shown: narrow the filter")
               .arg(text, number(model.cutCount()));
  if (const std::uint64_t dropped = model.lines()->dropped(); dropped > 0)
    text =
        LogStatus::tr("%1; %2 older lines are left out: more are not kept here").arg(text, number(dropped));
  return text;
}

QString nothingText(Filling filling) {
  switch (filling) {
    case Filling::Loading:
      return LogStatus::tr("Loading the lines …");
    case Filling::Live:
      return LogStatus::tr("No lines yet: the first arrive when a node has started.");
    case Filling::Ended:
      return LogStatus::tr("This run left no lines.");
    case Filling::Stopped:
      return LogStatus::tr("The lines were not loaded.");
    case Filling::Unreadable:
      break;
  }
  return LogStatus::tr("The lines cannot be read now.");
}

}  // namespace

LogStatus::LogStatus(QWidget* parent)
    : QWidget(parent),
      counts_(new PlainLabel(this)),
      said_(new PlainLabel(this)),
      retention_(new PlainLabel(this)) {
  counts_->setObjectName(QStringLiteral("counts"));
  said_->setObjectName(QStringLiteral("said"));
  retention_->setObjectName(QStringLiteral("retention"));
  auto* flow = new FlowLayout(this);
  flow->setContentsMargins(0, 0, 0, 0);
  flow->setGaps(16, 2);
  for (QLabel* label : {counts_, said_, retention_}) {
    makeCaption(label);
    label->hide();
    flow->addWidget(label);
  }
}

void LogStatus::showCounts(const LogModel& model, bool isReadingPast) {
  const QString text = countsText(model);
  counts_->setText(isReadingPast && !text.isEmpty() ? tr("%1; older ones are being read …").arg(text) : text);
  counts_->setVisible(!counts_->text().isEmpty());
}

void LogStatus::say(const QString& text) {
  said_->setText(text);
  said_->setVisible(!text.isEmpty());
}

void LogStatus::setRetention(std::optional<TimePoint> until, TimePoint now) {
  QString text;
  if (until) {
    const QString day = QLocale().toString(toQDateTime(*until).toLocalTime(), QLocale::ShortFormat);
    text = *until > now ? tr("Kept here; the service has the oldest lines until %1").arg(day)
                        : tr("Kept here; the service deleted the oldest lines on %1").arg(day);
  }
  retention_->setText(text);
  retention_->setVisible(until.has_value());
}

QString emptyLogText(const LogModel& model, Filling filling) {
  const std::uint64_t all = model.lineCount();
  if (all == 0) return nothingText(filling);
  if (model.isScanning()) return LogStatus::tr("Filtering …");
  return LogStatus::tr("The filter hides all %1 lines.")
      .arg(QLocale().toString(static_cast<qulonglong>(all)));
}

}  // namespace lockstep
