// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <span>

#include "diagnosis/diagnosis.h"
#include "launch/run_follower.h"

namespace lockstep {

class LogSnapshot;

/// Looks for what is wrong with the run that a RunMonitor follows. Belongs to the monitor's thread.
class RunDiagnosis {
 public:
  void addLines(std::span<const LogLine> lines) { diagnosis_.addLines(lines); }
  /// Lines that were kept when somebody followed the run before: the last ones, some tenth of a second's worth.
  void addKept(const std::shared_ptr<const LogSnapshot>& log);
  /// Where it is time to look, the report goes into the update. Not while the past is still coming. `samples`: all so far.
  void look(RunUpdate& update, const std::shared_ptr<const MetricStore>& samples);

 private:
  Diagnosis diagnosis_;
  std::optional<RunFacts> facts_;
  std::shared_ptr<const RunHealth> health_;
  std::optional<SteadyPoint> next_;
  RunStage stage_ = RunStage::Running;  // at the last look
};

}  // namespace lockstep
