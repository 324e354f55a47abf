// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <vector>

#include "diagnosis/diagnosis.h"
#include "health/run_health.h"
#include "history/run_price.h"
#include "launch/run_services.h"
#include "run_metrics.h"

namespace lockstep::cli {

/// What one look at a run tells.
struct RunStatus {
  TrainingRun run;
  MetricStore metrics;
  ReadToEnd read;  // how much of the metrics
  std::vector<LineRuleUse> rules;
  RunHealth health;
  std::vector<Error> problems;  // what could not be read now; the rest is as it was known last
  std::shared_ptr<const DiagnosisReport> report = std::make_shared<DiagnosisReport>();
};

/// Asks the service and the work dir. Blocks on them.
[[nodiscard]] RunStatus statusOf(const TrainingRun& run, RunServices& services, const LineChoice& lines);

/// What the run costs until now, and will have cost.
[[nodiscard]] RunCost costNow(const RunStatus& status);

}  // namespace lockstep::cli
