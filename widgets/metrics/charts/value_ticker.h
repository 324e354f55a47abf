// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <qcustomplot.h>

namespace lockstep {

/// Ticks of an axis of values: from ten thousand on without powers of ten, as "20G" for 20,000,000,000. `Ticker` places them.
template <typename Ticker>
class ValueTicker final : public Ticker {
 protected:
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

extern template class ValueTicker<QCPAxisTicker>;
extern template class ValueTicker<QCPAxisTickerLog>;

}  // namespace lockstep
