// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/overlay/overlay_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/theme/rank_palette.h"
#include "widgets/metrics/charts/plot_axes.h"

namespace lockstep {
namespace {

constexpr int kMostColumns = 2000;
constexpr double kLineWidth = 1.5;

}  // namespace

OverlayPlot::OverlayPlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(plot_);
  plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot_->axisRect()->setRangeDrag(Qt::Horizontal);
  plot_->axisRect()->setRangeZoom(Qt::Horizontal);
  plot_->setAccessibleName(tr("Curves of the runs over each other"));
  setMinimumHeight(180);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(plot_->accessibleName());
  connect(plot_->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
    if (isDrawing_) return;
    isZoomed_ = true;
    draw();
  });
  connect(plot_, &QCustomPlot::mouseDoubleClick, this, &OverlayPlot::showAll);
  colorAll();
}

void OverlayPlot::setCurves(std::vector<Curve> curves, const QString& horizontal, const QString& vertical) {
  curves_ = std::move(curves);
  plot_->clearGraphs();
  graphs_.clear();
  for (const Curve& curve : curves_) {
    graphs_.push_back(plot_->addGraph());
    graphs_.back()->setName(curve.name);
  }
  plot_->legend->setVisible(!curves_.empty());
  if (plot_->xAxis->label() != horizontal) isZoomed_ = false;
  plot_->xAxis->setLabel(horizontal);
  plot_->yAxis->setLabel(vertical);
  colorAll();
  isZoomed_ ? draw() : showAll();
}

void OverlayPlot::showAll() {
  isZoomed_ = false;
  std::optional<std::pair<double, double>> whole;
  for (const Curve& curve : curves_) {
    if (!curve.extent) continue;
    whole = whole ? std::pair(std::min(whole->first, curve.extent->first),
                              std::max(whole->second, curve.extent->second))
                  : *curve.extent;
  }
  const double from = whole ? whole->first : 0;
  isDrawing_ = true;
  plot_->xAxis->setRange(from, std::max(whole ? whole->second : 1, from + 1));
  isDrawing_ = false;
  draw();
}

void OverlayPlot::draw() {
  const QCPRange range = plot_->xAxis->range();
  const int columns = std::clamp(plot_->axisRect()->width(), 16, kMostColumns);
  std::optional<QCPRange> values;
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    QVector<double> x, y;
    if (curves_[i].extent) {
      for (const QPointF& point : curves_[i].points(range.lower, range.upper, columns)) {
        x << point.x();
        y << point.y();
        if (!values) values = QCPRange(point.y(), point.y());
        values->expand(point.y());
      }
    }
    graphs_[i]->setData(x, y, true);
  }
  if (values) {
    const double air = values->size() > 0 ? values->size() * 0.05 : 0.5;
    plot_->yAxis->setRange(values->lower - air, values->upper + air);
  }
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

QStringList OverlayPlot::curveNames() const {
  QStringList names;
  for (const Curve& curve : curves_) names << curve.name;
  return names;
}

std::pair<double, double> OverlayPlot::range() const {
  return {plot_->xAxis->range().lower, plot_->xAxis->range().upper};
}

void OverlayPlot::keyPressEvent(QKeyEvent* event) {
  constexpr double kZoom = 0.8, kMove = 0.2;  // of what is in sight
  QCPAxis* axis = plot_->xAxis;
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return axis->scaleRange(kZoom);
    case Qt::Key_Minus:
      return axis->scaleRange(1 / kZoom);
    case Qt::Key_Left:
      return axis->moveRange(-kMove * axis->range().size());
    case Qt::Key_Right:
      return axis->moveRange(kMove * axis->range().size());
    case Qt::Key_Home:
      return showAll();
    default:
      QWidget::keyPressEvent(event);
  }
}

std::size_t OverlayPlot::pointCount() const {
  std::size_t count = 0;
  for (const QCPGraph* graph : graphs_) count += static_cast<std::size_t>(graph->dataCount());
  return count;
}

void OverlayPlot::colorAll() {
  colorAxes(*plot_, palette(), font());
  plot_->legend->setBrush(palette().base());
  plot_->legend->setTextColor(palette().color(QPalette::Text));
  plot_->legend->setBorderPen(QPen(palette().color(QPalette::Mid)));
  plot_->legend->setFont(font());
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    // A run has the colour that a rank of its number has.
    const Rank rank(static_cast<int>(i));
    graphs_[i]->setPen(QPen(rankColor(rank, palette()), kLineWidth, rankPenStyle(rank)));
  }
}

void OverlayPlot::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    colorAll();
    plot_->replot(QCustomPlot::rpQueuedReplot);
  }
}

void OverlayPlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  draw();
}

}  // namespace lockstep
