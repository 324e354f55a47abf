// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_views/heat_view.h"

#include <algorithm>

namespace lockstep {
namespace {

/// [from, to] at least `least` wide where there is so much, and within [first, end].
void fit(double& from, double& to, double first, double end, double least) {
  const double width = std::clamp(to - from, std::min(least, end - first), end - first);
  from = std::clamp(from, first, end - width);
  to = from + width;
}

}  // namespace

void HeatView::clamp() {
  fit(from, to, first, end, kFewestSteps);
  fit(top, bottom, 0, rows, kFewestRows);
}

void HeatView::showAll() {
  from = first;
  to = end;
  top = 0;
  bottom = rows;
}

void HeatView::setBounds(double firstStep, double endStep, double rowCount) {
  const bool wasAllSteps = showsAllSteps(), wasNewest = to >= end;
  const bool wasAllRows = top <= 0 && bottom >= rows;
  const double width = to - from;
  first = firstStep;
  end = std::max(endStep, firstStep + 1);
  rows = std::max(rowCount, 1.0);
  if (wasNewest) {
    to = end;
    from = wasAllSteps ? first : end - width;
  }
  if (wasAllRows) {
    top = 0;
    bottom = rows;
  }
  clamp();
}

void HeatView::setSteps(double fromStep, double toStep) {
  from = std::min(fromStep, toStep);
  to = std::max(fromStep, toStep);
  clamp();
}

void HeatView::move(double steps, double rowCount) {
  from += steps;
  to += steps;
  top += rowCount;
  bottom += rowCount;
  clamp();
}

void HeatView::zoomSteps(double factor, double around) {
  from = around - (around - from) * factor;
  to = around + (to - around) * factor;
  clamp();
}

void HeatView::zoomRows(double factor, double around) {
  top = around - (around - top) * factor;
  bottom = around + (bottom - around) * factor;
  clamp();
}

void HeatView::reveal(double step, double row) {
  const double steps = step < from ? step - from : step + 1 > to ? step + 1 - to : 0;
  const double down = row < top ? row - top : row + 1 > bottom ? row + 1 - bottom : 0;
  move(steps, down);
}

double HeatView::stepAt(double x, const QRectF& area) const {
  return from + (x - area.left()) / std::max(1.0, area.width()) * (to - from);
}

double HeatView::rowAt(double y, const QRectF& area) const {
  return top + (y - area.top()) / std::max(1.0, area.height()) * (bottom - top);
}

double HeatView::xOf(double step, const QRectF& area) const {
  return area.left() + (step - from) / (to - from) * area.width();
}

double HeatView::yOf(double row, const QRectF& area) const {
  return area.top() + (row - top) / (bottom - top) * area.height();
}

}  // namespace lockstep
