// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "metrics/metric_writer.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {

inline constexpr int kEndedRanks = 3;
inline constexpr Step kEndedSteps = 40;

/// A run of three ranks and 40 steps that ended well, as the folder "Undefined" of a work dir.
inline void putEndedRun(const std::shared_ptr<ObjectStore>& workDir) {
  using namespace std::chrono_literals;
  for (int rank = 0; rank < kEndedRanks; ++rank) {
    MetricWriter writer(workDir, layout::metricsFolder("Undefined"), Rank(rank), kEndedRanks);
    for (Step step = 0; step < kEndedSteps; ++step)
      writer.record(
          step, TimePoint(480'000h + step * 1s),
          {{metric::kLoss, 1.0 / static_cast<double>(step + 1)}, {metric::kTotalSteps, double{kEndedSteps}}});
    ASSERT_TRUE(writer.flush(20s));
  }
  const auto put = [&workDir](const std::string& name, const std::string& text) {
    ASSERT_TRUE(workDir->put("Undefined/" + name, text, {}));
  };
  put("lockstep/run.json",
      R"({"nodes":3,"ranksPerNode":1,"worldSize":3,"started":"2024-10-04T00:00:00.000Z"})");
  put("lockstep/heartbeat.json", R"({"time":"2024-10-04T00:00:40.000Z","ranks":[],"waitingFor":[]})");
  put("stop", "stop");
}

/// Samples of the loss in what `lockstep metrics` printed.
inline long lossesIn(const std::string& csv) {
  long count = 0;
  for (std::size_t at = 0; (at = csv.find(",loss,", at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace lockstep
