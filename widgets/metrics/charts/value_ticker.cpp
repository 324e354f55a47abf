// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/value_ticker.h"

#include <cmath>

#include "widgets/common/text/number_text.h"

namespace lockstep {

template <typename Ticker>
QString ValueTicker<Ticker>::getTickLabel(double tick, const QLocale& locale, QChar format, int precision) {
  constexpr double kFirst = 1e4;  // that the axis writes as a power of ten
  constexpr double kBeyond = 1e15;
  const double size = std::fabs(tick);
  if (size >= kFirst && size < kBeyond) return shortNumberText(tick);
  return Ticker::getTickLabel(tick, locale, format, precision);
}

template class ValueTicker<QCPAxisTicker>;
template class ValueTicker<QCPAxisTickerLog>;

}  // namespace lockstep
