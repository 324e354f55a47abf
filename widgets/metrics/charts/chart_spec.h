// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "metrics/drawing/step_scale.h"
#include "metrics/smoothing.h"

namespace lockstep {

/// A quantity of the ranks, as a chart shows it.
struct PlotQuantity {
  std::string metric;                   // its name in the store
  QString title;                        // "Loss"
  std::function<QString(double)> text;  // a value with its unit, for the readout
  bool fromZero = false;                // the value axis begins at 0
  double atLeastTo = 0;                 // and reaches at least this far; 0: as far as the data do
};

enum class ValueAxis { Left, Right };

struct ChartLine {
  PlotQuantity quantity;
  ValueAxis axis = ValueAxis::Left;
};

/// What a chart shows: one to kMaxLines quantities over the same steps.
struct ChartSpec {
  static constexpr std::size_t kMaxLines = 6;

  QString title;  // empty: those of the quantities
  std::vector<ChartLine> lines;

  ChartSpec() = default;
  ChartSpec(QString title_, std::vector<ChartLine> lines_)
      : title(std::move(title_)), lines(std::move(lines_)) {}
  /// One quantity, under its own title.
  explicit ChartSpec(PlotQuantity quantity) { lines.push_back({std::move(quantity)}); }

  /// "Loss", "Loss, GPU utilization, %": for what is read aloud and for menus.
  [[nodiscard]] QString name() const;
};

/// What is written below a chart. Charts share steps whatever they write there (PlotView).
using ChartXAxis = StepUnit;

/// An average that is drawn over the measured curve.
using ChartSmoothing = Smoothing;

/// Something that happened in the run: a line through the charts. Without a step it stands at the step that was done then.
struct ChartMark {
  enum class Kind { Checkpoint, Restart, Evaluation, Alert };

  TimePoint time{};
  std::optional<Step> step;
  QString text;  // plain
  Kind kind = Kind::Checkpoint;
};

/// The moment that all charts of a run point at.
struct ChartCursor {
  Step step = 0;
  TimePoint time{};
  bool operator==(const ChartCursor&) const = default;
};

/// Which steps the charts of a run show.
struct PlotView {
  bool showsAll = true;      // from the first to the newest
  bool isFollowing = false;  // a window of this width that ends at the newest step
  double from = 0, to = 1;
  bool operator==(const PlotView&) const = default;
};

}  // namespace lockstep
