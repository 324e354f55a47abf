// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plot_axes.h"

#include <qcustomplot.h>

#include <QFontMetrics>
#include <algorithm>
#include <cmath>

#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/step_ticker.h"
#include "widgets/metrics/charts/value_ticker.h"

namespace lockstep {

namespace {

constexpr int kMaxSteps = 6, kMaxValues = 4;  // ticks

}  // namespace

void setUpAxes(QCustomPlot& plot) {
  plot.setMinimumSize(80, 50);
  plot.setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot.axisRect()->setRangeDrag(Qt::Horizontal);
  plot.axisRect()->setRangeZoom(Qt::Horizontal);
  plot.axisRect()->setRangeZoomFactor(0.8);
  plot.axisRect()->setMinimumMargins(QMargins(4, 4, 8, 2));
  plot.setNoAntialiasingOnDrag(false);
  plot.setPlottingHint(
      QCP::phFastPolylines);  // joins of lines are not seen, and wide ones cost most of a picture
  plot.setFocusPolicy(Qt::NoFocus);
  plot.xAxis->setTicker(QSharedPointer<StepTicker>::create());
  for (QCPAxis* axis : {plot.yAxis, plot.yAxis2}) {
    axis->setTicker(QSharedPointer<ValueTicker<QCPAxisTicker>>::create());
    axis->setNumberPrecision(4);
  }
  plot.xAxis->setPadding(0);
  plot.setAutoAddPlottableToLegend(false);
}

void fitTicks(QCustomPlot& plot) {
  const QFontMetrics letters(plot.xAxis->tickLabelFont());
  const int stepWidth = letters.horizontalAdvance(QStringLiteral("1,000,000"));
  const int valueHeight = letters.height() * 2;
  plot.xAxis->ticker()->setTickCount(std::clamp(plot.axisRect()->width() / stepWidth, 2, kMaxSteps));
  for (QCPAxis* axis : {plot.yAxis, plot.yAxis2})
    axis->ticker()->setTickCount(std::clamp(plot.axisRect()->height() / valueHeight, 1, kMaxValues));
}

void colorAxes(QCustomPlot& plot, const QPalette& colors, const QFont& font) {
  const QColor text = mutedColor(colors);
  const QColor line = borderColor(colors);
  plot.setBackground(QBrush(cardColor(colors)));
  QFont small = font;
  small.setPointSizeF(small.pointSizeF() * 0.9);
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.yAxis2}) {
    axis->setBasePen(QPen(line));
    axis->setTickPen(QPen(line));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(text);
    axis->setLabelColor(text);
    axis->setTickLabelFont(small);
    axis->setLabelFont(small);
    axis->grid()->setPen(QPen(tinted(cardColor(colors), line, 0.6)));
    axis->grid()->setZeroLinePen(QPen(tinted(cardColor(colors), line, 0.6)));
  }
}

void setLogarithmic(QCPAxis& axis, bool on) {
  axis.setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  if (on)
    axis.setTicker(QSharedPointer<ValueTicker<QCPAxisTickerLog>>::create());
  else
    axis.setTicker(QSharedPointer<ValueTicker<QCPAxisTicker>>::create());
}

QCPRange valueRange(const ValueBounds& values, bool fromZero, double atLeastTo, bool isLog) {
  double low = values.isEmpty() ? (isLog ? 0.1 : 0) : values.low;
  double high = values.isEmpty() ? 1 : values.high;
  if (isLog) return {low / 1.15, std::max(high * 1.15, low * 1.3)};
  if (fromZero) low = std::min(low, 0.0);
  high = std::max(high, atLeastTo);
  const double air = std::max((high - low) * 0.06, std::max(std::fabs(high), 1e-9) * 1e-3);
  return {fromZero && low == 0 ? 0 : low - air, high + air};
}

}  // namespace lockstep
