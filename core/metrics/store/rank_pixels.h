// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <vector>

#include "metrics/store/rank_columns.h"

namespace lockstep {

/// The steps [from, to] in `pixels` columns.
struct PixelGrid {
  double from = 0, to = 1;
  int pixels = 1;

  [[nodiscard]] bool isEmpty() const { return pixels <= 0 || !(from <= to); }
  [[nodiscard]] double perPixel() const;
  /// -1 and pixels+1: before and behind all of them.
  [[nodiscard]] int pixelOf(Step step) const;
};

/// What one attempt of a rank has in one column of pixels.
struct PixelPart {
  int attempt = 0;  // from 0
  int pixel = 0;
  ValueSummary values;
  Step first = 0, last = 0;  // samples, of whatever value
  Step lastFinite = 0;       // first: no value is finite
};

/// Calls `visit` for each column that has samples of a quantity, attempt by attempt, columns ascending; and, as columns of
/// their own, the nearest sample on either side. What is coarse counts in each column that a bucket of it reaches. Cost: the
/// columns or the samples in sight, whichever are fewer, and one look at each chunk (4,096 rows).
void forEachPixel(const RankColumns& table, std::uint32_t id, const PixelGrid& grid,
                  const std::function<void(const PixelPart&)>& visit);

/// One value per pixel column for drawing: the extremes, the first and the last point of what falls into it.
struct PixelSpan {
  double x = 0;  // step
  double min = 0, max = 0, last = 0, first = 0;
  int attempt = 0;  // a line goes from span to span of one attempt
};

/// As spans. What is not finite is no value: it gives a span of NaNs, a gap, before or behind the values beside it.
[[nodiscard]] std::vector<PixelSpan> pixelSpans(const RankColumns& table, std::uint32_t id,
                                                const PixelGrid& grid);

}  // namespace lockstep
