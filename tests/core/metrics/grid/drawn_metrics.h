// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <limits>
#include <random>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

/// A sample as it was drawn, for tests that go through all of them.
struct DrawnSample {
  Rank rank;
  Step step = 0;
  double value = 0;
};

/// Ranks with gaps, values that are none, late beginnings and, here and there, a restart.
inline std::vector<DrawnSample> drawSamples(std::mt19937_64& random, int ranks, Step steps) {
  const auto isDrawn = [&](double share) { return std::bernoulli_distribution(share)(random); };
  std::vector<DrawnSample> samples;
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank > 0 && isDrawn(0.1)) continue;
    const Step begin = isDrawn(0.2) ? steps / 3 : 0;
    for (Step step = begin; step < steps; ++step) {
      if (isDrawn(0.2)) continue;
      double value = std::normal_distribution(80.0, 4.0)(random);
      if (isDrawn(0.002)) value = std::numeric_limits<double>::quiet_NaN();
      if (isDrawn(0.001)) value = 1000;
      samples.push_back({Rank(rank), step, value});
      if (isDrawn(0.001)) step = std::max(begin, step - 50);  // goes on from the last checkpoint
    }
  }
  return samples;
}

inline MetricStore storeOf(const std::vector<DrawnSample>& samples, const char* name) {
  MetricStore store;
  std::chrono::nanoseconds time{};
  for (const DrawnSample& sample : samples)
    store.add(
        {name, sample.rank, {{sample.step, TimePoint(time += std::chrono::milliseconds(5)), sample.value}}});
  return store;
}

}  // namespace lockstep
