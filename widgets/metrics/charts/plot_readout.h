// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPalette>
#include <QPoint>
#include <QStringList>

class QCPItemLine;
class QCustomPlot;
class QLabel;

namespace lockstep {

/// The values at one step: a line through the plot, and beside it a box with the values. Hidden at first. The plot outlives
/// it and owns the line and the box. Neither costs the plot a redraw.
class PlotReadout {
 public:
  explicit PlotReadout(QCustomPlot& plot);

  void setPalette(const QPalette& colors);
  /// `at`: beside which the box stands, in the plot; `lines`: rich text, one value each; none: only the line is shown.
  void show(const QPoint& at, double step, const QStringList& lines);
  void hide();

 private:
  void redraw();

  QCustomPlot& plot_;
  QCPItemLine* line_;
  QLabel* box_;
  QString text_;
};

}  // namespace lockstep
