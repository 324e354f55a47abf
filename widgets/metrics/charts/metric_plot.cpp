// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/metric_plot.h"

#include <qcustomplot.h>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics/rank_spread.h"
#include "widgets/common/access/accessible_role.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/plot_axes.h"
#include "widgets/metrics/charts/plot_menu.h"
#include "widgets/metrics/charts/plot_picture.h"
#include "widgets/metrics/charts/plot_readout.h"
#include "widgets/metrics/charts/plot_texts.h"
#include "widgets/metrics/charts/rank_band.h"
#include "widgets/metrics/charts/rank_curves.h"

namespace lockstep {
namespace {

constexpr int kRefreshMs = 100;
constexpr double kNarrowestView = 2.0;  // steps
constexpr double kZoomPerKey = 0.7;

}  // namespace

struct MetricPlot::Impl {
  Impl(MetricPlot* widget, PlotQuantity what) : self(widget), quantity(std::move(what)) {}

  MetricPlot* self;
  PlottedRanks ranks;
  PlotQuantity quantity;
  PlotView view;
  std::set<Rank> hidden, chosen;
  double smoothing = 0;
  bool isLog = false;
  bool isSettingRange = false;

  QLabel* title = nullptr;
  PlotMenu* menu = nullptr;
  QLabel* hint = nullptr;
  QStackedLayout* stack = nullptr;
  QCustomPlot* plot = nullptr;
  QTimer* timer = nullptr;
  std::unique_ptr<RankBand> band;
  std::unique_ptr<RankCurves> curves;
  std::unique_ptr<PlotReadout> readout;

  void build();
  void buildPlot();
  void connectPlot();
  void applyColors();
  void showTitle();
  [[nodiscard]] ValueBounds steps() const;
  [[nodiscard]] QCPRange wantedSteps() const;
  [[nodiscard]] std::vector<Rank> visibleRanks() const;
  void refresh();
  ValueBounds draw(const PixelGrid& grid);
  void fitValues(const ValueBounds& values);
  void onRangeChanged(const QCPRange& range);
  void showReadout(const QPoint& position);
  [[nodiscard]] PlotPicture picture();
  void moveBy(double share);
  void zoomBy(double factor);
};

void MetricPlot::Impl::build() {
  title = new QLabel(self);
  title->setTextFormat(Qt::RichText);
  title->setObjectName(QStringLiteral("plotTitle"));
  menu = new PlotMenu(quantity.title, self);
  hint = new PlainLabel(self);
  hint->setAlignment(Qt::AlignCenter);
  hint->setWordWrap(true);
  hint->setContentsMargins(16, 8, 16, 8);
  plot = new QCustomPlot(self);
  plot->setContextMenuPolicy(Qt::CustomContextMenu);  // its events of the mouse end with it
  buildPlot();
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
  timer = new QTimer(self);
  timer->setSingleShot(true);
  timer->setInterval(kRefreshMs);
}

void MetricPlot::Impl::buildPlot() {
  setUpAxes(*plot);
  band = std::make_unique<RankBand>(*plot);
  curves = std::make_unique<RankCurves>(*plot);
  readout = std::make_unique<PlotReadout>(*plot);
}

void MetricPlot::Impl::connectPlot() {
  connect(plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), self,
          [this](const QCPRange& range) { onRangeChanged(range); });
  connect(plot, &QCustomPlot::mouseDoubleClick, self, [this] {
    self->showAll();
    emit self->viewChanged(view);
  });
  connect(plot, &QCustomPlot::mouseMove, self, [this](QMouseEvent* event) { showReadout(event->pos()); });
  connect(plot, &QCustomPlot::mousePress, self, [this] {
    self->setFocus(Qt::MouseFocusReason);
    readout->hide();
  });
  connect(timer, &QTimer::timeout, self, [this] { refresh(); });
  connect(plot, &QWidget::customContextMenuRequested, self,
          [this](const QPoint& position) { menu->showAt(plot->mapToGlobal(position)); });
  connect(menu, &PlotMenu::copyPicture, self,
          [this] { QGuiApplication::clipboard()->setImage(self->image()); });
  connect(menu, &PlotMenu::savePicture, self, &MetricPlot::savePictureRequested);
  connect(menu, &PlotMenu::saveValues, self, &MetricPlot::saveValuesRequested);
}

void MetricPlot::Impl::applyColors() {
  const QPalette& colors = self->palette();
  const QColor text = mutedColor(colors);
  colorAxes(*plot, colors, self->font());
  showTitle();
  QPalette muted = colors;
  muted.setColor(QPalette::WindowText, text);
  hint->setPalette(muted);
  band->setPalette(colors);
  curves->setPalette(colors);
  readout->setPalette(colors);
}

void MetricPlot::Impl::showTitle() {
  title->setText(titleText(ranks, quantity, self->palette()));
}

