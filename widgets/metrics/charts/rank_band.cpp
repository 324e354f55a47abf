// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/rank_band.h"

#include <qcustomplot.h>

#include <cmath>
#include <vector>

#include "metrics/smoothing.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr float kOfAll = 0.16F, kOfMost = 0.30F;  // opacity

using Part = double RankSpread::*;

QVector<QCPGraphData> edgeOf(std::span<const RankSpread> spreads, Part part, double least) {
  QVector<QCPGraphData> points;
  points.reserve(static_cast<qsizetype>(spreads.size()));
  for (const RankSpread& spread : spreads) {
    const double value = spread.*part;
    points.append({spread.x, std::isnan(value) ? value : std::max(value, least)});
  }
  return points;
}

QVector<QCPGraphData> medianOf(std::span<const RankSpread> spreads, const PixelGrid& grid, double smoothing,
                               double least) {
  std::vector<PixelSpan> spans;
  spans.reserve(spreads.size());
  for (const RankSpread& s : spreads) spans.push_back({s.x, s.median, s.median, s.median, s.median, 0});
  if (smoothing > 0) spans = smoothed(spans, smoothing, grid.to - grid.from);
  QVector<QCPGraphData> points;
  points.reserve(static_cast<qsizetype>(spans.size()));
  for (const PixelSpan& span : spans)
    points.append({span.x, std::isnan(span.last) ? span.last : std::max(span.last, least)});
  return points;
}

ValueBounds valuesOf(std::span<const RankSpread> spreads, const PixelGrid& grid, bool isLog) {
  ValueBounds values;
  for (const RankSpread& spread : spreads) {
    if (spread.x < grid.from || spread.x > grid.to || spread.ranks == 0) continue;
    if (!isLog || spread.max > 0) values.add(spread.max);
    if (!isLog || spread.min > 0) values.add(spread.min);
    if (isLog && spread.min <= 0 && spread.median > 0) values.add(spread.median);
  }
  return values;
}

}  // namespace

RankBand::RankBand(QCustomPlot& plot)
    : max_(plot.addGraph()),
      min_(plot.addGraph()),
      p90_(plot.addGraph()),
      p10_(plot.addGraph()),
      median_(plot.addGraph()) {
  max_->setChannelFillGraph(min_);
  p90_->setChannelFillGraph(p10_);
  for (QCPGraph* edge : {max_, min_, p90_, p10_}) edge->setPen(Qt::NoPen);
}

void RankBand::setPalette(const QPalette& palette) {
  QColor all = accentColor(palette);
  QColor most = all;
  all.setAlphaF(kOfAll);
  most.setAlphaF(kOfMost);
  max_->setBrush(all);
  p90_->setBrush(most);
  median_->setPen(QPen(accentColor(palette), 1.8));
}

void RankBand::clear() {
  for (QCPGraph* graph : {max_, min_, p90_, p10_, median_}) graph->data()->clear();
}

ValueBounds RankBand::draw(std::span<const RankSpread> spreads, const PixelGrid& grid, bool isLog) {
  const ValueBounds values = valuesOf(spreads, grid, isLog);
  const double least =
      isLog ? (values.isEmpty() ? 1e-9 : values.low / 10) : -std::numeric_limits<double>::infinity();
  max_->data()->set(edgeOf(spreads, &RankSpread::max, least), true);
  min_->data()->set(edgeOf(spreads, &RankSpread::min, least), true);
  p90_->data()->set(edgeOf(spreads, &RankSpread::p90, least), true);
  p10_->data()->set(edgeOf(spreads, &RankSpread::p10, least), true);
  median_->data()->set(medianOf(spreads, grid, smoothing_, least), true);
  return values;
}

}  // namespace lockstep
