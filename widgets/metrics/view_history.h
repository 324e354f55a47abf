// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <vector>

#include "base/clock.h"
#include "widgets/metrics/charts/chart_spec.h"

namespace lockstep {

/// Which steps were in view before, and after: back and forward as in a browser. What follows within kTogether of the view
/// before is part of the same movement (a wheel turned, a chart dragged).
class ViewHistory {
 public:
  static constexpr std::size_t kMost = 100;
  static constexpr std::chrono::milliseconds kTogether{700};

  /// The user has gone there; what was forward is forgotten.
  void note(const PlotView& view, SteadyPoint now);
  [[nodiscard]] bool hasBack() const { return at_ > 0; }
  [[nodiscard]] bool hasForward() const { return at_ + 1 < views_.size(); }
  /// The view to show now; the present one where there is none before, or behind.
  PlotView back();
  PlotView forward();
  void clear();

 private:
  std::vector<PlotView> views_{PlotView{}};
  std::size_t at_ = 0;
  SteadyPoint noted_{};
  bool isMoving_ = false;  // the present view came by a movement that may go on
};

}  // namespace lockstep
