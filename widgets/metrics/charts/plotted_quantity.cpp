// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plotted_quantity.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/column_plottable.h"
#include "widgets/metrics/charts/rank_band.h"

namespace lockstep {
namespace {

constexpr float kGhost = 0.28F;      // opacity of a raw curve behind its smoothed one
constexpr double kLead = 0.25;       // of what is in sight: what an average at the edge looks at
constexpr int kPixelsPerColumn = 2;  // half the work, and a spike is wide enough to be seen
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// In widths of the line, as Qt has them.
std::vector<double> dashesOf(Qt::PenStyle style) {
  switch (style) {
    case Qt::DashLine:
      return {4, 2};
    case Qt::DotLine:
      return {1, 2};
    case Qt::DashDotLine:
      return {4, 2, 1, 2};
    default:
      return {};
  }
}

/// By shares of what is in sight; a pixel keeps its width, so that the columns are the same.
PixelGrid wider(const PixelGrid& grid, double before, double behind) {
  const auto evenPixels = [&](double share) { return 2 * static_cast<int>(grid.pixels * share / 2); };
  const double perPixel = grid.perPixel();
  return {grid.from - evenPixels(before) * perPixel, grid.to + evenPixels(behind) * perPixel,
          grid.pixels + evenPixels(before) + evenPixels(behind)};
}

/// With what averages at its edges look at.
PixelGrid withLead(const PlotScene& scene) {
  if (!scene.smoothing.isOn()) return scene.grid;
  const bool looksAhead =
      scene.smoothing.kind == SmoothingKind::Gaussian || scene.smoothing.kind == SmoothingKind::RunningMedian;
  return wider(scene.grid, kLead, looksAhead ? kLead : 0);
}

PixelGrid inColumns(const PixelGrid& grid) {
  return {grid.from, grid.to, std::max(1, grid.pixels / kPixelsPerColumn)};
}

/// A span as up to three points above each other: the eye sees every extreme, and the line goes on from the last value.
ColumnPlottable::Points pointsOf(std::span<const PixelSpan> spans, bool isLog) {
  ColumnPlottable::Points points(spans.size() * 3);
  auto* next = points.data();
  const auto drawable = [isLog](double value) { return isLog && !(value > 0) ? kNothing : value; };
  for (const PixelSpan& span : spans) {
    if (span.min != span.last) *next++ = {span.x, drawable(span.min)};
    if (span.max != span.last) *next++ = {span.x, drawable(span.max)};
    *next++ = {span.x, drawable(span.last)};
  }
  points.resize(static_cast<std::size_t>(next - points.data()));
  return points;
}

ValueBounds valuesOf(std::span<const PixelSpan> spans, const PlotScene& scene) {
  ValueBounds values;
  for (const PixelSpan& span : spans) {
    if (span.x < scene.grid.from || span.x > scene.grid.to || !std::isfinite(span.last)) continue;
    if (!scene.isLog || span.min > 0) values.add(span.min);
    if (!scene.isLog || span.max > 0) values.add(span.max);
  }
  return values;
}

}  // namespace

std::optional<MetricPoint> PlottedRanks::newest(const PlotQuantity& quantity, Rank rank) const {
  if (!end) return samples->last(quantity.metric, rank);
  const auto reached = samples->reachedAt(rank, *end);
  return reached ? samples->last(quantity.metric, rank, *reached) : std::nullopt;
}

std::optional<MetricPoint> PlottedRanks::nearest(const PlotQuantity& quantity, Rank rank, double step) const {
  const auto point = samples->nearest(quantity.metric, rank, step);
  return point && end && point->time > *end ? std::nullopt : point;
}

PlottedQuantity::PlottedQuantity(QCustomPlot& plot, ChartLine line, std::size_t place, std::size_t count)
    : line_(std::move(line)),
      place_(place),
      count_(count),
      drawing_(new ColumnPlottable(plot.xAxis, line_.axis == ValueAxis::Left ? plot.yAxis : plot.yAxis2)) {}

PlottedQuantity::~PlottedQuantity() {
  if (drawing_->parentPlot() != nullptr) drawing_->parentPlot()->removePlottable(drawing_);
}

std::vector<double> PlottedQuantity::dashes() const {
  static const std::vector<double> kDashes[] = {{},           {6, 3},  {1, 2},
                                                {6, 2, 1, 2}, {12, 4}, {6, 2, 1, 2, 1, 2}};
  static_assert(std::size(kDashes) == ChartSpec::kMaxLines);
  return kDashes[place_ % std::size(kDashes)];
}

void PlottedQuantity::setSamples(std::shared_ptr<const MetricStore> samples) {
  ranks_.samples = std::move(samples);
  curves_.clear();
  ranks_.all = ranks_.samples->ranks(line_.quantity.metric);
  steps_ = ranks_.samples->steps(line_.quantity.metric);
  apart_.reset();
}

std::vector<Rank> PlottedQuantity::visibleRanks(const PlotScene& scene) const {
  std::vector<Rank> visible = ranks_.all;
  std::erase_if(visible, [&](Rank rank) {
    return scene.hidden.contains(rank) || (scene.end && !ranks_.samples->reachedAt(rank, *scene.end));
  });
  return visible;
}

void PlottedQuantity::lookAtEnd(const PlotScene& scene, const std::vector<Rank>& ranks) {
  attempts_.clear();
  ends_.clear();
  if (ranks_.end != scene.end) apart_.reset();
  ranks_.end = scene.end;
  if (!scene.end) return;
  for (const Rank rank : ranks) {
    const auto reached = ranks_.samples->reachedAt(rank, *scene.end);
    ends_[rank] = *reached;
    attempts_.push_back(reached->attempt + 1);
  }
}

bool PlottedQuantity::prepare(const PlotScene& scene, double around, const SpreadColumns::IsOver& isOver,
                              SpreadColumns::Pieces pieces) {
  const std::vector<Rank> visible = visibleRanks(scene);
  lookAtEnd(scene, visible);
  if (!isBanded(visible)) return prepareCurves(scene, around, visible, isOver);
  columns_.setSource(ranks_.samples, line_.quantity.metric, visible, attempts_);
  const bool isFilled = columns_.fill(inColumns(wider(withLead(scene), around, around)), isOver, pieces);
  std::vector<Rank> curves = ranks_.curves;  // those that lie apart, as far as that is known
  std::ranges::copy_if(scene.chosen, std::back_inserter(curves),
                       [&](Rank rank) { return std::ranges::binary_search(visible, rank); });
  return prepareCurves(scene, around, curves, isOver) && isFilled;
}

bool PlottedQuantity::hasPicture(const PlotScene& scene) const {
  return !isBanded(visibleRanks(scene)) || columns_.isKnown();
}

// At least one curve is computed.
bool PlottedQuantity::prepareCurves(const PlotScene& scene, double around, const std::vector<Rank>& ranks,
                                    const SpreadColumns::IsOver& isOver) {
  if (scene.smoothing.isOn()) return true;
  const PixelGrid grid = wider(scene.grid, around, around);
  bool isFirst = true;
  for (const Rank rank : ranks) {
    KeptSpans& kept = curves_[rank];
    kept.setSource(ranks_.samples, line_.quantity.metric, rank);
    if (kept.isFine(grid)) continue;
    if (!std::exchange(isFirst, false) && isOver()) return false;
    kept.refine(grid);
  }
  return true;
}

// An average makes of each point the same, so they must not be denser in some places than in others.
std::vector<PixelSpan> PlottedQuantity::spansOf(const PlotScene& scene, Rank rank) {
  const PixelGrid grid = withLead(scene);
  if (scene.smoothing.isOn())
    return ranks_.samples->spans(line_.quantity.metric, rank, grid.from, grid.to, grid.pixels);
  KeptSpans& kept = curves_[rank];
  kept.setSource(ranks_.samples, line_.quantity.metric, rank);
  return kept.spans(grid);
}

ValueBounds PlottedQuantity::draw(const PlotScene& scene) {
  drawing_->clear();
  drawing_->setMarkColors(errorColor(scene.colors), cardColor(scene.colors));
  ranks_.spreads.clear();
  ranks_.curves = visibleRanks(scene);
  ranks_.stale.clear();
  for (const auto& [rank, since] : scene.stale)
    if (std::ranges::binary_search(ranks_.curves, rank)) ranks_.stale.emplace(rank, since);
  ranks_.banded = ranks_.curves.size();
  ValueBounds values;
  if (isBanded(ranks_.curves)) values = drawMany(scene);
  for (const Rank rank : ranks_.curves) values.add(drawCurve(scene, rank));
  return values;
}

ValueBounds PlottedQuantity::drawMany(const PlotScene& scene) {
  ranks_.spreads = columns_.columns(inColumns(withLead(scene)));
  if (scene.end) {
    Step farthest = 0;
    for (const auto& [rank, reached] : ends_) farthest = std::max(farthest, reached.step);
    std::erase_if(ranks_.spreads,
                  [&](const RankSpread& one) { return one.x > static_cast<double>(farthest); });
  }
  ValueBounds values;
  if (place_ == 0) values = addBand(*drawing_, ranks_.spreads, scene);
  values.add(addMedian(*drawing_, ranks_.spreads, scene, count_ > 1 ? dashes() : std::vector<double>()));
  const std::vector<Rank> apart = place_ == 0 ? outliers(ranks_.curves) : std::vector<Rank>();
  std::erase_if(ranks_.curves, [&](Rank rank) {
    return !scene.chosen.contains(rank) && std::ranges::find(apart, rank) == apart.end();
  });
  return values;
}

std::vector<Rank> PlottedQuantity::outliers(const std::vector<Rank>& ranks) {
  if (apart_ && apartOf_ == ranks) return *apart_;
  const auto valueOf = [this](Rank rank) {
    const auto newest = ranks_.newest(line_.quantity, rank);
    return newest ? std::optional(newest->value) : std::nullopt;
  };
  apart_ = outlyingRanks(ranks, valueOf, kMaxOutliers);
  apartOf_ = ranks;
  return *apart_;
}

ValueBounds PlottedQuantity::drawCurve(const PlotScene& scene, Rank rank) {
  auto spans = spansOf(scene, rank);
  if (const auto end = ends_.find(rank); end != ends_.end())
    std::erase_if(spans, [&last = end->second](const PixelSpan& span) {
      return span.attempt > last.attempt ||
             (span.attempt == last.attempt && span.x > static_cast<double>(last.step));
    });
  const auto smooth = smoothed(spans, scene.smoothing, scene.grid.to - scene.grid.from);
  for (std::size_t first = 0; first < spans.size();) {
    std::size_t end = first;
    while (end < spans.size() && spans[end].attempt == spans[first].attempt) ++end;
    drawAttempt(scene, rank, std::span(spans).subspan(first, end - first),
                std::span(smooth).subspan(first, end - first));
    first = end;
  }
  if (ranks_.stale.contains(rank)) markEnd(scene, rank, smooth);
  return valuesOf(spans, scene);
}

// Where the newest sample is in sight: else the curve goes on beyond the picture.
void PlottedQuantity::markEnd(const PlotScene& scene, Rank rank, std::span<const PixelSpan> drawn) {
  const auto newest = ranks_.newest(line_.quantity, rank);
  if (!newest || static_cast<double>(newest->step) > scene.grid.to) return;
  const auto isNumber = [&](const PixelSpan& span) {
    return std::isfinite(span.last) && (!scene.isLog || span.last > 0);
  };
  const auto last = std::find_if(drawn.rbegin(), drawn.rend(), isNumber);
  if (last != drawn.rend() && last->x >= scene.grid.from)
    drawing_->addEnd({last->x, last->last}, rankColor(rank, scene.colors));
}

void PlottedQuantity::drawAttempt(const PlotScene& scene, Rank rank, std::span<const PixelSpan> raw,
                                  std::span<const PixelSpan> smooth) {
  const QColor color = rankColor(rank, scene.colors);
  const bool isSmooth = scene.smoothing.isOn();
  const std::vector<double> pattern = count_ > 1 ? dashes() : dashesOf(rankPenStyle(rank));
  QColor ghost = color;
  ghost.setAlphaF(kGhost);
  ColumnPlottable::Line line{pointsOf(raw, scene.isLog), isSmooth ? ghost : color, isSmooth ? 1.2 : 1.6,
                             pattern};
  if (!scene.isLog)
    for (const auto& point : line.points)
      if (std::isnan(point.y)) drawing_->addGap(point.x);
  if (raw.size() == 1) drawing_->addDisc(line.points.back(), color);
  drawing_->add(std::move(line));
  if (isSmooth) drawing_->add(ColumnPlottable::Line{pointsOf(smooth, scene.isLog), color, 1.8, pattern});
}

}  // namespace lockstep
