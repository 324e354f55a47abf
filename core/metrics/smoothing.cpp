// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/smoothing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep {

std::vector<PixelSpan> smoothed(const std::vector<PixelSpan>& spans, double weight, double visibleRange) {
  if (!(weight > 0)) return spans;
  // The square root makes the upper end of the scale usable: 0.99 is strong, 0.5 is gentle.
  const double perStep = std::min(std::sqrt(weight), 0.999);
  const double scale = visibleRange > 0 ? 1000.0 / visibleRange : 1.0;
  std::vector<PixelSpan> result = spans;
  double sum = 0, total = 0, previous = 0;
  int attempt = 0;
  for (auto& span : result) {
    if (std::exchange(attempt, span.attempt) != span.attempt) sum = total = 0;
    if (!std::isfinite(span.last)) {
      sum = total = 0;
      continue;
    }
    const double middle = span.min == span.max ? span.last : (span.min + span.max) / 2;
    const double kept = total > 0 ? std::pow(perStep, std::max(span.x - previous, 0.0) * scale) : 0;
    sum = kept * sum + middle;
    total = kept * total + 1;
    previous = span.x;
    span.min = span.max = span.last = span.first = sum / total;
  }
  return result;
}

}  // namespace lockstep
