// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPalette>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "metrics/drawing/kept_spans.h"
#include "metrics/drawing/spread_columns.h"
#include "widgets/metrics/charts/chart_spec.h"
#include "widgets/metrics/charts/value_bounds.h"

class QCustomPlot;

namespace lockstep {

class ColumnPlottable;

/// What all quantities of a chart are drawn with.
struct PlotScene {
  PixelGrid grid;  // the steps in sight, in the pixels of the plot
  Smoothing smoothing;
  bool isLog = false;
  QPalette colors;
  std::set<Rank> hidden, chosen;
  std::map<Rank, TimePoint> stale;  // of which nothing comes any more, and since when
  std::optional<TimePoint> end;     // nothing later is drawn
};

/// What is drawn of the ranks that are not hidden.
struct PlottedRanks {
  std::shared_ptr<const MetricStore> samples = std::make_shared<const MetricStore>();  // never null
  std::vector<Rank> all;            // that have a sample of the quantity
  std::vector<Rank> curves;         // with a curve of their own, ascending
  std::vector<RankSpread> spreads;  // of all that are not hidden, a column each; empty: there is no band
  std::size_t banded = 0;           // ranks in the band
  std::map<Rank, TimePoint> stale;  // of those that are not hidden, as in the scene
  std::optional<TimePoint> end;

  /// The newest sample of a rank, and the one nearest to a step; none that is later than `end`.
  [[nodiscard]] std::optional<MetricPoint> newest(const PlotQuantity& quantity, Rank rank) const;
  [[nodiscard]] std::optional<MetricPoint> nearest(const PlotQuantity& quantity, Rank rank,
                                                   double step) const;
};

/// One quantity of a chart: of up to kMaxCurves ranks a curve each; of more their median, a band if it is the first of the
/// chart, and curves of those that are chosen or, likewise, lie apart. UI thread.
class PlottedQuantity {
 public:
  static constexpr std::size_t kMaxCurves = 16;
  static constexpr std::size_t kMaxOutliers = 4;

  /// `place` of `count` quantities. What it draws belongs to the plot, which must outlive it.
  PlottedQuantity(QCustomPlot& plot, ChartLine line, std::size_t place, std::size_t count);
  ~PlottedQuantity();

  [[nodiscard]] const ChartLine& line() const { return line_; }
  [[nodiscard]] const PlottedRanks& ranks() const { return ranks_; }
  /// How its curves are dashed, where a chart has several quantities; else as the ranks are.
  [[nodiscard]] std::vector<double> dashes() const;
  /// The first and the last step at which it has a sample.
  [[nodiscard]] const std::optional<std::pair<Step, Step>>& steps() const { return steps_; }

  void setSamples(std::shared_ptr<const MetricStore> samples);
  /// Computes what `scene` shows, and `around` (a share of what is in sight) on either side. False: it is over before that
  /// is done, and draw() draws what stands in for the rest.
  bool prepare(const PlotScene& scene, double around, const SpreadColumns::IsOver& isOver,
               SpreadColumns::Pieces pieces);
  /// Whether draw() has anything to draw of what there is, however coarse.
  [[nodiscard]] bool hasPicture(const PlotScene& scene) const;
  /// Which values are in sight.
  ValueBounds draw(const PlotScene& scene);
  [[nodiscard]] std::vector<Rank> visibleRanks(const PlotScene& scene) const;

 private:
  bool prepareCurves(const PlotScene& scene, double around, const std::vector<Rank>& ranks,
                     const SpreadColumns::IsOver& isOver);
  [[nodiscard]] std::vector<PixelSpan> spansOf(const PlotScene& scene, Rank rank);
  void lookAtEnd(const PlotScene& scene, const std::vector<Rank>& ranks);
  [[nodiscard]] bool isBanded(const std::vector<Rank>& ranks) const { return ranks.size() > kMaxCurves; }
  ValueBounds drawMany(const PlotScene& scene);
  ValueBounds drawCurve(const PlotScene& scene, Rank rank);
  void drawAttempt(const PlotScene& scene, Rank rank, std::span<const PixelSpan> raw,
                   std::span<const PixelSpan> smooth);
  void markEnd(const PlotScene& scene, Rank rank, std::span<const PixelSpan> drawn);
  [[nodiscard]] std::vector<Rank> outliers(const std::vector<Rank>& ranks);

  ChartLine line_;
  std::size_t place_, count_;
  ColumnPlottable* drawing_;
  SpreadColumns columns_;
  std::map<Rank, KeptSpans> curves_;
  PlottedRanks ranks_;
  std::optional<std::pair<Step, Step>> steps_;
  std::vector<int> attempts_;  // of each visible rank, those that had begun by the end; empty: all
  std::map<Rank, MetricStore::Reached> ends_;  // how far each visible rank is drawn, where there is an end
  std::optional<std::vector<Rank>> apart_;     // of apartOf_; absent: not looked for yet
  std::vector<Rank> apartOf_;
};

}  // namespace lockstep
