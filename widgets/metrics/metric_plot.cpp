// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/metric_plot.h"

#include <qcustomplot.h>  // the only file that includes it

#include <QKeyEvent>
#include <QLabel>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "metrics/smoothing.h"
#include "widgets/common/access/accessible_role.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/number_text.h"

namespace lockstep {
namespace {

constexpr int kRefreshMs = 100;
constexpr int kReadoutRanks = 12;
constexpr double kGhost = 0.28;         // opacity of a raw curve behind its smoothed one
constexpr double kNarrowestView = 2.0;  // steps
constexpr double kZoomPerKey = 0.7;

struct Bounds {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool isEmpty() const { return low > high; }
};

/// A span as up to three points above each other: the eye sees every extreme, and the line goes on from the
/// last value.
QVector<QCPGraphData> pointsOf(std::span<const PixelSpan> spans, bool isLog) {
  QVector<QCPGraphData> points;
  points.reserve(static_cast<qsizetype>(spans.size()) * 2);
  const auto drawable = [isLog](double value) {
    return isLog && !(value > 0) ? std::numeric_limits<double>::quiet_NaN() : value;
  };
  for (const auto& span : spans) {
    if (span.min != span.last) points.append({span.x, drawable(span.min)});
    if (span.max != span.last) points.append({span.x, drawable(span.max)});
    points.append({span.x, drawable(span.last)});
  }
  return points;
}

/// Whole steps only, in the user's digits.
class StepTicker final : public QCPAxisTicker {
 protected:
  double getTickStep(const QCPRange& range) override {
    return std::max(1.0, QCPAxisTicker::getTickStep(range));
  }
  int getSubTickCount(double tickStep) override {
    return tickStep <= 1 ? 0 : QCPAxisTicker::getSubTickCount(tickStep);
  }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    const QLocale locale;
    if (std::fabs(tick) >= 1e6) return locale.toString(tick / 1e6, 'g', 4) + QStringLiteral("M");
    return locale.toString(static_cast<qlonglong>(std::llround(tick)));
  }
};

}  // namespace

struct MetricPlot::Impl {
  Impl(MetricPlot* widget, const MetricStore& samples, PlotQuantity what)
      : self(widget), store(samples), quantity(std::move(what)) {}

  MetricPlot* self;
  const MetricStore& store;
  PlotQuantity quantity;
  PlotView view;
  std::set<Rank> hidden;
  double smoothing = 0;
  bool isLog = false;
  bool isSettingRange = false;

  QLabel* title = nullptr;
  QLabel* hint = nullptr;
  QStackedLayout* stack = nullptr;
  QCustomPlot* plot = nullptr;
  QCPItemStraightLine* cursor = nullptr;
  QCPGraph* gaps = nullptr;
  QLabel* readout = nullptr;
  QTimer* timer = nullptr;
  struct Curve {
    QCPGraph* raw = nullptr;
    QCPGraph* smooth = nullptr;
  };
  std::map<std::pair<Rank, int>, Curve> curves;  // of each attempt: what a restart repeats is drawn beside it

  void build();
  void buildPlot();
  void connectPlot();
  void applyColors();
  void applyCurveColors();
  Curve& curveOf(Rank rank, int attempt);
  [[nodiscard]] Bounds steps() const;
  [[nodiscard]] QCPRange wantedSteps() const;
  void refresh();
  Bounds drawCurve(Rank rank, const QCPRange& range);
  void drawGaps(double at);
  void fitValues(const Bounds& values);
  void onRangeChanged(const QCPRange& range);
  void showReadout(const QPoint& position);
  void hideReadout();
  void moveBy(double share);
  void zoomBy(double factor);
};

void MetricPlot::Impl::build() {
  title = new QLabel(self);
  title->setTextFormat(Qt::RichText);
  hint = new PlainLabel(self);
  hint->setAlignment(Qt::AlignCenter);
  hint->setWordWrap(true);
  hint->setContentsMargins(16, 8, 16, 8);
  plot = new QCustomPlot(self);
  buildPlot();
  auto* body = new QWidget(self);
  stack = new QStackedLayout(body);
  stack->addWidget(hint);
  stack->addWidget(plot);
  auto* column = new QVBoxLayout(self);
  column->setContentsMargins(10, 6, 8, 6);
  column->setSpacing(2);
  column->addWidget(title);
  column->addWidget(body, 1);
  readout = new QLabel(plot);
  readout->setAttribute(Qt::WA_TransparentForMouseEvents);
  readout->setTextFormat(Qt::RichText);
  readout->setMargin(6);
  readout->hide();
  timer = new QTimer(self);
  timer->setSingleShot(true);
  timer->setInterval(kRefreshMs);
}

