// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/rank_curves.h"

#include <qcustomplot.h>

#include <cmath>
#include <limits>
#include <span>

#include "metrics/smoothing.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr double kGhost = 0.28;  // opacity of a raw curve behind its smoothed one

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

ValueBounds valuesOf(std::span<const PixelSpan> spans, const PixelGrid& grid, bool isLog) {
  ValueBounds values;
  for (const auto& span : spans) {
    if (span.x < grid.from || span.x > grid.to || !std::isfinite(span.last)) continue;
    if (!isLog || span.min > 0) values.add(span.min);
    if (!isLog || span.max > 0) values.add(span.max);
  }
  return values;
}

}  // namespace

RankCurves::RankCurves(QCustomPlot& plot) : plot_(plot), gaps_(plot.addGraph()) {
  gaps_->setLineStyle(QCPGraph::lsNone);
}

void RankCurves::setPalette(const QPalette& palette) {
  palette_ = palette;
  gaps_->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssCross, QPen(errorColor(palette), 1.5), Qt::NoBrush, 7));
  for (const auto& [key, curve] : curves_) applyColors(key.first, curve);
}

void RankCurves::setSmoothing(double weight) {
  smoothing_ = weight;
  for (const auto& [key, curve] : curves_) applyColors(key.first, curve);
}

void RankCurves::applyColors(Rank rank, const Curve& curve) const {
  const QColor color = rankColor(rank, palette_);
  QColor ghost = color;
  ghost.setAlphaF(static_cast<float>(kGhost));
  curve.raw->setPen(QPen(smoothing_ > 0 ? ghost : color, smoothing_ > 0 ? 1.2 : 1.6, rankPenStyle(rank)));
  curve.smooth->setPen(QPen(color, 1.8, rankPenStyle(rank)));
}

RankCurves::Curve& RankCurves::curveOf(Rank rank, int attempt) {
  auto [place, isNew] = curves_.try_emplace({rank, attempt});
  if (isNew) {
    place->second = {plot_.addGraph(), plot_.addGraph()};
    applyColors(rank, place->second);
  }
  return place->second;
}

void RankCurves::clear() {
  gaps_->data()->clear();
  for (auto& [key, curve] : curves_) {
    curve.raw->data()->clear();
    curve.smooth->data()->clear();
  }
}

ValueBounds RankCurves::draw(const MetricStore& samples, std::string_view metric, Rank rank,
                             const PixelGrid& grid, bool isLog) {
  const auto spans = samples.spans(metric, rank, grid.from, grid.to, grid.pixels);
  const auto smooth = smoothed(spans, smoothing_, grid.to - grid.from);
  for (std::size_t first = 0; first < spans.size();) {
    const int attempt = spans[first].attempt;
    std::size_t end = first;
    while (end < spans.size() && spans[end].attempt == attempt) ++end;
    const auto part = [=](const std::vector<PixelSpan>& all) {
      return std::span(all).subspan(first, end - first);
    };
    Curve& curve = curveOf(rank, attempt);
    curve.raw->data()->set(pointsOf(part(spans), isLog), true);
    // Where each column of pixels has extremes of its own, lines stand side by side: they have no edges to be smoothed.
    curve.raw->setAntialiased(end - first < static_cast<std::size_t>(grid.pixels) / 2);
    // A single sample has no line to be seen.
    curve.raw->setScatterStyle(end - first == 1 ? QCPScatterStyle(QCPScatterStyle::ssDisc, 6)
                                                : QCPScatterStyle());
    if (smoothing_ > 0) curve.smooth->data()->set(pointsOf(part(smooth), isLog), true);
    first = end;
  }
  return valuesOf(spans, grid, isLog);
}

void RankCurves::markGaps(double at) {
  QVector<QCPGraphData> marks;
  for (const auto& [key, curve] : curves_)
    for (const auto& point : *curve.raw->data())
      if (std::isnan(point.value)) marks.append({point.key, at});
  gaps_->data()->set(marks);
}

}  // namespace lockstep
