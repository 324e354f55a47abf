// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/metric_plot.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/metric_plot_parts.h"
#include "widgets/metrics/charts/plot_axes.h"
#include "widgets/metrics/charts/plot_marks.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Pieces = SpreadColumns::Pieces;

constexpr double kZoomPerKey = 0.7;
/// Of one chart, and of all that are drawn in one turn of the event loop.
struct TimeLimit {
  std::chrono::steady_clock::duration one, all;
};
constexpr TimeLimit kFrame{600us, 6ms};  // charts that move together, a picture each 16 ms
constexpr TimeLimit kNews{4ms, 12ms};    // a few times a second
constexpr TimeLimit kPiece{2ms, 8ms};    // while nothing moves
constexpr int kSettleMs = 60;
constexpr auto kRefresh = 100ms;  // what comes first is drawn at once
constexpr double kAround = 0.5;   // of what is in sight: what is computed beforehand, to be moved into

SpreadColumns::IsOver within(const TimeLimit& limit, FrameBudget& all) {
  const auto end = std::chrono::steady_clock::now() + limit.one;
  return
      [end, most = limit.all, &all] { return std::chrono::steady_clock::now() >= end || all.isOver(most); };
}

SpreadColumns::IsOver limitOf(Effort effort, FrameBudget& all) {
  if (effort == Effort::Whole) return [] { return false; };
  return within(effort == Effort::News ? kNews : kFrame, all);
}

double widthOf(const QString& richText, const QFont& font) {
  QTextDocument text;
  text.setDocumentMargin(0);
  text.setDefaultFont(font);
  text.setHtml(richText);
  return text.idealWidth();
}

}  // namespace

void MetricPlot::Impl::applyColors() {
  const QPalette& colors = self->palette();
  canvas->setColors(colors, self->font());
  showTitle();
  QPalette muted = colors;
  muted.setColor(QPalette::WindowText, mutedColor(colors));
  hint->setPalette(muted);
  readout->setPalette(colors);
  pointer->setColors(colors);
}

void MetricPlot::Impl::showTitle() {
  const auto textWith = [this](TitleDetail detail) {
    const QString text = titleText(spec, canvas->quantities(), canvas->shownAxis(), self->palette(), detail);
    const bool isOther = self->hasData() && canvas->shownAxis() != xAxis;
    return isOther ? text + notMeasuredText(xAxis, self->palette()) : text;
  };
  const QString all = textWith(TitleDetail::All);
  const int room = title->wordWrap() ? 0 : title->contentsRect().width();
  if (std::exchange(titled, std::pair(all, room)) == titled) return;
  QString text = all;
  for (const TitleDetail less : {TitleDetail::Ranks, TitleDetail::Name})
    if (room > 0 && widthOf(text, title->font()) > room) text = textWith(less);
  if (room > 0 && widthOf(text, title->font()) > room) text = elidedTitle(spec, title->font(), room);
  title->setText(text);
  const QString whole = QTextDocumentFragment::fromHtml(all).toPlainText();
  title->setToolTip(plainToolTip(text == all ? QString() : whole));
}

void MetricPlot::Impl::speak() {
  speaker->stop();
  self->setAccessibleDescription(self->textAlternative());
}

bool MetricPlot::Impl::isInSight() const {
  return self->isVisible() && !self->visibleRegion().isEmpty();
}

QCPRange MetricPlot::Impl::wantedSteps() const {
  const ValueBounds& all = canvas->steps();
  if (all.isEmpty()) return {0, 1};
  if (view.showsAll && all.low == all.high) return {all.low - 1, all.high + 1};  // one step, in the middle
  if (view.showsAll) return {all.low, all.high};
  if (view.isFollowing) return {all.high - (view.to - view.from), all.high};
  return {view.from, view.to};
}

void MetricPlot::Impl::refresh(Effort effort) {
  timer->stop();
  isDirty = effort != Effort::Whole && !isInSight();
  if (isDirty) return;
  const bool hasData = self->hasData();
  menu->setHasData(hasData);
  stack->setCurrentWidget(hasData ? static_cast<QWidget*>(plot) : hint);
  if (effort == Effort::Whole) layOut();
  const QCPRange range = wantedSteps();
  isCoarse = !canvas->prepare(range, 0, limitOf(effort, *budget),
                              effort == Effort::Whole ? Pieces::Long : Pieces::Short);
  isBlank = !hasData || !canvas->hasPicture();
  canvas->draw(range);
  showTitle();
  if (effort == Effort::Whole)
    speak();
  else
    speaker->start();
  if (!hasData) return readout->hide();
  isSettingRange = true;
  plot->xAxis->setRange(range);
  isSettingRange = false;
  if (cursor) showCursor();
  plot->replot(QCustomPlot::rpQueuedReplot);
  settler->start(kSettleMs);
}

