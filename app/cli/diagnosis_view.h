// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "diagnosis/diagnosis.h"
#include "diagnosis/muted_findings.h"
#include "launch/run_services.h"

namespace lockstep::cli {

/// What is wrong with a run by one look at all that it has left; of a failed run also by its lines, which are read for it.
[[nodiscard]] std::shared_ptr<const DiagnosisReport> diagnose(const TrainingRun& run,
                                                              std::shared_ptr<const MetricStore> samples,
                                                              const RunHealth& health, RunServices& services);

/// The user's muted findings; none, with a warning, where they cannot be read.
[[nodiscard]] MutedFindings mutedFindings();

/// "findings" (docs/formats/findings.md), each with "muted": until when, or null; "unmeasured": codes of kinds.
void addFindings(const DiagnosisReport& report, const RunId& run, const MutedFindings& muted,
                 nlohmann::json& document);

/// What is found in a run that is followed: each finding once when it begins and once when it ends.
class FindingsWatch {
 public:
  struct News {
    std::vector<RunFinding> begun, over;
    std::shared_ptr<const DiagnosisReport> report;  // null: it was not time to look
  };
  void addLines(const std::vector<LogLine>& lines) { diagnosis_.addLines(lines); }
  /// Looks when it is time to, or the run has ended.
  News look(const TrainingRun& run, MetricStore& samples, std::shared_ptr<const RunHealth> health);

 private:
  Diagnosis diagnosis_;
  std::optional<RunFacts> facts_;
  std::optional<SteadyPoint> next_;
  bool isOver_ = false;
  std::map<std::string, RunFinding> known_;
};

}  // namespace lockstep::cli
