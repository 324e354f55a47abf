// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QPalette>
#include <QRectF>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric_store.h"

class QPainter;

namespace lockstep {

/// The steps [from, to]; absent: all of the run.
using TileSteps = std::optional<std::pair<double, double>>;

/// A place in a sparkline: a step, and from the smallest to the largest value of a pixel there. NaN: a gap.
struct SparkPoint {
  double step = 0, low = 0, high = 0, middle = 0;
};

/// One line without axes.
struct Sparkline {
  double from = 0, to = 1;         // steps
  std::vector<SparkPoint> points;  // by step, attempt after attempt
  std::optional<double> newest;    // one number of all ranks, as the catalogue says (AcrossRanks)

  [[nodiscard]] bool isMeasured() const { return newest.has_value(); }
};

/// One quantity of some ranks: of one rank its own values, of more their median, with the extremes of all. Cost: pixels x ranks.
[[nodiscard]] Sparkline sparklineOf(const MetricStore& metrics, std::string_view name,
                                    std::span<const Rank> ranks, const TileSteps& steps, int pixels);

/// The lowest and the highest value of the lines; where there is none, 0 and 1.
struct SparkRange {
  double low = 0, high = 1;
};
[[nodiscard]] SparkRange rangeOf(std::string_view name, std::initializer_list<const Sparkline*> lines);

void paintSparkline(QPainter& painter, const QRectF& area, const Sparkline& line, const SparkRange& range,
                    const QColor& color);
/// A line at that step, if it is one of these.
void paintPointed(QPainter& painter, const QRectF& area, const Sparkline& line,
                  const std::optional<Step>& step, const QColor& color);
/// Hatched, as what was not measured is everywhere.
void paintUnmeasured(QPainter& painter, const QRectF& area, const QPalette& palette);

/// The middle at the pixel nearest to that step; nothing: there is none, or it is a gap.
[[nodiscard]] std::optional<double> valueAt(const Sparkline& line, Step step);

/// "97 %"; "–" where nothing was measured.
[[nodiscard]] QString newestText(std::string_view name, const Sparkline& line);

}  // namespace lockstep
