// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "metrics/metric_store.h"
#include "runs/training_run.h"

namespace lockstep::cli {

/// What is known of one rank now. Absent: not measured (yet).
struct RankRow {
  std::optional<Rank> rank;  // absent for a parameter server
  std::string node;
  JobRunState state = JobRunState::Accepted;
  std::optional<Step> step;
  std::optional<double> loss, samplesPerSecond, accuracyPercent, gpuPercent, cpuPercent, memoryBytes;
};

/// One row per rank; nodes whose ranks have not reported yet have one row each.
[[nodiscard]] std::vector<RankRow> rankRows(const TrainingRun& run, const MetricStore& metrics);
[[nodiscard]] nlohmann::json toJson(const RankRow& row);
/// `phases`: what each rank does now, in a column of its own unless empty.
[[nodiscard]] std::string rankTable(const std::vector<RankRow>& rows,
                                    const std::map<Rank, std::string>& phases = {});

/// How far the run is: the smallest last step of its ranks, and of how many.
struct StepProgress {
  Step step = 0;  // steps done
  std::optional<Step> total;
  [[nodiscard]] double fraction() const;  // 0…1; 0 without a total
};
[[nodiscard]] StepProgress stepProgress(const MetricStore& metrics);
/// Over all ranks: the mean loss and the sum of the rates.
[[nodiscard]] std::optional<double> meanLoss(const std::vector<RankRow>& rows);
[[nodiscard]] std::optional<double> totalRate(const std::vector<RankRow>& rows);

}  // namespace lockstep::cli
