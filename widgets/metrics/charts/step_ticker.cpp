// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/step_ticker.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

double StepTicker::getTickStep(const QCPRange& range) {
  return std::max(1.0, QCPAxisTicker::getTickStep(range));
}

int StepTicker::getSubTickCount(double tickStep) {
  return tickStep <= 1 ? 0 : QCPAxisTicker::getSubTickCount(tickStep);
}

QString StepTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  const QLocale locale;
  if (std::fabs(tick) >= 1e6) return locale.toString(tick / 1e6, 'g', 4) + QStringLiteral("M");
  return locale.toString(static_cast<qlonglong>(std::llround(tick)));
}

}  // namespace lockstep
