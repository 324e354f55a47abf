// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QPalette>
#include <QPoint>
#include <QRect>

class QCustomPlot;
class QMouseEvent;

namespace lockstep {

/// What the mouse does on a plot besides moving and zooming it: it points at steps, chooses some (Shift and drag), and draws
/// a box to zoom into (Ctrl and drag). Positions are pixels of the plot.
class PlotPointer : public QObject {
  Q_OBJECT
 public:
  explicit PlotPointer(QCustomPlot& plot, QObject* parent = nullptr);

  void setColors(const QPalette& colors);
  /// False: none was being drawn.
  bool cancelBox();

 signals:
  /// Without a button, where the values are drawn.
  void hovered(const QPoint& position);
  void left();
  void pressed();
  void stepsChosen(int fromX, int toX);
  void boxChosen(const QRect& box);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void press(const QMouseEvent& event);
  void move(const QMouseEvent& event);
  void accept(const QRect& box);

  QCustomPlot& plot_;
  bool choosesSteps_ = false;
};

}  // namespace lockstep
