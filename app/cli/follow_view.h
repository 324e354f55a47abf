// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "diagnosis/diagnosis.h"
#include "launch/run_services.h"
#include "logs/log_filter.h"
#include "metrics/metric_store.h"
#include "output.h"
#include "rank_rows.h"

namespace lockstep::cli {

struct FollowOptions {
  LogFilter filter;
  std::optional<TimePoint> since;  // older lines are left out
  bool json = false;               // one document per line instead of text
  bool progress = false;           // a bar on a terminal, else now and then a line; on stderr
  bool stay = true;                // false: what is there now
  std::optional<std::chrono::nanoseconds> limit;
  /// After each look, with what was found if it was time to look for that; else null.
  std::function<void(const TrainingRun& run, const DiagnosisReport* report)> onLook = {};
};

enum class FollowEnd { Ended, Looked, Interrupted, TimedOut };

struct Followed {
  FollowEnd end = FollowEnd::Ended;
  TrainingRun run;
  MetricStore metrics;
  std::optional<Error> problem;  // of the last look, when it could not see the run's state
};

/// Prints a run's lines as they come, until it has ended, the user interrupts or the limit is over. Blocks.
Followed followRun(RunFollower& follower, const TrainingRun& run, const FollowOptions& options,
                   const std::stop_token& stop);

/// "12:03:04.567 worker_0 [1] text", rank in brackets where a rank printed it.
[[nodiscard]] std::string lineText(const LogLine& line);
[[nodiscard]] nlohmann::json toJson(const LogLine& line);

/// The run's end for people and scripts: table per rank, state, failure. Exit status 0, 1 or 4.
int printSummary(const TrainingRun& run, const MetricStore& metrics, bool json);
[[nodiscard]] int exitCodeOf(RunState state);
[[nodiscard]] Tone toneOf(RunState state);

}  // namespace lockstep::cli
