// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/smoothing.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

/// Values of one attempt that no gap interrupts.
struct Stretch {
  std::vector<double> x, value;
};

double middleOf(const PixelSpan& span) {
  return span.min == span.max ? span.last : (span.min + span.max) / 2;
}

/// `kept(distance)`: what share of its weight what came before keeps.
template <class Kept>
std::vector<double> movingAverage(const Stretch& part, Kept kept) {
  std::vector<double> result;
  result.reserve(part.x.size());
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < part.x.size(); ++i) {
    const double share = i == 0 ? 0 : kept(std::max(part.x[i] - part.x[i - 1], 0.0));
    sum = share * sum + part.value[i];
    total = share * total + 1;
    result.push_back(sum / total);
  }
  return result;
}

std::vector<double> timeWeighted(const Stretch& part, double amount, double visibleRange) {
  // The square root makes the upper end of the scale usable: 0.99 is strong, 0.5 is gentle.
  const double perStep = std::log(std::min(std::sqrt(amount), 0.999));
  const double scale = perStep * (visibleRange > 0 ? 1000.0 / visibleRange : 1.0);
  return movingAverage(part, [scale](double distance) { return std::exp(scale * distance); });
}

/// Calls `visit(i, first, end)`: around value i those of [first, end) are no further away than `reach`.
template <class Visit>
void forEachWindow(const Stretch& part, double reach, Visit visit) {
  std::size_t first = 0, end = 0;
  for (std::size_t i = 0; i < part.x.size(); ++i) {
    while (part.x[first] < part.x[i] - reach) ++first;
    while (end < part.x.size() && part.x[end] <= part.x[i] + reach) ++end;
    visit(i, first, end);
  }
}

std::vector<double> gaussian(const Stretch& part, double deviation) {
  std::vector<double> result(part.x.size());
  const double scale = deviation > 0 ? -0.5 / (deviation * deviation) : 0;
  forEachWindow(part, 3 * deviation, [&](std::size_t i, std::size_t first, std::size_t end) {
    double sum = 0, total = 0;
    for (std::size_t k = first; k < end; ++k) {
      const double distance = part.x[k] - part.x[i];
      const double weight = std::exp(distance * distance * scale);
      sum += weight * part.value[k];
      total += weight;
    }
    result[i] = sum / total;
  });
  return result;
}

/// Moves a window over the values and keeps what is in it in order.
std::vector<double> runningMedian(const Stretch& part, double reach) {
  std::vector<double> result(part.x.size()), sorted;
  std::size_t from = 0, to = 0;
  forEachWindow(part, reach, [&](std::size_t i, std::size_t first, std::size_t end) {
    for (; to < end; ++to) sorted.insert(std::ranges::upper_bound(sorted, part.value[to]), part.value[to]);
    for (; from < first; ++from) sorted.erase(std::ranges::lower_bound(sorted, part.value[from]));
    const std::size_t half = sorted.size() / 2;
    result[i] = sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  });
  return result;
}

std::vector<double> averageOf(const Stretch& part, const Smoothing& how, double visibleRange) {
  const double amount = std::clamp(how.amount, 0.0, 0.999);
  const double range = std::isfinite(visibleRange) ? std::max(visibleRange, 0.0) : 0;
  switch (how.kind) {
    case SmoothingKind::None:
      break;
    case SmoothingKind::Debiased:
      return movingAverage(part, [amount](double) { return amount; });
    case SmoothingKind::TimeWeighted:
      return timeWeighted(part, amount, range);
    case SmoothingKind::Gaussian:
      return gaussian(part, amount * kWidestDeviation * range);
    case SmoothingKind::RunningMedian:
      return runningMedian(part, amount * kWidestReach * range);
  }
  return part.value;
}

}  // namespace

std::vector<PixelSpan> smoothed(std::span<const PixelSpan> spans, const Smoothing& how, double visibleRange) {
  std::vector<PixelSpan> result(spans.begin(), spans.end());
  if (!how.isOn()) return result;
  const auto isGap = [&](std::size_t i) { return !std::isfinite(middleOf(result[i])); };
  for (std::size_t first = 0; first < result.size();) {
    if (isGap(first)) {
      ++first;
      continue;
    }
    Stretch part;
    std::size_t end = first;
    for (; end < result.size() && result[end].attempt == result[first].attempt && !isGap(end); ++end) {
      part.x.push_back(result[end].x);
      part.value.push_back(middleOf(result[end]));
    }
    for (const double value : averageOf(part, how, visibleRange)) {
      PixelSpan& span = result[first++];
      span.min = span.max = span.last = span.first = value;
    }
  }
  return result;
}

}  // namespace lockstep
