// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDateTime>
#include <QString>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace lockstep {

/// UTF-8 both ways; malformed bytes become U+FFFD.
[[nodiscard]] inline QString toQString(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
[[nodiscard]] inline std::string toStdString(const QString& text) {
  return text.toStdString();
}

/// Cut to milliseconds, in UTC; use toLocalTime() to show it.
[[nodiscard]] inline QDateTime toQDateTime(TimePoint time) {
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
  return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC);
}
[[nodiscard]] inline TimePoint toTimePoint(const QDateTime& time) {
  return TimePoint(std::chrono::milliseconds(time.toMSecsSinceEpoch()));
}

}  // namespace lockstep
