// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/step_ticker.h"

#include <QCoreApplication>
#include <QDateTime>
#include <algorithm>
#include <cmath>

#include "widgets/common/text/number_text.h"

namespace lockstep {
namespace {

constexpr double kMinute = 60, kHour = 3600, kDay = 86'400;

struct StepTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::StepTicker)
};

QDateTime localTime(double seconds) {
  constexpr double kFarthest = 4e9;  // what a calendar of four digits holds
  return QDateTime::fromMSecsSinceEpoch(std::llround(std::clamp(seconds, 0.0, kFarthest) * 1000));
}

/// "12 s", "1:05", "2:05:30", "3 d 4 h": as fine as ticks that far apart need.
QString durationText(double seconds, double apart) {
  const QLocale locale;
  if (apart < 1) return StepTexts::tr("%1 s").arg(locale.toString(seconds, 'f', apart < 0.1 ? 2 : 1));
  const auto whole = std::llround(std::max(0.0, seconds));
  const auto twoDigits = [](long long value) {
    return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0'));
  };
  if (apart >= kHour * 6) return StepTexts::tr("%1 d %2 h").arg(whole / 86'400).arg(whole % 86'400 / 3600);
  if (whole < 60 && apart < kMinute) return StepTexts::tr("%1 s").arg(whole);
  if (whole < 3600 && apart < kHour)
    return QStringLiteral("%1:%2").arg(whole / 60).arg(twoDigits(whole % 60));
  return QStringLiteral("%1:%2:%3")
      .arg(whole / 3600)
      .arg(twoDigits(whole % 3600 / 60), twoDigits(whole % 60));
}

QString clockText(double seconds, double apart) {
  const QDateTime time = localTime(seconds);
  const QLocale locale;
  if (apart >= kDay) return locale.toString(time.date(), QLocale::ShortFormat);
  if (apart >= kMinute) return time.toString(QStringLiteral("HH:mm"));
  return time.toString(apart < 1 ? QStringLiteral("HH:mm:ss.zzz") : QStringLiteral("HH:mm:ss"));
}

QString valueLabel(StepUnit unit, double value, double apart) {
  switch (unit) {
    case StepUnit::RelativeTime:
      return durationText(value, apart);
    case StepUnit::WallTime:
      return clockText(value, apart);
    case StepUnit::Steps:
    case StepUnit::Epoch:
    case StepUnit::Samples:
      break;
  }
  return shortNumberText(std::round(value));
}

}  // namespace

QString reachedText(const StepScale& scale, double step) {
  const double value = scale.valueAt(step);
  switch (scale.unit()) {
    case StepUnit::Steps:
      return {};
    case StepUnit::Epoch:
      return StepTexts::tr("epoch %1").arg(shortNumberText(value));
    case StepUnit::Samples:
      return StepTexts::tr("%1 samples").arg(shortNumberText(value));
    case StepUnit::RelativeTime:
    case StepUnit::WallTime:
      break;
  }
  return valueLabel(scale.unit(), value, 1);
}

void StepTicker::generate(const QCPRange& range, const QLocale& locale, QChar format, int precision,
                          QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* tickLabels) {
  if (!scale_ || scale_->unit() == StepUnit::Steps)
    return QCPAxisTicker::generate(range, locale, format, precision, ticks, subTicks, tickLabels);
  ticks.clear();
  if (subTicks != nullptr) subTicks->clear();
  if (tickLabels != nullptr) tickLabels->clear();
  const double ahead = localTime(scale_->valueAt(range.center())).offsetFromUtc();
  double apart = 1;
  for (const auto& tick : scale_->ticks(range.lower, range.upper, tickCount(), ahead, &apart)) {
    ticks.append(tick.step);
    if (tickLabels != nullptr) tickLabels->append(valueLabel(scale_->unit(), tick.value, apart));
  }
}

double StepTicker::getTickStep(const QCPRange& range) {
  return std::max(1.0, QCPAxisTicker::getTickStep(range));
}

int StepTicker::getSubTickCount(double tickStep) {
  return tickStep <= 1 ? 0 : QCPAxisTicker::getSubTickCount(tickStep);
}

QString StepTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  return shortNumberText(std::round(tick));
}

}  // namespace lockstep
