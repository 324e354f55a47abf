// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/text/number_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <array>
#include <cmath>

#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

struct NumberText {
  Q_DECLARE_TR_FUNCTIONS(NumberText)
};
QString nothing() {
  return QStringLiteral("–");
}

/// About four digits, without a tail of zeros that says nothing.
QString fourDigits(double value) {
  const double size = std::fabs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e9)) return QLocale().toString(value, 'g', 4);
  const int decimals = size >= 1000 || std::floor(value) == value ? 0
                       : size >= 100                              ? 1
                       : size >= 10                               ? 2
                       : size >= 1                                ? 3
                                                                  : 4;
  return QLocale().toString(value, 'f', decimals);
}

}  // namespace

QString valueText(double value) {
  return std::isfinite(value) ? fourDigits(value) : nothing();
}

QString countText(double value) {
  if (!std::isfinite(value)) return nothing();
  return QLocale().toString(value, 'f', value != 0 && std::fabs(value) < 10 ? 1 : 0);
}

QString shortNumberText(double value) {
  constexpr int kDigits = 6;  // of neighbours on an axis that is far from zero
  const QLocale locale;
  const double size = std::fabs(value);
  if (size >= 1e12) return locale.toString(value / 1e12, 'g', kDigits) + QStringLiteral("T");
  if (size >= 1e9) return locale.toString(value / 1e9, 'g', kDigits) + QStringLiteral("G");
  if (size >= 1e6) return locale.toString(value / 1e6, 'g', kDigits) + QStringLiteral("M");
  return size >= 1e4 ? locale.toString(value, 'f', 0) : locale.toString(value, 'g', kDigits);
}

QString percentText(double value) {
  return std::isfinite(value) ? NumberText::tr("%1 %").arg(QLocale().toString(value, 'f', 0)) : nothing();
}

QString bytesText(double bytes) {
  if (!std::isfinite(bytes) || bytes < 0) return nothing();
  const std::array<QString, 5> units{NumberText::tr("B"), NumberText::tr("kB"), NumberText::tr("MB"),
                                     NumberText::tr("GB"), NumberText::tr("TB")};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  const int decimals = unit >= 3 && bytes < 100 ? 1 : 0;
  return QStringLiteral("%1 %2").arg(QLocale().toString(bytes, 'f', decimals), units[unit]);
}

QString ageText(std::chrono::nanoseconds age) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(age).count();
  if (seconds < 2) return NumberText::tr("just now");
  if (seconds < 60) return NumberText::tr("%1 s ago").arg(seconds);
  if (seconds < 3600) return NumberText::tr("%1 min ago").arg(seconds / 60);
  if (seconds < 48 * 3600) return NumberText::tr("%1 h ago").arg(seconds / 3600);
  return NumberText::tr("%1 days ago").arg(seconds / 86400);
}

QString lagText(std::chrono::nanoseconds lag) {
  const double seconds = std::max(0.0, std::chrono::duration<double>(lag).count());
  if (seconds < 59.95) return NumberText::tr("%1 s").arg(QLocale().toString(seconds, 'f', 1));
  const auto whole = static_cast<long long>(seconds);
  if (whole < 3600) return NumberText::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
  return NumberText::tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString clockTimeText(TimePoint time) {
  const QDateTime local = toQDateTime(time).toLocalTime();
  const QString clock = local.toString(QStringLiteral("HH:mm:ss"));
  if (local.date() == QDate::currentDate()) return clock;
  return NumberText::tr("%1, %2").arg(QLocale().toString(local.date(), QLocale::ShortFormat), clock);
}

}  // namespace lockstep