void MetricPlot::Impl::buildPlot() {
  plot->setMinimumSize(80, 50);
  plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot->axisRect()->setRangeDrag(Qt::Horizontal);
  plot->axisRect()->setRangeZoom(Qt::Horizontal);
  plot->axisRect()->setRangeZoomFactor(0.8);
  plot->axisRect()->setMinimumMargins(QMargins(4, 4, 8, 2));
  plot->setNoAntialiasingOnDrag(false);
  plot->setFocusPolicy(Qt::NoFocus);
  plot->xAxis->setTicker(QSharedPointer<StepTicker>::create());
  plot->xAxis->ticker()->setTickCount(6);
  plot->yAxis->ticker()->setTickCount(4);
  plot->yAxis->setNumberPrecision(4);
  plot->xAxis->setPadding(0);
  gaps = plot->addGraph();
  gaps->setLineStyle(QCPGraph::lsNone);
  cursor = new QCPItemStraightLine(plot);
  cursor->setVisible(false);
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
    hideReadout();
  });
  connect(timer, &QTimer::timeout, self, [this] { refresh(); });
}

void MetricPlot::Impl::applyColors() {
  const QPalette& colors = self->palette();
  const QColor text = mutedColor(colors);
  const QColor line = borderColor(colors);
  plot->setBackground(QBrush(cardColor(colors)));
  QFont small = self->font();
  small.setPointSizeF(small.pointSizeF() * 0.9);
  for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
    axis->setBasePen(QPen(line));
    axis->setTickPen(QPen(line));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(text);
    axis->setLabelColor(text);
    axis->setTickLabelFont(small);
    axis->setLabelFont(small);
    axis->grid()->setPen(QPen(tinted(cardColor(colors), line, 0.6)));
    axis->grid()->setZeroLinePen(QPen(tinted(cardColor(colors), line, 0.6)));
  }
  cursor->setPen(QPen(text, 1, Qt::DashLine));
  title->setText(QStringLiteral("<b>%1</b> <span style='color:%2'>%3</span>")
                     .arg(quantity.title.toHtmlEscaped(), text.name(), MetricPlot::tr("by step")));
  gaps->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssCross, QPen(errorColor(colors), 1.5), Qt::NoBrush, 7));
  QPalette muted = colors;
  muted.setColor(QPalette::WindowText, text);
  hint->setPalette(muted);
  readout->setStyleSheet(
      QStringLiteral("QLabel { background: %1; border: 1px solid %2; border-radius: 4px; }")
          .arg(cardColor(colors).name(), line.name()));
  applyCurveColors();
}

void MetricPlot::Impl::applyCurveColors() {
  for (auto& [key, curve] : curves) {
    const Rank rank = key.first;
    const QColor color = rankColor(rank, self->palette());
    QColor ghost = color;
    ghost.setAlphaF(static_cast<float>(kGhost));
    curve.raw->setPen(QPen(smoothing > 0 ? ghost : color, smoothing > 0 ? 1.2 : 1.6, rankPenStyle(rank)));
    curve.smooth->setPen(QPen(color, 1.8, rankPenStyle(rank)));
  }
}

MetricPlot::Impl::Curve& MetricPlot::Impl::curveOf(Rank rank, int attempt) {
  auto [place, isNew] = curves.try_emplace({rank, attempt});
  if (isNew) {
    place->second.raw = plot->addGraph();
    place->second.smooth = plot->addGraph();
    applyCurveColors();
  }
  return place->second;
}

Bounds MetricPlot::Impl::steps() const {
  Bounds bounds;
  if (const auto all = store.steps(quantity.metric)) {
    bounds.add(static_cast<double>(all->first));
    bounds.add(static_cast<double>(all->second));
  }
  return bounds;
}

QCPRange MetricPlot::Impl::wantedSteps() const {
  const Bounds all = steps();
  if (view.showsAll) return {all.low, std::max(all.high, all.low + 1)};
  if (view.isFollowing) return {all.high - (view.to - view.from), all.high};
  return {view.from, view.to};
}

void MetricPlot::Impl::refresh() {
  timer->stop();
  const bool hasData = !steps().isEmpty();
  stack->setCurrentWidget(hasData ? static_cast<QWidget*>(plot) : hint);
  self->setAccessibleDescription(self->textAlternative());
  if (!hasData) return;
  const QCPRange range = wantedSteps();
  isSettingRange = true;
  plot->xAxis->setRange(range);
  isSettingRange = false;
  Bounds values;
  for (auto& [key, curve] : curves) {
    curve.raw->data()->clear();
    curve.smooth->data()->clear();
  }
  for (const Rank rank : store.ranks(quantity.metric)) {
    if (hidden.contains(rank)) continue;
    const Bounds drawn = drawCurve(rank, range);
    if (drawn.isEmpty()) continue;
    values.add(drawn.low);
    values.add(drawn.high);
  }
  fitValues(values);
  drawGaps(plot->yAxis->range().lower);
  plot->replot(QCustomPlot::rpQueuedReplot);
}

