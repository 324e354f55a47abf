// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "launch/launcher.h"
#include "logs/log_source.h"
#include "metrics/metric_reader.h"

namespace lockstep {

/// What one look at a run brought.
struct RunUpdate {
  TrainingRun run;
  std::vector<LogLine> lines;                // new ones, time order
  std::vector<MetricSeriesBatch> metrics;    // new ones
  std::chrono::nanoseconds dataLag{};        // now minus the newest sample or line; zero before the first
  int unreadableSegments = 0;
  std::vector<Status> problems;              // a source that could not be read now; the others still were
  bool ended = false;  // terminal, and nothing more is going to come
};

/// Looks at a run: state, logs and metrics, each from where the last look ended. After the run has ended it goes on for
/// a few seconds until no late line comes. Blocks on the network; one owner thread, which decides how often.
class RunFollower {
 public:
  RunFollower(TrainingRun run, std::shared_ptr<Launcher> launcher, std::unique_ptr<LogSource> logs,
              std::unique_ptr<MetricReader> metrics, std::shared_ptr<Clock> clock);
  RunUpdate poll(const std::stop_token& stop);

 private:
  TrainingRun run_;
  std::shared_ptr<Launcher> launcher_;
  std::unique_ptr<LogSource> logs_;
  std::unique_ptr<MetricReader> metrics_;
  std::shared_ptr<Clock> clock_;
  std::optional<TimePoint> terminalSince_;
};

/// How long to wait between two looks: 1 s while running.
inline constexpr std::chrono::milliseconds kFollowInterval{1000};

}  // namespace lockstep
