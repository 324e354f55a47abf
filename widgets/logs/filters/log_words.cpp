// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_words.h"

#include <QCoreApplication>

#include "widgets/common/text/qt_convert.h"

namespace lockstep {

QString lineTimeText(TimePoint time) {
  return toQDateTime(time).toLocalTime().toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString levelText(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return QCoreApplication::translate("LogLevel", "Debug");
    case LogLevel::Info:
      return QCoreApplication::translate("LogLevel", "Info");
    case LogLevel::Warning:
      return QCoreApplication::translate("LogLevel", "Warning");
    case LogLevel::Error:
      return QCoreApplication::translate("LogLevel", "Error");
  }
  return {};
}

QString timesText(std::optional<TimePoint> from, std::optional<TimePoint> until) {
  if (from && until) return QStringLiteral("%1 – %2").arg(lineTimeText(*from), lineTimeText(*until));
  if (from) return QCoreApplication::translate("LogTimes", "from %1").arg(lineTimeText(*from));
  return until ? QCoreApplication::translate("LogTimes", "until %1").arg(lineTimeText(*until)) : QString();
}

}  // namespace lockstep
