// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"

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

/// What a chart shows: one to kMostLines quantities over the same steps.
struct ChartSpec {
  static constexpr std::size_t kMostLines = 6;

  QString title;  // empty: that of the first quantity
  std::vector<ChartLine> lines;
};

/// What is written below a chart. Charts share steps whatever they write there (PlotView).
enum class ChartXAxis { Steps, Epochs, RelativeTime, WallTime, Samples };

/// Averages that are drawn over the measured curve (metrics/smoothing.h).
enum class SmoothingKind { None, Debiased, TimeWeighted, Gaussian, RunningMedian };

struct ChartSmoothing {
  SmoothingKind kind = SmoothingKind::None;
  double amount = 0;  // [0, 1); 0: off
  bool operator==(const ChartSmoothing&) const = default;
};

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
