// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plot_marks.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/metric_plot.h"

namespace lockstep {
namespace {

constexpr double kFlagWidth = 9, kFlagHeight = 8;  // pixels
constexpr double kTooNear = 4;
constexpr double kRoomOfOne =
    30;  // below it, what comes again and again gets a tick instead of a flag and a line
constexpr double kTickWidth = 2, kTickHeight = 5;
constexpr int kMaxSpoken = 8, kMaxLines = 6;

QString kindText(ChartMark::Kind kind) {
  switch (kind) {
    case ChartMark::Kind::Checkpoint:
      return MetricPlot::tr("Checkpoint");
    case ChartMark::Kind::Restart:
      return MetricPlot::tr("Restart");
    case ChartMark::Kind::Evaluation:
      return MetricPlot::tr("Evaluation");
    case ChartMark::Kind::Alert:
      break;
  }
  return MetricPlot::tr("Alert");
}

QString textOf(const PlotMarks::Placed& one) {
  const QString step = QLocale().toString(std::llround(one.step));
  return one.mark.text.isEmpty()
             ? MetricPlot::tr("%1 at step %2").arg(kindText(one.mark.kind), step)
             : MetricPlot::tr("%1 at step %2: %3").arg(kindText(one.mark.kind), step, one.mark.text);
}

/// What comes again and again in a run that is well.
bool isRoutine(ChartMark::Kind kind) {
  return kind == ChartMark::Kind::Checkpoint || kind == ChartMark::Kind::Evaluation;
}

void drawTriangle(QCPPainter* painter, const QPointF& a, const QPointF& b, const QPointF& c) {
  const std::array<QPointF, 3> corners{a, b, c};
  painter->drawPolygon(corners.data(), static_cast<int>(corners.size()));
}

}  // namespace

PlotMarks::PlotMarks(QCustomPlot* plot) : QCPAbstractItem(plot) {
  setSelectable(false);
  setLayer(QStringLiteral("grid"));
  setClipToAxisRect(true);
  setClipAxisRect(plot->axisRect());
}

void PlotMarks::setMarks(std::vector<Placed> marks) {
  marks_ = std::move(marks);
  std::ranges::stable_sort(marks_, {}, &Placed::step);
}

QColor PlotMarks::colorOf(ChartMark::Kind kind) const {
  switch (kind) {
    case ChartMark::Kind::Checkpoint:
      return okColor(colors_);
    case ChartMark::Kind::Restart:
      return warningColor(colors_);
    case ChartMark::Kind::Evaluation:
      return accentColor(colors_);
    case ChartMark::Kind::Alert:
      break;
  }
  return errorColor(colors_);
}

void PlotMarks::draw(QCPPainter* painter) {
  const QCPAxis* steps = parentPlot()->xAxis;
  const auto isInSight = [steps](const Placed& one) { return steps->range().contains(one.step); };
  const auto routine = std::ranges::count_if(
      marks_, [&](const Placed& one) { return isRoutine(one.mark.kind) && isInSight(one); });
  const QRect rect = parentPlot()->axisRect()->rect();
  const bool isCrowded = static_cast<double>(routine) * kRoomOfOne > rect.width();
  double before = -1e9;
  for (const Placed& one : marks_) {
    if (!isInSight(one)) continue;
    const double x = steps->coordToPixel(one.step);
    const bool isTick = isCrowded && isRoutine(one.mark.kind);
    if (isTick) painter->fillRect(QRectF(x, rect.top(), kTickWidth, kTickHeight), colorOf(one.mark.kind));
    if (isTick || x < before + kTooNear) continue;
    before = x;
    drawFlag(painter, x, one);
  }
}

// Each kind has a flag of its own shape, for who cannot tell the colours.
void PlotMarks::drawFlag(QCPPainter* painter, double x, const Placed& one) const {
  const QRect rect = parentPlot()->axisRect()->rect();
  const double top = rect.top(), middle = top + kFlagHeight / 2, bottom = top + kFlagHeight;
  const QColor color = colorOf(one.mark.kind);
  QColor line = color;
  line.setAlphaF(0.6F);
  painter->setPen(QPen(line, 1, Qt::DashLine));
  painter->drawLine(QLineF(x, top, x, rect.bottom()));
  painter->setAntialiasing(true);
  painter->setPen(Qt::NoPen);
  painter->setBrush(color);
  switch (one.mark.kind) {
    case ChartMark::Kind::Checkpoint:
      return painter->drawRect(QRectF(x, top, kFlagWidth, kFlagHeight));
    case ChartMark::Kind::Restart:
      return drawTriangle(painter, {x, top}, {x + kFlagWidth, middle}, {x, bottom});
    case ChartMark::Kind::Evaluation:
      return painter->drawEllipse(QRectF(x, top, kFlagHeight, kFlagHeight));
    case ChartMark::Kind::Alert:
      return drawTriangle(painter, {x, top}, {x + kFlagWidth, top}, {x + kFlagWidth / 2, bottom});
  }
}

QString PlotMarks::textAt(const QPoint& position) const {
  const QRect rect = parentPlot()->axisRect()->rect();
  if (position.y() < rect.top() - 2 || position.y() > rect.top() + kFlagHeight + 4) return {};
  QStringList lines;
  for (const Placed& one : marks_) {
    const double x = parentPlot()->xAxis->coordToPixel(one.step);
    if (position.x() < x - 3 || position.x() > x + kFlagWidth + 2) continue;
    if (lines.size() == kMaxLines) {
      lines.append(QStringLiteral("…"));
      break;
    }
    lines.append(textOf(one));
  }
  return lines.join(QLatin1Char('\n'));
}

QString PlotMarks::spokenText(double from, double to) const {
  QStringList parts;
  for (const Placed& one : marks_) {
    if (one.step < from || one.step > to) continue;
    if (parts.size() == kMaxSpoken) {
      parts.append(QStringLiteral("…"));
      break;
    }
    parts.append(textOf(one) + QLatin1Char('.'));
  }
  return parts.join(QLatin1Char(' '));
}

}  // namespace lockstep