// Else a picture that is drawn at once, before events of its new size are handled, has the ticks of another one.
void MetricPlot::Impl::layOut() {
  stack->setGeometry(stack->parentWidget()->contentsRect());
  plot->setViewport(plot->rect());
  for (const auto phase :
       {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
    plot->plotLayout()->update(phase);
}

// Piece by piece, so that whatever the user does comes in between: first what is in sight, then what is beside it.
void MetricPlot::Impl::settle() {
  if (!isInSight() || !self->hasData()) return;
  const QCPRange range = wantedSteps();
  const bool isWhole = canvas->prepare(range, 0, within(kPiece, *budget), Pieces::Long);
  const bool isFirst = std::exchange(isBlank, !canvas->hasPicture()) && !isBlank;
  if ((isWhole && std::exchange(isCoarse, false)) || isFirst) {
    canvas->draw(range);
    showTitle();  // which says of how many ranks there is a band
    speaker->start();
    plot->replot(QCustomPlot::rpQueuedReplot);
  }
  if (!isWhole || !canvas->prepare(range, kAround, within(kPiece, *budget), Pieces::Long)) settler->start(0);
}

PlotPicture MetricPlot::Impl::picture() {
  refresh(Effort::Whole);
  readout->hide();
  return {titleText(spec, canvas->quantities(), canvas->shownAxis(), self->palette()),
          legendText(canvas->quantities(), self->palette()), self->textAlternative(), self->palette(),
          self->font()};
}

MetricPlot::MetricPlot(const ChartSpec& spec, QWidget* parent)
    : QWidget(parent), impl_(std::make_unique<Impl>(this, spec)) {
  impl_->build();
  impl_->connectPlot();
  impl_->connectMenu();
  impl_->canvas->setSpec(spec);
  impl_->applyColors();
  impl_->showName();
  setFocusPolicy(Qt::TabFocus);
  setAccessibleRole(this, QAccessible::Chart);
  setToolTip({});
}

MetricPlot::MetricPlot(PlotQuantity quantity, QWidget* parent)
    : MetricPlot(ChartSpec(std::move(quantity)), parent) {}

MetricPlot::~MetricPlot() = default;

void MetricPlot::setSpec(const ChartSpec& spec) {
  impl_->spec = spec;
  impl_->canvas->setSpec(spec);
  impl_->showName();
  impl_->showTitle();
  impl_->refresh();
}

const ChartSpec& MetricPlot::spec() const {
  return impl_->spec;
}

void MetricPlot::setBudget(std::shared_ptr<FrameBudget> budget) {
  impl_->budget = std::move(budget);
}

void MetricPlot::setSamples(std::shared_ptr<const MetricStore> samples) {
  impl_->canvas->setSamples(std::move(samples));
  scheduleRefresh();
}

void MetricPlot::scheduleRefresh() {
  if (!impl_->timer->isActive()) impl_->timer->start(impl_->isBlank ? 0ms : kRefresh);
}

void MetricPlot::refreshNow() {
  impl_->refresh(Effort::Whole);
  impl_->plot->replot(QCustomPlot::rpImmediateRefresh);
}

void MetricPlot::setEmptyText(const QString& text) {
  impl_->hint->setText(text);
}

void MetricPlot::setLogScale(bool on) {
  if (impl_->canvas->scene().isLog == on) return;
  impl_->canvas->setLogScale(on);
  impl_->refresh();
}

void MetricPlot::setSmoothing(const ChartSmoothing& smoothing) {
  if (smoothing == impl_->canvas->scene().smoothing) return;
  impl_->canvas->scene().smoothing = smoothing;
  impl_->refresh();
}

void MetricPlot::setXAxis(ChartXAxis axis) {
  if (axis == impl_->xAxis) return;
  impl_->xAxis = axis;
  impl_->canvas->setXAxis(axis);
  impl_->refresh();
}

bool MetricPlot::isMeasured(ChartXAxis axis) const {
  return impl_->canvas->scaleOf(axis).has_value();
}

void MetricPlot::setMarks(std::vector<ChartMark> marks) {
  impl_->canvas->setMarks(std::move(marks));
  impl_->refresh();
}

void MetricPlot::setEnd(std::optional<TimePoint> end) {
  if (end == impl_->canvas->scene().end) return;
  impl_->canvas->scene().end = end;
  impl_->refresh();
}

void MetricPlot::setHiddenRanks(const std::set<Rank>& ranks) {
  if (ranks == impl_->canvas->scene().hidden) return;
  impl_->canvas->scene().hidden = ranks;
  impl_->refresh();
}

void MetricPlot::setChosenRanks(const std::set<Rank>& ranks) {
  if (ranks == impl_->canvas->scene().chosen) return;
  impl_->canvas->scene().chosen = ranks;
  impl_->refresh();
}

void MetricPlot::setStale(const std::map<Rank, TimePoint>& stale) {
  if (stale == impl_->canvas->scene().stale) return;
  impl_->canvas->scene().stale = stale;
  impl_->refresh();
}

const std::vector<Rank>& MetricPlot::drawnRanks() const {
  static const std::vector<Rank> kNone;
  const auto& quantities = impl_->canvas->quantities();
  return quantities.empty() ? kNone : quantities.front()->ranks().curves;
}

void MetricPlot::setView(const PlotView& view) {
  const bool follows = view.showsAll && impl_->canvas->areValuesFixed();
  if (view == impl_->view && !follows) return;
  if (follows) impl_->canvas->followValues();
  impl_->view = view;
  impl_->refresh();
}

const PlotView& MetricPlot::view() const {
  return impl_->view;
}

bool MetricPlot::isWhole() const {
  return !impl_->isBlank && !impl_->isCoarse && !impl_->isDirty;
}

bool MetricPlot::hasData() const {
  return !impl_->canvas->steps().isEmpty();
}

void MetricPlot::showAll() {
  setView({});
}

void MetricPlot::setCursor(const std::optional<ChartCursor>& cursor) {
  if (cursor == impl_->cursor) return;
  impl_->cursor = cursor;
  impl_->anchor.reset();
  impl_->showCursor();
}

const std::optional<ChartCursor>& MetricPlot::cursor() const {
  return impl_->cursor;
}

QString MetricPlot::textAlternative() const {
  if (isEmpty(impl_->canvas->quantities())) return impl_->hint->text();
  const QCPRange range = impl_->wantedSteps();
  const QString marks = impl_->canvas->marks().spokenText(range.lower, range.upper);
  const QString values = spokenText(impl_->canvas->quantities());
  return marks.isEmpty() ? values : QStringLiteral("%1 %2").arg(values, marks);
}

QStringList MetricPlot::readoutAt(double step) const {
  return readoutLines(impl_->canvas->quantities(), step, impl_->canvas->reachedText(step), palette());
}

QImage MetricPlot::image() {
  return plotImage(*impl_->plot, impl_->picture());
}

QByteArray MetricPlot::svg() {
  return plotSvg(*impl_->plot, impl_->picture());
}

std::vector<SampleSelection> MetricPlot::samplesInSight() const {
  const QCPRange range = impl_->wantedSteps();
  const PlotView& view = impl_->view;
  std::vector<SampleSelection> all;
  for (const auto& quantity : impl_->canvas->quantities()) {
    SampleSelection selection{quantity->line().quantity.metric,
                              quantity->visibleRanks(impl_->canvas->scene())};
    // A past may have more than what is drawn of it (MetricStore::until).
    if (!view.showsAll) selection.from = static_cast<Step>(std::ceil(range.lower));
    if (!view.showsAll && !view.isFollowing) selection.to = static_cast<Step>(std::floor(range.upper));
    all.push_back(std::move(selection));
  }
  return all;
}

std::shared_ptr<const MetricStore> MetricPlot::samples() const {
  return impl_->canvas->samples();
}

void MetricPlot::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const auto type = event->type();
  if (!impl_ || !impl_->canvas ||
      (type != QEvent::PaletteChange && type != QEvent::StyleChange && type != QEvent::FontChange))
    return;
  impl_->applyColors();
  impl_->refresh();
}

void MetricPlot::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  if (impl_->isDirty) scheduleRefresh();
}

void MetricPlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  scheduleRefresh();
}

void MetricPlot::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  scheduleRefresh();
}

void MetricPlot::keyPressEvent(QKeyEvent* event) {
  const bool isControl = event->modifiers().testFlag(Qt::ControlModifier);
  const bool isShift = event->modifiers().testFlag(Qt::ShiftModifier);
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
      const int direction = event->key() == Qt::Key_Left ? -1 : 1;
      return isControl ? impl_->moveCursor(direction, isShift) : impl_->moveBy(0.2 * direction);
    }
    case Qt::Key_Plus:
      return isControl ? impl_->zoomValuesBy(kZoomPerKey) : impl_->zoomBy(kZoomPerKey);
    case Qt::Key_Minus:
      return isControl ? impl_->zoomValuesBy(1 / kZoomPerKey) : impl_->zoomBy(1 / kZoomPerKey);
    case Qt::Key_Home:
      return impl_->showAllByUser();
    case Qt::Key_Escape:
      if (impl_->pointer->cancelBox()) return;
      if (impl_->cursor) return impl_->pointAt(std::nullopt);
      [[fallthrough]];
    default:
      QWidget::keyPressEvent(event);
  }
}

void MetricPlot::contextMenuEvent(QContextMenuEvent* event) {
  const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
  impl_->menu->showAt(isByKey ? mapToGlobal(rect().center()) : event->globalPos());
}

}  // namespace lockstep
