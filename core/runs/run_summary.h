// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "runs/training_run.h"

namespace lockstep {

/// What a quantity came to in one run, over all its ranks.
struct RunResult {
  std::string metric;
  double last = 0;
  Step lastStep = 0;
  std::optional<double> best;  // absent: no value of it is better than another
  Step bestStep = 0;
  std::optional<double> mean, error;  // of the last part of the run: mean, and its standard error
  bool operator==(const RunResult&) const = default;
};

/// What goes on in a run that somebody should know of, as the last one who looked has found it. Nobody has looked where a run
/// has none of this.
struct RunFindings {
  int count = 0;
  std::string worst;               // the code of a FindingSeverity; empty: there is none
  std::vector<std::string> kinds;  // codes of FindingKinds, the worst first, each once
  bool operator==(const RunFindings&) const = default;
};

/// What people say about a run. Kept apart from what is known of it, so that following it changes none of this.
struct RunMarks {
  std::vector<std::string> tags;  // sorted, each once
  std::string note, group;
  bool isPinned = false, isArchived = false;
  bool operator==(const RunMarks&) const = default;
};

/// How long the nodes of a run have been there, together.
struct NodeTime {
  std::chrono::nanoseconds ended{};  // of those that have ended
  int live = 0;
  TimePoint liveSince{};  // the mean of when those began that still run
  [[nodiscard]] std::chrono::nanoseconds until(TimePoint now) const;
  bool operator==(const NodeTime&) const = default;
};

/// What lists show of a run and searches look at; everything of it stands in columns of the run store.
struct RunSummary {
  RunId id;
  std::string name, backend, profile, configFile, image, workDir, failure;
  JobId jobId;
  RunState state = RunState::Launching;
  TimePoint created{};
  std::optional<TimePoint> finished;
  int nodes = 0, jobRuns = 0;
  NodeTime nodeTime;
  bool cancelRequested = false;
  bool hasText = false;  // the train.yaml that it was launched from is known
  std::string commit;    // of its code; empty: not known
  bool isDirty = false;
  RunMarks marks;
  std::vector<RunResult> results;  // sorted by metric
  bool isPriced = false;           // somebody has looked for a price
  std::optional<double> perHour;   // of all its nodes; absent: not known
  std::string currency;
  std::optional<RunFindings> findings;  // absent: nobody has looked
  bool operator==(const RunSummary&) const = default;
};

/// Without marks, results, findings and price, which a TrainingRun does not have.
[[nodiscard]] RunSummary summaryOf(const TrainingRun& run);
/// The newer state of the same run with what people have said about it, what it came to, and what was found.
[[nodiscard]] RunSummary withNewState(RunSummary older, const TrainingRun& run);
/// Null: there is none.
[[nodiscard]] const RunResult* resultNamed(const std::vector<RunResult>& results, std::string_view metric);

/// How long the run has taken, or took.
[[nodiscard]] std::chrono::nanoseconds elapsedOf(const RunSummary& run, TimePoint now);

/// A document for --json: without results it says "results": {}.
[[nodiscard]] nlohmann::json toJson(const RunMarks& marks);
[[nodiscard]] nlohmann::json toJson(const std::vector<RunResult>& results);
/// {"count","worst","kinds"}; null: nobody has looked.
[[nodiscard]] nlohmann::json toJson(const std::optional<RunFindings>& findings);

}  // namespace lockstep
