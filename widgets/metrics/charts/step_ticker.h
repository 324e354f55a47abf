// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <qcustomplot.h>

namespace lockstep {

/// Ticks of an axis of steps: whole steps only, in the user's digits; from a million on in millions.
class StepTicker final : public QCPAxisTicker {
 protected:
  double getTickStep(const QCPRange& range) override;
  int getSubTickCount(double tickStep) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

}  // namespace lockstep
