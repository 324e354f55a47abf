// SPDX-License-Identifier: GPL-3.0-or-later
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/common/text/plain_text.h"
#include "widgets/metrics/charts/metric_plot_parts.h"
#include "widgets/metrics/charts/plot_marks.h"

namespace lockstep {
namespace {

constexpr double kNarrowestView = 2.0;  // steps

}  // namespace

void MetricPlot::Impl::onRangeChanged(const QCPRange& range) {
  const ValueBounds& all = canvas->steps();
  if (isSettingRange || all.isEmpty()) return;
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

void MetricPlot::Impl::showAllByUser() {
  self->showAll();
  emit self->viewChanged(view);
}

void MetricPlot::Impl::moveBy(double share) {
  const QCPRange range = plot->xAxis->range();
  plot->xAxis->setRange(range + range.size() * share);
}

void MetricPlot::Impl::zoomBy(double factor) {
  plot->xAxis->scaleRange(factor);
}

void MetricPlot::Impl::zoomValuesBy(double factor) {
  const QRect rect = plot->axisRect()->rect();
  const int margin = static_cast<int>(rect.height() * (1 - factor) / 2);
  canvas->fixValues(rect.top() + margin, rect.bottom() - margin);
  refresh();
}

void MetricPlot::Impl::zoomIntoBox(const QRect& box) {
  const double from = plot->xAxis->pixelToCoord(box.left()), to = plot->xAxis->pixelToCoord(box.right());
  canvas->fixValues(box.top(), box.bottom());
  plot->xAxis->setRange(from, to);
}

void MetricPlot::Impl::brush(double from, double to) {
  const auto first = static_cast<Step>(std::ceil(from));
  const auto last = std::max(first, static_cast<Step>(std::floor(to)));
  emit self->rangeBrushed(first, last, canvas->timeOf(static_cast<double>(first)),
                          canvas->timeOf(static_cast<double>(last)));
}

void MetricPlot::Impl::hoverAt(const QPoint& position) {
  hover = position;
  const QString mark = canvas->marks().textAt(position);
  if (!mark.isEmpty())
    QToolTip::showText(plot->mapToGlobal(position), plainToolTip(mark), plot);
  else if (QToolTip::isVisible())
    QToolTip::hideText();
  pointAt(nearestStep(canvas->quantities(), plot->xAxis->pixelToCoord(position.x())));
}

void MetricPlot::Impl::leave() {
  if (!hover) return;
  hover.reset();
  pointAt(std::nullopt);
}

void MetricPlot::Impl::pointAt(const std::optional<Step>& step) {
  const auto before = cursor;
  cursor =
      step ? std::optional(ChartCursor{*step, canvas->timeOf(static_cast<double>(*step))}) : std::nullopt;
  showCursor();
  if (cursor != before) emit self->cursorMoved(cursor);
}

/// To the next sample that is a pixel or more away.
void MetricPlot::Impl::moveCursor(int direction, bool chooses) {
  const QCPRange range = plot->xAxis->range();
  const double from = cursor ? static_cast<double>(cursor->step) : direction > 0 ? range.lower : range.upper;
  if (!chooses)
    anchor.reset();
  else if (!anchor)
    anchor = static_cast<Step>(std::llround(from));
  const double pixel = std::max(1.0, range.size() / std::max(1, plot->axisRect()->width()));
  for (double away = cursor ? pixel : 0; away <= 2 * range.size(); away = away > 0 ? away * 2 : pixel) {
    const auto next = nearestStep(canvas->quantities(), from + direction * away);
    if (!next || (cursor && (static_cast<double>(*next) - from) * direction <= 0)) continue;
    const auto at = static_cast<double>(*next);
    if (!range.contains(at)) plot->xAxis->setRange(range + (at - range.center()));
    pointAt(next);
    break;
  }
  if (!chooses || !cursor) return;
  const auto [low, high] = std::minmax(*anchor, cursor->step);
  brush(static_cast<double>(low), static_cast<double>(high));
}

void MetricPlot::Impl::showCursor() {
  const auto step = cursor ? static_cast<double>(cursor->step) : 0;
  if (!cursor || !plot->xAxis->range().contains(step)) return readout->hide();
  const QRect rect = plot->axisRect()->rect();
  const QPoint atLine(static_cast<int>(plot->xAxis->coordToPixel(step)), rect.top() + rect.height() / 4);
  readout->show(hover.value_or(atLine), step, self->readoutAt(step));
}

}  // namespace lockstep
