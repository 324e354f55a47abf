// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "metrics/metric_store.h"
#include "runs/run_summary.h"
#include "runs/training_run.h"

namespace lockstep {

/// One of the runs that are laid beside each other. Parts that are not known are empty.
struct ComparedRun {
  TrainingRun run;
  RunMarks marks;
  std::string codeDifference;      // RunStore::difference()
  std::vector<RunResult> results;  // sorted by metric
  std::optional<double> perHour;   // RunSummary::perHour
  std::string currency;
  std::shared_ptr<const MetricStore> samples;  // null: not read
};
inline constexpr std::size_t kMostCompared = 20;

/// How a run is called among others: its name, or its id where two of them have the same name.
[[nodiscard]] std::vector<std::string> labelsOf(const std::vector<ComparedRun>& runs);
/// What any of them has a result of, in the order of the catalogue, then the scripts' own.
[[nodiscard]] std::vector<std::string> metricsOf(const std::vector<ComparedRun>& runs);
/// What says most of how good the runs are: of a loss, the mean loss, the accuracy the first that most of them have; else the
/// first of metricsOf(); empty: none has anything.
[[nodiscard]] std::string mainMetricOf(const std::vector<ComparedRun>& runs);

}  // namespace lockstep
