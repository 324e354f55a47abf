// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPalette>
#include <map>
#include <utility>

#include "metrics/metric_store.h"
#include "widgets/metrics/charts/value_bounds.h"

class QCPGraph;
class QCustomPlot;

namespace lockstep {

/// A curve for each attempt of some ranks, in the ranks' colours: what a restart repeats is drawn beside it. Every
/// extreme can be seen; where a value is no number the curve has a gap, with a cross below it. UI thread.
class RankCurves {
 public:
  /// Its graphs belong to `plot`, which must outlive it.
  explicit RankCurves(QCustomPlot& plot);

  void setPalette(const QPalette& palette);
  /// 0: off. With smoothing the raw curve stays as a ghost behind.
  void setSmoothing(double weight);
  void clear();
  /// The steps of `grid`; what is not positive has no place on a logarithmic axis. Returns what values are in sight.
  ValueBounds draw(const MetricStore& samples, std::string_view metric, Rank rank, const PixelGrid& grid,
                   bool isLog);
  /// The crosses, at this value.
  void markGaps(double at);

 private:
  struct Curve {
    QCPGraph* raw = nullptr;
    QCPGraph* smooth = nullptr;
  };
  Curve& curveOf(Rank rank, int attempt);
  void applyColors(Rank rank, const Curve& curve) const;

  QCustomPlot& plot_;
  QCPGraph* gaps_;
  QPalette palette_;
  double smoothing_ = 0;
  std::map<std::pair<Rank, int>, Curve> curves_;  // by rank and attempt
};

}  // namespace lockstep
