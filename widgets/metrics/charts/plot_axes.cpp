// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plot_axes.h"

#include <qcustomplot.h>

#include <QFontMetrics>
#include <algorithm>

#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/step_ticker.h"

namespace lockstep {

namespace {

constexpr int kMostSteps = 6, kMostValues = 4;  // ticks

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
  plot.yAxis->setNumberPrecision(4);
  plot.xAxis->setPadding(0);
}

void fitTicks(QCustomPlot& plot) {
  const QFontMetrics letters(plot.xAxis->tickLabelFont());
  const int stepWidth = letters.horizontalAdvance(QStringLiteral("1,000,000"));
  const int valueHeight = letters.height() * 2;
  plot.xAxis->ticker()->setTickCount(std::clamp(plot.axisRect()->width() / stepWidth, 2, kMostSteps));
  plot.yAxis->ticker()->setTickCount(std::clamp(plot.axisRect()->height() / valueHeight, 1, kMostValues));
}

void colorAxes(QCustomPlot& plot, const QPalette& colors, const QFont& font) {
  const QColor text = mutedColor(colors);
  const QColor line = borderColor(colors);
  plot.setBackground(QBrush(cardColor(colors)));
  QFont small = font;
  small.setPointSizeF(small.pointSizeF() * 0.9);
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
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

}  // namespace lockstep
