// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "metrics/metric_sample.h"
#include "metrics/metric_store.h"

namespace lockstep {

/// The samples of a training run as the trainer leaves it: `steps` steps of `ranks` ranks.
inline std::vector<MetricSeriesBatch> madeUpMetrics(int ranks, Step steps, bool withGpu = false) {
  std::vector<MetricSeriesBatch> batches;
  const TimePoint begin =
      std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now()) -
      std::chrono::milliseconds(40 * steps);
  const auto series = [&](std::string_view name, int rank, auto value) {
    MetricSeriesBatch batch{std::string(name), Rank(rank), {}};
    for (Step i = 0; i < steps; ++i)
      batch.points.push_back({i, begin + std::chrono::milliseconds(40 * i), value(static_cast<double>(i))});
    batches.push_back(std::move(batch));
  };
  for (int rank = 0; rank < ranks; ++rank) {
    const double r = rank;
    series(metric::kLoss, rank, [r](double i) {
      return 0.4 + 1.9 * std::exp(-i / 160) + 0.12 * std::sin(i * 1.7 + r * 2) * std::cos(i * 0.37 + r) +
             0.05 * r;
    });
    series(metric::kSamplesPerSecond, rank,
           [r](double i) { return 640 + 30 * std::sin(i * 0.9 + r) - 18 * r; });
    series(metric::kCpuPercent, rank, [r](double i) { return 62 + 9 * std::sin(i * 0.5 + r * 1.3) + 4 * r; });
    series(metric::kMemoryBytes, rank, [r](double i) { return 2.1e8 + 1e5 * i + 1e6 * r; });
    if (withGpu)
      series(metric::kGpuPercent, rank, [r](double i) { return 91 - 5 * r + 3 * std::sin(i * 0.3); });
  }
  return batches;
}

inline std::shared_ptr<const MetricStore> samplesOf(const std::vector<MetricSeriesBatch>& batches) {
  MetricStore store;
  store.add(batches);
  return store.snapshot();
}

}  // namespace lockstep