ValueBounds MetricPlot::Impl::steps() const {
  ValueBounds bounds;
  if (const auto all = ranks.samples->steps(quantity.metric)) {
    bounds.add(static_cast<double>(all->first));
    bounds.add(static_cast<double>(all->second));
  }
  return bounds;
}

QCPRange MetricPlot::Impl::wantedSteps() const {
  const ValueBounds all = steps();
  if (view.showsAll) return {all.low, std::max(all.high, all.low + 1)};
  if (view.isFollowing) return {all.high - (view.to - view.from), all.high};
  return {view.from, view.to};
}

std::vector<Rank> MetricPlot::Impl::visibleRanks() const {
  std::vector<Rank> visible = ranks.samples->ranks(quantity.metric);
  std::erase_if(visible, [this](Rank rank) { return hidden.contains(rank); });
  return visible;
}

void MetricPlot::Impl::refresh() {
  timer->stop();
  const bool hasData = !steps().isEmpty();
  menu->setHasData(hasData);
  stack->setCurrentWidget(hasData ? static_cast<QWidget*>(plot) : hint);
  const QCPRange range = hasData ? wantedSteps() : QCPRange(0, 1);
  const ValueBounds values = draw({range.lower, range.upper, std::max(50, plot->axisRect()->width())});
  self->setAccessibleDescription(self->textAlternative());
  showTitle();
  if (!hasData) return;
  fitTicks(*plot);
  isSettingRange = true;
  plot->xAxis->setRange(range);
  isSettingRange = false;
  fitValues(values);
  if (!isLog) curves->markGaps(plot->yAxis->range().lower);
  plot->replot(QCustomPlot::rpQueuedReplot);
}

ValueBounds MetricPlot::Impl::draw(const PixelGrid& grid) {
  const MetricStore& samples = *ranks.samples;
  ranks.curves = visibleRanks();
  ranks.banded = ranks.curves.size();
  ranks.spreads.clear();
  band->clear();
  curves->clear();
  ValueBounds values;
  if (ranks.banded > kMostCurves) {
    // Two pixels a column: half the work, and a spike is wide enough to be seen.
    const PixelGrid columns{grid.from, grid.to, grid.pixels / 2};
    ranks.spreads = spreadOverRanks(samples, quantity.metric, ranks.curves, columns);
    values = band->draw(ranks.spreads, grid, isLog);
    std::set<Rank> apart;
    for (const Rank rank : outlyingRanks(samples, quantity.metric, ranks.curves, kMostOutliers))
      apart.insert(rank);
    std::erase_if(ranks.curves, [&](Rank rank) { return !chosen.contains(rank) && !apart.contains(rank); });
  }
  for (const Rank rank : ranks.curves) values.add(curves->draw(samples, quantity.metric, rank, grid, isLog));
  return values;
}

void MetricPlot::Impl::fitValues(const ValueBounds& values) {
  double low = values.isEmpty() ? (isLog ? 0.1 : 0) : values.low;
  double high = values.isEmpty() ? 1 : values.high;
  if (isLog) {
    plot->yAxis->setRange(low / 1.15, std::max(high * 1.15, low * 1.3));
    return;
  }
  if (quantity.fromZero) low = std::min(low, 0.0);
  high = std::max(high, quantity.atLeastTo);
  const double air = std::max((high - low) * 0.06, std::max(std::fabs(high), 1e-9) * 1e-3);
  plot->yAxis->setRange(quantity.fromZero && low == 0 ? 0 : low - air, high + air);
}

void MetricPlot::Impl::onRangeChanged(const QCPRange& range) {
  if (isSettingRange) return;
  const ValueBounds all = steps();
  if (all.isEmpty()) return;
  const double width = std::clamp(range.size(), kNarrowestView, std::max(all.high - all.low, kNarrowestView));
  const double from = std::clamp(range.size() == width ? range.lower : range.center() - width / 2,
                                 all.low - width * 0.02, std::max(all.low, all.high - width));
  view.from = from;
  view.to = from + width;
  view.showsAll = view.from <= all.low && view.to >= all.high;
  view.isFollowing = !view.showsAll && view.to >= all.high;
  refresh();
  emit self->viewChanged(view);
}

void MetricPlot::Impl::showReadout(const QPoint& position) {
  if (!plot->axisRect()->rect().contains(position)) return readout->hide();
  const double step = plot->xAxis->pixelToCoord(position.x());
  const QStringList lines = self->readoutAt(step);
  if (lines.isEmpty()) return readout->hide();
  readout->show(position, step, lines, isLog);
}

PlotPicture MetricPlot::Impl::picture() {
  refresh();
  readout->hide();
  return {titleText(ranks, quantity, self->palette()), legendText(ranks, self->palette()),
          self->textAlternative(), self->palette(), self->font()};
}

