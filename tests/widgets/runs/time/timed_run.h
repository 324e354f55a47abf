// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "metrics/metric_store.h"

namespace lockstep {

inline const TimePoint kRunBegin{std::chrono::seconds(1'700'000'000)};

/// Steps of 100 ms; with `again` steps from 50 on once more, half a minute later.
inline std::shared_ptr<const MetricStore> timedRun(int ranks, Step steps, Step again = 0,
                                                   std::chrono::nanoseconds aheadOfRank1 = {}) {
  MetricStore store;
  for (int rank = 0; rank < ranks; ++rank) {
    MetricSeriesBatch batch{std::string(metric::kStepMs), Rank(rank), {}};
    const auto ahead = rank == 1 ? aheadOfRank1 : std::chrono::nanoseconds(0);
    const auto add = [&](Step step, TimePoint time) { batch.points.push_back({step, time + ahead, 100}); };
    for (Step step = 0; step < steps; ++step)
      add(step, kRunBegin + (step + 1) * std::chrono::milliseconds(100));
    const TimePoint second = kRunBegin + steps * std::chrono::milliseconds(100) + std::chrono::seconds(30);
    for (Step step = 0; step < again; ++step) add(50 + step, second + step * std::chrono::milliseconds(100));
    store.add(batch);
  }
  return store.snapshot();
}

}  // namespace lockstep
