// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plot_pointer.h"

#include <qcustomplot.h>

#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kSmallestBox = 5;  // pixels; less is a click

/// The box that is being drawn; where steps are chosen it is as high as the plot.
class StepBox final : public QCPSelectionRect {
 public:
  StepBox(QCustomPlot* plot, const bool& isFullHeight)
      : QCPSelectionRect(plot), isFullHeight_(isFullHeight) {}

 protected:
  void draw(QCPPainter* painter) override {
    if (isFullHeight_) {
      mRect.setTop(parentPlot()->axisRect()->top());
      mRect.setBottom(parentPlot()->axisRect()->bottom());
    }
    QCPSelectionRect::draw(painter);
  }

 private:
  const bool& isFullHeight_;
};

}  // namespace

PlotPointer::PlotPointer(QCustomPlot& plot, QObject* parent) : QObject(parent), plot_(plot) {
  plot.setSelectionRect(new StepBox(&plot, choosesSteps_));
  connect(plot.selectionRect(), &QCPSelectionRect::accepted, this, [this](const QRect& box) { accept(box); });
  connect(&plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { press(*event); });
  connect(&plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { move(*event); });
  plot.installEventFilter(this);
}

void PlotPointer::setColors(const QPalette& colors) {
  QColor area = accentColor(colors);
  plot_.selectionRect()->setPen(QPen(area, 1));
  area.setAlphaF(0.18F);
  plot_.selectionRect()->setBrush(area);
}

bool PlotPointer::cancelBox() {
  if (!plot_.selectionRect()->isActive()) return false;
  plot_.selectionRect()->cancel();
  return true;
}

void PlotPointer::press(const QMouseEvent& event) {
  const bool isLeft = event.button() == Qt::LeftButton;
  choosesSteps_ = isLeft && event.modifiers() == Qt::ShiftModifier;
  const bool drawsBox = choosesSteps_ || (isLeft && event.modifiers() == Qt::ControlModifier);
  // What the plot asks right after this.
  plot_.setSelectionRectMode(drawsBox ? QCP::srmCustom : QCP::srmNone);
  emit pressed();
}

void PlotPointer::move(const QMouseEvent& event) {
  if (event.buttons() != Qt::NoButton) return;
  if (plot_.axisRect()->rect().contains(event.pos()))
    emit hovered(event.pos());
  else
    emit left();
}

void PlotPointer::accept(const QRect& box) {
  const QRect drawn = box.normalized() & plot_.axisRect()->rect();
  if (drawn.width() < kSmallestBox) return;
  if (choosesSteps_)
    emit stepsChosen(drawn.left(), drawn.right());
  else if (drawn.height() >= kSmallestBox)
    emit boxChosen(drawn);
}

bool PlotPointer::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Leave) emit left();
  return QObject::eventFilter(object, event);
}

}  // namespace lockstep
