// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/rank_band.h"

#include <cmath>
#include <limits>
#include <vector>

#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr float kOfAll = 0.16F, kOfMost = 0.30F;  // opacity
constexpr double kMedianWidth = 1.8;

using Part = double RankSpread::*;

/// What the axis can show of it at the bottom.
double leastOf(const ValueBounds& values, const PlotScene& scene) {
  if (!scene.isLog) return -std::numeric_limits<double>::infinity();
  return values.isEmpty() ? 1e-9 : values.low / 10;
}

ColumnPlottable::Points edgeOf(std::span<const RankSpread> spreads, Part part, double least) {
  ColumnPlottable::Points points;
  points.reserve(spreads.size());
  for (const RankSpread& spread : spreads) {
    const double value = spread.*part;
    points.push_back({spread.x, std::isnan(value) ? value : std::max(value, least)});
  }
  return points;
}

QColor faint(QColor color, float opacity) {
  color.setAlphaF(opacity);
  return color;
}

}  // namespace

ValueBounds addBand(ColumnPlottable& to, std::span<const RankSpread> spreads, const PlotScene& scene) {
  ValueBounds values;
  for (const RankSpread& spread : spreads) {
    if (spread.x < scene.grid.from || spread.x > scene.grid.to || spread.ranks == 0) continue;
    for (const double value : {spread.min, spread.median, spread.max})
      if (!scene.isLog || value > 0) values.add(value);
  }
  const double least = leastOf(values, scene);
  const QColor accent = accentColor(scene.colors);
  const auto edge = [&](Part part) { return edgeOf(spreads, part, least); };
  to.add(ColumnPlottable::Area{edge(&RankSpread::max), edge(&RankSpread::min), faint(accent, kOfAll)});
  to.add(ColumnPlottable::Area{edge(&RankSpread::p90), edge(&RankSpread::p10), faint(accent, kOfMost)});
  return values;
}

ValueBounds addMedian(ColumnPlottable& to, std::span<const RankSpread> spreads, const PlotScene& scene,
                      const std::vector<double>& dashes) {
  std::vector<PixelSpan> spans;
  spans.reserve(spreads.size());
  for (const RankSpread& s : spreads) spans.push_back({s.x, s.median, s.median, s.median, s.median, 0});
  spans = smoothed(spans, scene.smoothing, scene.grid.to - scene.grid.from);
  ValueBounds values;
  ColumnPlottable::Line line{{}, accentColor(scene.colors), kMedianWidth, dashes};
  for (const PixelSpan& span : spans) {
    const bool hasPlace = !scene.isLog || span.last > 0;
    if (hasPlace && std::isfinite(span.last) && span.x >= scene.grid.from && span.x <= scene.grid.to)
      values.add(span.last);
    line.points.push_back({span.x, hasPlace ? span.last : std::numeric_limits<double>::quiet_NaN()});
  }
  if (line.points.size() == 1) to.addDisc(line.points.front(), line.color);
  to.add(std::move(line));
  return values;
}

}  // namespace lockstep
