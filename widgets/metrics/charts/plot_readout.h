// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPalette>
#include <QPoint>
#include <QStringList>

class QCPItemStraightLine;
class QCustomPlot;
class QLabel;

namespace lockstep {

/// The values at one step: a line through the plot, and beside the pointer a box with the values. Hidden at first. The
/// plot outlives it and owns the line and the box.
class PlotReadout {
 public:
  explicit PlotReadout(QCustomPlot& plot);

  void setPalette(const QPalette& colors);
  /// `position`: of the pointer, in the plot; `lines`: rich text, one value each.
  void show(const QPoint& position, double step, const QStringList& lines, bool isLog);
  void hide();

 private:
  QCustomPlot& plot_;
  QCPItemStraightLine* line_;
  QLabel* box_;
};

}  // namespace lockstep
