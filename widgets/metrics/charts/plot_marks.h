// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <qcustomplot.h>

#include <QPalette>
#include <vector>

#include "widgets/metrics/charts/chart_spec.h"

namespace lockstep {

/// What happened in the run, as dashed lines through the plot with a flag each; of many in one place one is drawn. Many
/// checkpoints and evaluations are ticks at the upper edge. Under the curves.
class PlotMarks final : public QCPAbstractItem {
  Q_OBJECT
 public:
  /// Belongs to the plot.
  explicit PlotMarks(QCustomPlot* plot);

  struct Placed {
    double step = 0;
    ChartMark mark;
  };
  void setMarks(std::vector<Placed> marks);
  void setColors(const QPalette& colors) { colors_ = colors; }
  /// The text of those whose flag is there, plain, one a line; empty: there is none.
  [[nodiscard]] QString textAt(const QPoint& position) const;
  /// Of those in [from, to]: what a screen reader says; empty: there is none.
  [[nodiscard]] QString spokenText(double from, double to) const;

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  [[nodiscard]] QColor colorOf(ChartMark::Kind kind) const;
  void drawFlag(QCPPainter* painter, double x, const Placed& one) const;

  std::vector<Placed> marks_;  // by step
  QPalette colors_;
};

}  // namespace lockstep
