// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPalette>
#include <span>

#include "metrics/rank_spread.h"
#include "widgets/metrics/charts/value_bounds.h"

class QCPGraph;
class QCustomPlot;

namespace lockstep {

/// How many ranks lie: a light band of all their samples, a stronger one from the 10th percentile to the 90th, and the
/// median as a line. A column without a value is a gap. UI thread.
class RankBand {
 public:
  /// Its graphs belong to `plot`, which must outlive it.
  explicit RankBand(QCustomPlot& plot);

  void setPalette(const QPalette& palette);
  /// Of the median. 0: off.
  void setSmoothing(double weight) { smoothing_ = weight; }
  void clear();
  /// What is not positive has no place on a logarithmic axis: there a band ends at the bottom. Returns what values are
  /// in sight.
  ValueBounds draw(std::span<const RankSpread> spreads, const PixelGrid& grid, bool isLog);

 private:
  QCPGraph* max_;
  QCPGraph* min_;
  QCPGraph* p90_;
  QCPGraph* p10_;
  QCPGraph* median_;
  double smoothing_ = 0;
};

}  // namespace lockstep
