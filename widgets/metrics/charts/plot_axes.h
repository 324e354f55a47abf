// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFont>
#include <QPalette>

class QCustomPlot;

namespace lockstep {

/// The axes of a chart over the steps: steps to the right, moved and zoomed by mouse along them alone, few ticks.
void setUpAxes(QCustomPlot& plot);
/// As many ticks as have room for their numbers, at whatever size of plot and letters.
void fitTicks(QCustomPlot& plot);
/// Their colours, and those of the grid and the background, in the theme.
void colorAxes(QCustomPlot& plot, const QPalette& colors, const QFont& font);

}  // namespace lockstep
