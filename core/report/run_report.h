// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "diagnosis/findings/finding.h"
#include "history/run_price.h"
#include "metrics/metric_store.h"
#include "portable/secret_filter.h"
#include "runs/training_run.h"

namespace lockstep {

/// A run, and what is to be said of it. The references outlive the call.
struct ReportedRun {
  const TrainingRun& run;
  const MetricStore& samples;        // all of it
  std::vector<RunFinding> findings;  // the worst first
  RunCost cost;
  std::string home;  // the person's folder at this machine, which no page shows; empty: not known
  TimePoint now{};
};

/// One HTML page that loads nothing from elsewhere and has no scripts: state and times, what is wrong, what came of it, a curve
/// of each quantity, the ranks, and the train.yaml. Secrets and the middle of OCIDs are left out (SecretFilter); every text is
/// escaped. Cost: curveOf() for each quantity, of which at most kMostCurves are drawn. Pure.
[[nodiscard]] std::string runReport(const ReportedRun& reported);
inline constexpr std::size_t kMostCurves = 60;

}  // namespace lockstep
