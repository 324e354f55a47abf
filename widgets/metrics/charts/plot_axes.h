// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFont>
#include <QPalette>

#include "widgets/metrics/charts/chart_spec.h"
#include "widgets/metrics/charts/value_bounds.h"

class QCPAxis;
class QCPRange;
class QCustomPlot;

namespace lockstep {

/// The axes of a chart over the steps: steps to the right, moved and zoomed by mouse along them alone, few ticks.
void setUpAxes(QCustomPlot& plot);
/// As many ticks as have room for their numbers, at whatever size of plot and letters.
void fitTicks(QCustomPlot& plot);
/// Their colours, and those of the grid and the background, in the theme.
void colorAxes(QCustomPlot& plot, const QPalette& colors, const QFont& font);
void setLogarithmic(QCPAxis& axis, bool on);
/// What a value axis shows of some values of a quantity, with some air around them.
[[nodiscard]] QCPRange valueRange(const ValueBounds& values, bool fromZero, double atLeastTo, bool isLog);

}  // namespace lockstep
