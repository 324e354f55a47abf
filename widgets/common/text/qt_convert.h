// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDateTime>
#include <QString>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/text/terminal_text.h"

namespace lockstep {

/// UTF-8 both ways; malformed bytes become U+FFFD.
[[nodiscard]] inline QString toQString(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
[[nodiscard]] inline std::string toStdString(const QString& text) {
  return text.toStdString();
}

/// Text of any origin as one line that hides nothing: control characters and those that change the direction of
/// writing are shown ("␛", "\u202E") instead of obeyed (terminal_text.h). For names and lines of jobs and services.
[[nodiscard]] inline QString toShownLine(std::string_view text) {
  return toQString(onOneLine(text));
}
/// The same with its line ends, for messages.
[[nodiscard]] inline QString toShownText(std::string_view text) {
  return toQString(forTerminal(text));
}

/// A message of the core as a sentence begins: "cannot x" -> "Cannot x". Names (of fields, files, commands)
/// at its beginning stay as they are spelled.
[[nodiscard]] inline QString asSentence(std::string_view text) {
  QString sentence = toQString(text);
  qsizetype end = 0;
  while (end < sentence.size() && sentence[end].isLower()) ++end;
  const bool isWord = end > 0 && (end == sentence.size() || sentence[end] == QLatin1Char(' ') ||
                                  sentence[end] == QLatin1Char(','));
  if (isWord) sentence[0] = sentence[0].toUpper();
  return sentence;
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
