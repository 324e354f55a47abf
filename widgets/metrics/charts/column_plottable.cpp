// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/column_plottable.h"

#include <algorithm>
#include <cmath>

#include "widgets/metrics/charts/column_raster.h"

namespace lockstep {
namespace {

constexpr double kDisc = 3, kEnd = 4, kCross = 3.5;  // pixels
constexpr double kFarthestPixel = 1e5;

/// Calls `visit(first, end)` for the points between gaps.
template <class Visit>
void forEachPart(const ColumnPlottable::Points& points, Visit visit) {
  for (std::size_t first = 0; first < points.size();) {
    std::size_t end = first;
    while (end < points.size() && std::isfinite(points[end].y)) ++end;
    if (end > first) visit(first, end);
    first = std::max(end, first) + 1;
  }
}

QPen penOf(const ColumnPlottable::Line& line) {
  QPen pen(line.color, line.width);
  pen.setCapStyle(Qt::FlatCap);
  if (!line.dashes.empty()) pen.setDashPattern(QList<qreal>(line.dashes.begin(), line.dashes.end()));
  return pen;
}

}  // namespace

ColumnPlottable::ColumnPlottable(QCPAxis* steps, QCPAxis* values) : QCPAbstractPlottable(steps, values) {
  setSelectable(QCP::stNone);
}

void ColumnPlottable::clear() {
  areas_.clear();
  lines_.clear();
  discs_.clear();
  ends_.clear();
  gaps_.clear();
}

QPointF ColumnPlottable::pixelOf(const Point& point) const {
  const double y = mValueAxis->coordToPixel(point.y);
  return {mKeyAxis->coordToPixel(point.x), std::clamp(y, -kFarthestPixel, kFarthestPixel)};
}

/// From steps and values to the pixels of an image, without a question to the axes for each point where they are linear.
class ColumnPlottable::Places {
 public:
  Places(const ColumnPlottable& of, QPointF origin, double scale) : of_(of), origin_(origin), scale_(scale) {
    const QCPAxis *steps = of.mKeyAxis, *values = of.mValueAxis;
    isLinear_ = steps->scaleType() == QCPAxis::stLinear && values->scaleType() == QCPAxis::stLinear;
    if (!isLinear_) return;
    const auto perUnit = [scale](const QCPAxis* axis) {
      const QCPRange range = axis->range();
      return (axis->coordToPixel(range.upper) - axis->coordToPixel(range.lower)) * scale / range.size();
    };
    base_ = {steps->range().lower, values->range().lower};
    at_ = (QPointF(steps->coordToPixel(base_.x), values->coordToPixel(base_.y)) - origin) * scale;
    perStep_ = perUnit(steps);
    perValue_ = perUnit(values);
  }

  [[nodiscard]] QPointF of(const Point& point) const {
    if (!isLinear_) return (of_.pixelOf(point) - origin_) * scale_;
    const double y = at_.y() + (point.y - base_.y) * perValue_;
    return {at_.x() + (point.x - base_.x) * perStep_, std::clamp(y, -kFarthestPixel, kFarthestPixel)};
  }

 private:
  const ColumnPlottable& of_;
  QPointF origin_;
  double scale_;
  bool isLinear_ = false;
  Point base_;
  QPointF at_;
  double perStep_ = 0, perValue_ = 0;
};

bool ColumnPlottable::isDense(const Line& line) const {
  return line.points.size() > static_cast<std::size_t>(mKeyAxis->axisRect()->width()) / 3;
}

void ColumnPlottable::draw(QCPPainter* painter) {
  if (painter->modes().testFlag(QCPPainter::pmVectorized))
    drawShapes(painter);
  else
    drawColumns(painter);
  drawMarks(painter);
}

void ColumnPlottable::drawColumns(QCPPainter* painter) {
  const QRect rect = mKeyAxis->axisRect()->rect();
  const double scale = painter->device()->devicePixelRatioF();
  QImage image(rect.size() * scale, QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return;
  image.fill(Qt::transparent);
  const Places places(*this, rect.topLeft(), scale);
  const auto extentsOf = [&](const Points& points) {
    ColumnExtents extents(image.width());
    forEachPart(points, [&](std::size_t first, std::size_t end) {
      QPointF before;
      for (std::size_t i = first; i < end; ++i) {
        const QPointF at = places.of(points[i]);
        const QPointF from = i == first ? at : before;
        extents.addLine(from.x(), from.y(), at.x(), at.y());
        before = at;
      }
    });
    return extents;
  };
  for (const Area& area : areas_)
    fillBetween(image, extentsOf(area.upper), extentsOf(area.lower), area.color);
  for (const Line& line : lines_) {
    if (!isDense(line)) continue;
    std::vector<double> dashes = line.dashes;
    for (double& dash : dashes) dash *= line.width * scale;
    strokeColumns(image, extentsOf(line.points), line.width * scale, line.color, dashes);
  }
  image.setDevicePixelRatio(scale);
  painter->drawImage(rect.topLeft(), image);
  for (const Line& line : lines_)
    if (!isDense(line)) drawLine(painter, line);
}

void ColumnPlottable::drawShapes(QCPPainter* painter) {
  for (const Area& area : areas_) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(area.color);
    forEachPart(area.upper, [&](std::size_t first, std::size_t end) {
      QPolygonF outline;
      for (std::size_t i = first; i < end; ++i) outline.append(pixelOf(area.upper[i]));
      for (std::size_t i = end; i-- > first;) outline.append(pixelOf(area.lower[i]));
      painter->drawPolygon(outline);
    });
  }
  for (const Line& line : lines_) drawLine(painter, line);
}

void ColumnPlottable::drawLine(QCPPainter* painter, const Line& line) {
  painter->setAntialiasing(true);
  painter->setPen(penOf(line));
  painter->setBrush(Qt::NoBrush);
  forEachPart(line.points, [&](std::size_t first, std::size_t end) {
    QPolygonF part;
    for (std::size_t i = first; i < end; ++i) part.append(pixelOf(line.points[i]));
    painter->drawPolyline(part);
  });
}

void ColumnPlottable::drawMarks(QCPPainter* painter) {
  painter->setAntialiasing(true);
  painter->setPen(Qt::NoPen);
  for (const Disc& disc : discs_) {
    if (!std::isfinite(disc.at.y)) continue;
    painter->setBrush(disc.color);
    painter->drawEllipse(pixelOf(disc.at), kDisc, kDisc);
  }
  painter->setBrush(ground_);
  for (const Disc& end : ends_) {
    painter->setPen(QPen(end.color, 1.6));
    painter->drawEllipse(pixelOf(end.at), kEnd, kEnd);
  }
  painter->setPen(QPen(gapColor_, 1.5));
  const double bottom = mKeyAxis->axisRect()->bottom() - kCross - 1;
  double before = -kFarthestPixel;
  for (const double step : gaps_) {
    const double x = mKeyAxis->coordToPixel(step);
    if (x < before + 1) continue;  // one cross a pixel is enough
    before = x;
    painter->drawLine(QLineF(x - kCross, bottom - kCross, x + kCross, bottom + kCross));
    painter->drawLine(QLineF(x - kCross, bottom + kCross, x + kCross, bottom - kCross));
  }
}

}  // namespace lockstep
