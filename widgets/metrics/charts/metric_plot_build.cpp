// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QGuiApplication>
#include <QVBoxLayout>

#include "widgets/common/text/plain_text.h"
#include "widgets/metrics/charts/metric_plot_parts.h"

namespace lockstep {
namespace {

constexpr int kSpeakMs = 300;

}  // namespace

void MetricPlot::Impl::build() {
  title = new QLabel(self);
  title->setTextFormat(Qt::RichText);
  title->setObjectName(QStringLiteral("plotTitle"));
  title->setMinimumWidth(1);  // it says less where there is little room
  menu = new PlotMenu(spec.name(), self);
  hint = new PlainLabel(self);
  hint->setAlignment(Qt::AlignCenter);
  hint->setWordWrap(true);
  hint->setContentsMargins(16, 8, 16, 8);
  plot = new QCustomPlot(self);
  plot->setContextMenuPolicy(Qt::CustomContextMenu);  // its events of the mouse end with it
  canvas = std::make_unique<ChartCanvas>(*plot);
  readout = std::make_unique<PlotReadout>(*plot);
  pointer = new PlotPointer(*plot, self);
  auto* body = new QWidget(self);
  stack = new QStackedLayout(body);
  stack->addWidget(hint);
  stack->addWidget(plot);
  auto* column = new QVBoxLayout(self);
  column->setContentsMargins(10, 6, 8, 6);
  column->setSpacing(2);
  auto* head = new QHBoxLayout;
  head->addWidget(title, 1);
  head->addWidget(menu);
  column->addLayout(head);
  column->addWidget(body, 1);
  buildTimers();
}

void MetricPlot::Impl::buildTimers() {
  const auto add = [this](QTimer*& one, int ms, auto call) {
    one = new QTimer(self);
    one->setSingleShot(true);
    one->setInterval(ms);
    connect(one, &QTimer::timeout, self, call);
  };
  add(timer, 0, [this] { refresh(Effort::News); });
  add(settler, 0, [this] { settle(); });
  add(speaker, kSpeakMs, [this] { speak(); });
}

void MetricPlot::Impl::connectPlot() {
  connect(plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), self,
          [this](const QCPRange& range) { onRangeChanged(range); });
  connect(plot, &QCustomPlot::mouseDoubleClick, self, [this] { showAllByUser(); });
  connect(pointer, &PlotPointer::hovered, self, [this](const QPoint& position) { hoverAt(position); });
  connect(pointer, &PlotPointer::left, self, [this] { leave(); });
  connect(pointer, &PlotPointer::pressed, self, [this] {
    self->setFocus(Qt::MouseFocusReason);
    leave();
  });
  connect(pointer, &PlotPointer::boxChosen, self, [this](const QRect& box) { zoomIntoBox(box); });
  connect(pointer, &PlotPointer::stepsChosen, self, [this](int fromX, int toX) {
    brush(plot->xAxis->pixelToCoord(fromX), plot->xAxis->pixelToCoord(toX));
  });
}

void MetricPlot::Impl::connectMenu() {
  connect(plot, &QWidget::customContextMenuRequested, self,
          [this](const QPoint& position) { menu->showAt(plot->mapToGlobal(position)); });
  connect(menu, &PlotMenu::copyPicture, self,
          [this] { QGuiApplication::clipboard()->setImage(self->image()); });
  connect(menu, &PlotMenu::savePicture, self, &MetricPlot::savePictureRequested);
  connect(menu, &PlotMenu::saveValues, self, &MetricPlot::saveValuesRequested);
}

void MetricPlot::Impl::showName() {
  const QString name = spec.name();
  self->setAccessibleName(name);
  plot->setAccessibleName(name);
  menu->setTitle(name);
  title->setWordWrap(spec.lines.size() > 1);
}

}  // namespace lockstep
