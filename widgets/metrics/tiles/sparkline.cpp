// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/tiles/sparkline.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>

#include "metrics/rank_spread.h"
#include "widgets/common/text/number_text.h"
#include "widgets/metrics/charts/metric_texts.h"
#include "widgets/metrics/rank_views/view_colors.h"

namespace lockstep {
namespace {

std::optional<double> newestOf(const MetricStore& metrics, std::string_view name,
                               std::span<const Rank> ranks) {
  std::vector<MetricPoint> newest;
  for (const Rank rank : ranks)
    if (const auto last = metrics.last(name, rank)) newest.push_back(*last);
  std::ranges::stable_sort(newest, {}, &MetricPoint::time);
  std::vector<double> values;
  for (const MetricPoint& point : newest) values.push_back(point.value);
  const MetricInfo* const known = findMetric(name);
  return valueAcross(known != nullptr ? known->across : AcrossRanks::Mean, values);
}

void addOneRank(Sparkline& line, const MetricStore& metrics, std::string_view name, Rank rank, int pixels) {
  constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
  int attempt = 0;
  for (const PixelSpan& span : metrics.spans(name, rank, line.from, line.to, pixels)) {
    if (span.attempt != std::exchange(attempt, span.attempt))
      line.points.push_back({span.x, kGap, kGap, kGap});
    line.points.push_back({span.x, span.min, span.max, span.last});
  }
}

}  // namespace

Sparkline sparklineOf(const MetricStore& metrics, std::string_view name, std::span<const Rank> ranks,
                      const TileSteps& steps, int pixels) {
  Sparkline line;
  const auto all = metrics.steps(name);
  if (!all || ranks.empty()) return line;
  line.newest = newestOf(metrics, name, ranks);
  line.from = steps ? steps->first : static_cast<double>(all->first);
  line.to = steps ? steps->second : static_cast<double>(all->second);
  line.to = std::max(line.to, line.from + 1);
  if (ranks.size() == 1) {
    addOneRank(line, metrics, name, ranks.front(), pixels);
    return line;
  }
  for (const RankSpread& spread : spreadOverRanks(metrics, name, ranks, {line.from, line.to, pixels}))
    line.points.push_back({spread.x, spread.min, spread.max, spread.median});
  return line;
}

SparkRange rangeOf(std::string_view name, std::initializer_list<const Sparkline*> lines) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Sparkline* const line : lines)
    for (const SparkPoint& point : line->points) {
      if (!std::isfinite(point.low) || !std::isfinite(point.high)) continue;
      if (point.step < line->from || point.step > line->to) continue;
      low = std::min(low, point.low);
      high = std::max(high, point.high);
    }
  if (!(low <= high)) return {};
  if (const MetricInfo* const known = findMetric(name)) {
    if (known->axis.fromZero) low = std::min(low, 0.0);
    high = std::max(high, known->axis.atLeastTo);
  }
  const double least = std::max(std::fabs(high), 1e-9) * 1e-3;  // so that one value is not at the edge
  return high - low > least ? SparkRange{low, high} : SparkRange{low - least, high + least};
}

void paintSparkline(QPainter& painter, const QRectF& area, const Sparkline& line, const SparkRange& range,
                    const QColor& color) {
  const auto xOf = [&](double step) {
    return area.left() + (step - line.from) / (line.to - line.from) * area.width();
  };
  const auto yOf = [&](double value) {
    return area.bottom() - (value - range.low) / (range.high - range.low) * area.height();
  };
  QPainterPath middle;
  QColor extent = color;
  extent.setAlphaF(0.35F);
  painter.save();
  painter.setClipRect(area.adjusted(0, -1, 0, 1), Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(extent, 1));
  bool isGap = true;
  for (const SparkPoint& point : line.points) {
    const bool isValue = std::isfinite(point.low) && std::isfinite(point.high) && std::isfinite(point.middle);
    if (isValue) {
      const QPointF at(xOf(point.step), yOf(point.middle));
      if (yOf(point.low) - yOf(point.high) > 1)
        painter.drawLine(QPointF(at.x(), yOf(point.low)), QPointF(at.x(), yOf(point.high)));
      if (isGap)
        middle.moveTo(at);
      else
        middle.lineTo(at);
    }
    isGap = !isValue;
  }
  painter.setPen(QPen(color, 1.4));
  painter.drawPath(middle);
  painter.restore();
}

void paintUnmeasured(QPainter& painter, const QRectF& area, const QPalette& palette) {
  painter.fillRect(area, unmeasuredBrush(palette));
}

void paintPointed(QPainter& painter, const QRectF& area, const Sparkline& line,
                  const std::optional<Step>& step, const QColor& color) {
  if (!step || static_cast<double>(*step) < line.from || static_cast<double>(*step) > line.to) return;
  const double x =
      area.left() + (static_cast<double>(*step) - line.from) / (line.to - line.from) * area.width();
  painter.setPen(QPen(color, 1));
  painter.drawLine(QLineF(x, area.top(), x, area.bottom()));
}

std::optional<double> valueAt(const Sparkline& line, Step step) {
  const auto away = [step](const SparkPoint& point) {
    return std::fabs(point.step - static_cast<double>(step));
  };
  const auto nearest = std::ranges::min_element(line.points, {}, away);
  const bool isThere = nearest != line.points.end() && std::isfinite(nearest->middle);
  return isThere ? std::optional(nearest->middle) : std::nullopt;
}

QString newestText(std::string_view name, const Sparkline& line) {
  if (!line.newest) return QStringLiteral("–");
  const MetricInfo* const known = findMetric(name);
  return known != nullptr ? metricValueText(known->unit, *line.newest) : valueText(*line.newest);
}

}  // namespace lockstep
