// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <qcustomplot.h>

#include <QFont>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/metrics/charts/plot_texts.h"
#include "widgets/metrics/charts/step_ticker.h"

namespace lockstep {

class PlotMarks;

/// What is drawn of a chart: its quantities on their axes, the ticks below them, and marks. UI thread.
class ChartCanvas {
 public:
  /// What it draws belongs to `plot`, which must outlive it.
  explicit ChartCanvas(QCustomPlot& plot);
  ~ChartCanvas();

  void setSpec(const ChartSpec& spec);
  void setSamples(std::shared_ptr<const MetricStore> samples);
  void setColors(const QPalette& colors, const QFont& font);
  void setLogScale(bool on);
  void setXAxis(ChartXAxis axis);
  void setMarks(std::vector<ChartMark> marks);
  /// What the next picture is drawn with; its grid, colours and scale are set here.
  [[nodiscard]] PlotScene& scene() { return scene_; }

  /// Of all quantities. Empty: there is no sample.
  [[nodiscard]] const ValueBounds& steps() const { return steps_; }
  [[nodiscard]] const PlottedQuantities& quantities() const { return quantities_; }
  [[nodiscard]] const std::shared_ptr<const MetricStore>& samples() const { return samples_; }
  [[nodiscard]] const PlotMarks& marks() const { return *marks_; }
  /// Absent: it was not measured.
  [[nodiscard]] std::optional<StepScale> scaleOf(ChartXAxis axis) const;
  /// What stands below the chart now: steps, where the other is not measured.
  [[nodiscard]] ChartXAxis shownAxis() const;
  /// What of that is reached at a step; empty for steps.
  [[nodiscard]] QString reachedText(double step) const;
  /// When a step was done, by the first rank; the epoch of 1970 where nobody did.
  [[nodiscard]] TimePoint timeOf(double step) const;

  /// Computes what these steps and `around` of them (a share) on either side show. False: it is over before that is done.
  bool prepare(const QCPRange& steps, double around, const SpreadColumns::IsOver& isOver,
               SpreadColumns::Pieces pieces);
  /// Whether there is anything to draw of each quantity that was measured.
  [[nodiscard]] bool hasPicture() const;
  /// Draws what is known of them.
  void draw(const QCPRange& steps);
  /// The value axes stay as they are, or as these pixels are; or follow the values again.
  void fixValues(int top, int bottom);
  void followValues() { fixed_.reset(); }
  [[nodiscard]] bool areValuesFixed() const { return fixed_.has_value(); }

 private:
  [[nodiscard]] bool hasRightAxis() const;
  void setGrid(const QCPRange& steps);
  void fit(QCPAxis* axis, ValueAxis side, const std::vector<ValueBounds>& values);
  void placeMarks();

  QCustomPlot& plot_;
  ChartSpec spec_;
  std::shared_ptr<const MetricStore> samples_ = std::make_shared<const MetricStore>();  // never null
  PlottedQuantities quantities_;
  QSharedPointer<StepTicker> ticker_;
  PlotMarks* marks_;
  std::vector<ChartMark> wantedMarks_;
  PlotScene scene_;
  ValueBounds steps_;
  ChartXAxis axis_ = ChartXAxis::Steps;
  bool isScaleOld_ = false;
  std::optional<std::pair<QCPRange, QCPRange>> fixed_;  // left, right
};

}  // namespace lockstep