void MetricPlot::Impl::moveBy(double share) {
  const QCPRange range = plot->xAxis->range();
  plot->xAxis->setRange(range + range.size() * share);
}

void MetricPlot::Impl::zoomBy(double factor) {
  plot->xAxis->scaleRange(factor);
}

MetricPlot::MetricPlot(PlotQuantity quantity, QWidget* parent)
    : QWidget(parent), impl_(std::make_unique<Impl>(this, std::move(quantity))) {
  impl_->build();
  impl_->connectPlot();
  impl_->applyColors();
  setFocusPolicy(Qt::TabFocus);
  setAccessibleRole(this, QAccessible::Chart);
  setAccessibleName(impl_->quantity.title);
  impl_->plot->setAccessibleName(impl_->quantity.title);
  setToolTip({});
}

MetricPlot::~MetricPlot() = default;

void MetricPlot::setSamples(std::shared_ptr<const MetricStore> samples) {
  impl_->ranks.samples = std::move(samples);
  scheduleRefresh();
}

void MetricPlot::scheduleRefresh() {
  if (!impl_->timer->isActive()) impl_->timer->start();
}

void MetricPlot::refreshNow() {
  impl_->refresh();
  impl_->plot->replot(QCustomPlot::rpImmediateRefresh);
}

void MetricPlot::setEmptyText(const QString& text) {
  impl_->hint->setText(text);
}

void MetricPlot::setLogScale(bool on) {
  if (impl_->isLog == on) return;
  impl_->isLog = on;
  QCPAxis* const axis = impl_->plot->yAxis;
  axis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  if (on)
    axis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
  else
    axis->setTicker(QSharedPointer<QCPAxisTicker>::create());
  impl_->refresh();
}

void MetricPlot::setSmoothing(double weight) {
  impl_->smoothing = std::clamp(weight, 0.0, 0.999);
  impl_->curves->setSmoothing(impl_->smoothing);
  impl_->band->setSmoothing(impl_->smoothing);
  impl_->refresh();
}

void MetricPlot::setHiddenRanks(const std::set<Rank>& ranks) {
  if (ranks == impl_->hidden) return;
  impl_->hidden = ranks;
  impl_->refresh();
}

void MetricPlot::setChosenRanks(const std::set<Rank>& ranks) {
  if (ranks == impl_->chosen) return;
  impl_->chosen = ranks;
  impl_->refresh();
}

const std::vector<Rank>& MetricPlot::drawnRanks() const {
  return impl_->ranks.curves;
}

void MetricPlot::setView(const PlotView& view) {
  if (view == impl_->view) return;
  impl_->view = view;
  impl_->refresh();
}

const PlotView& MetricPlot::view() const {
  return impl_->view;
}
bool MetricPlot::hasData() const {
  return !impl_->steps().isEmpty();
}

void MetricPlot::showAll() {
  setView({});
}

QString MetricPlot::textAlternative() const {
  return impl_->ranks.isEmpty(impl_->quantity) ? impl_->hint->text()
                                               : spokenText(impl_->ranks, impl_->quantity);
}

QStringList MetricPlot::readoutAt(double step) const {
  return readoutLines(impl_->ranks, impl_->quantity, step, palette());
}

QImage MetricPlot::image() {
  return plotImage(*impl_->plot, impl_->picture());
}

QByteArray MetricPlot::svg() {
  return plotSvg(*impl_->plot, impl_->picture());
}

SampleSelection MetricPlot::samplesInSight() const {
  const QCPRange range = impl_->wantedSteps();
  return {impl_->quantity.metric, impl_->visibleRanks(), static_cast<Step>(std::ceil(range.lower)),
          static_cast<Step>(std::floor(range.upper))};
}

std::shared_ptr<const MetricStore> MetricPlot::samples() const {
  return impl_->ranks.samples;
}

void MetricPlot::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const auto type = event->type();
  if (!impl_ || !impl_->plot ||
      (type != QEvent::PaletteChange && type != QEvent::StyleChange && type != QEvent::FontChange))
    return;
  impl_->applyColors();
  impl_->refresh();
}

void MetricPlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  scheduleRefresh();
}

void MetricPlot::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  scheduleRefresh();
}

void MetricPlot::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  impl_->readout->hide();
}

void MetricPlot::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return impl_->moveBy(-0.2);
    case Qt::Key_Right:
      return impl_->moveBy(0.2);
    case Qt::Key_Plus:
      return impl_->zoomBy(kZoomPerKey);
    case Qt::Key_Minus:
      return impl_->zoomBy(1 / kZoomPerKey);
    case Qt::Key_Home:
      showAll();
      emit viewChanged(impl_->view);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void MetricPlot::contextMenuEvent(QContextMenuEvent* event) {
  const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
  impl_->menu->showAt(isByKey ? mapToGlobal(rect().center()) : event->globalPos());
}

}  // namespace lockstep