Bounds MetricPlot::Impl::drawCurve(Rank rank, const QCPRange& range) {
  const int pixels = std::max(50, plot->axisRect()->width());
  const auto spans = store.spans(quantity.metric, rank, range.lower, range.upper, pixels);
  const auto smooth = smoothed(spans, smoothing, range.size());
  for (std::size_t first = 0; first < spans.size();) {
    const int attempt = spans[first].attempt;
    std::size_t end = first;
    while (end < spans.size() && spans[end].attempt == attempt) ++end;
    const auto part = [=](const std::vector<PixelSpan>& all) {
      return std::span(all).subspan(first, end - first);
    };
    Curve& curve = curveOf(rank, attempt);
    curve.raw->data()->set(pointsOf(part(spans), isLog), true);
    // A single sample has no line to be seen.
    curve.raw->setScatterStyle(end - first == 1 ? QCPScatterStyle(QCPScatterStyle::ssDisc, 6)
                                                : QCPScatterStyle());
    if (smoothing > 0) curve.smooth->data()->set(pointsOf(part(smooth), isLog), true);
    first = end;
  }
  Bounds values;
  for (const auto& span : spans) {
    if (span.x < range.lower || span.x > range.upper || !std::isfinite(span.last)) continue;
    if (!isLog || span.min > 0) values.add(span.min);
    if (!isLog || span.max > 0) values.add(span.max);
  }
  return values;
}

void MetricPlot::Impl::drawGaps(double at) {
  QVector<QCPGraphData> marks;
  for (const auto& [key, curve] : curves)
    for (const auto& point : *curve.raw->data())
      if (std::isnan(point.value) && !isLog) marks.append({point.key, at});
  gaps->data()->set(marks);
}

void MetricPlot::Impl::fitValues(const Bounds& values) {
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
  const Bounds all = steps();
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
  if (!plot->axisRect()->rect().contains(position)) return hideReadout();
  const double step = plot->xAxis->pixelToCoord(position.x());
  const QStringList lines = self->readoutAt(step);
  if (lines.isEmpty()) return hideReadout();
  cursor->point1->setCoords(step, 0);
  cursor->point2->setCoords(step, 1);
  // A logarithmic axis has no zero to go through.
  if (isLog) cursor->point1->setCoords(step, 0.5);
  cursor->setVisible(true);
  readout->setText(lines.join(QStringLiteral("<br>")));
  readout->adjustSize();
  const int x = position.x() + 14 + readout->width() < plot->width() ? position.x() + 14
                                                                     : position.x() - 14 - readout->width();
  readout->move(std::max(0, x), std::clamp(position.y() - readout->height() / 2, 0,
                                           std::max(0, plot->height() - readout->height())));
  readout->show();
  plot->replot(QCustomPlot::rpQueuedReplot);
}

void MetricPlot::Impl::hideReadout() {
  if (readout->isHidden()) return;
  readout->hide();
  cursor->setVisible(false);
  plot->replot(QCustomPlot::rpQueuedReplot);
}

void MetricPlot::Impl::moveBy(double share) {
  const QCPRange range = plot->xAxis->range();
  plot->xAxis->setRange(range + range.size() * share);
}

void MetricPlot::Impl::zoomBy(double factor) {
  plot->xAxis->scaleRange(factor);
}

MetricPlot::MetricPlot(const MetricStore& store, PlotQuantity quantity, QWidget* parent)
    : QWidget(parent), impl_(std::make_unique<Impl>(this, store, std::move(quantity))) {
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
  axis->ticker()->setTickCount(4);
  impl_->refresh();
}

void MetricPlot::setSmoothing(double weight) {
  impl_->smoothing = std::clamp(weight, 0.0, 0.999);
  impl_->applyCurveColors();
  impl_->refresh();
}

void MetricPlot::setHiddenRanks(const std::set<Rank>& ranks) {
  impl_->hidden = ranks;
  impl_->refresh();
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
  const auto ranks = impl_->store.ranks(impl_->quantity.metric);
  if (ranks.empty()) return impl_->hint->text();
  QStringList parts{
      tr("%1 of %n ranks.", nullptr, static_cast<int>(ranks.size())).arg(impl_->quantity.title)};
  for (const Rank rank : ranks) {
    if (parts.size() > kReadoutRanks) break;
    const auto last = impl_->store.last(impl_->quantity.metric, rank);
    if (last)
      parts.append(tr("Rank %1: %2 at step %3.")
                       .arg(rank.value)
                       .arg(impl_->quantity.text(last->value), countText(static_cast<double>(last->step))));
  }
  return parts.join(QLatin1Char(' '));
}

QStringList MetricPlot::readoutAt(double step) const {
  QStringList lines;
  for (const Rank rank : impl_->store.ranks(impl_->quantity.metric)) {
    if (impl_->hidden.contains(rank)) continue;
    const auto point = impl_->store.nearest(impl_->quantity.metric, rank, step);
    if (!point) continue;
    if (lines.isEmpty())
      lines.append(tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(point->step))));
    if (lines.size() > kReadoutRanks) {
      lines.append(QStringLiteral("…"));
      break;
    }
    lines.append(QStringLiteral("<span style='color:%1'>■</span> %2: <b>%3</b>")
                     .arg(rankColor(rank, palette()).name(), tr("Rank %1").arg(rank.value),
                          impl_->quantity.text(point->value)));
  }
  return lines;
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
  impl_->hideReadout();
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

}  // namespace lockstep
