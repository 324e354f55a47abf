// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "health/health_text.h"
#include "runs/training_run.h"

namespace lockstep::cli {

[[nodiscard]] RunStage stageOf(const TrainingRun& run);
/// "waiting for peers in collective 118, 12 s" by rank, without the time where it is unknown; "at last: …" of
/// a run that failed; nothing of one that is over: its ranks do nothing any more.
[[nodiscard]] std::map<Rank, std::string> phaseTexts(const RunHealth& health, RunStage stage);
/// {"heartbeat": {…} or null, "reach": {"nodes": […], "links": […]}, "findings": […]}
[[nodiscard]] nlohmann::json toJson(const RunHealth& health, RunStage stage, SteadyPoint now);
[[nodiscard]] nlohmann::json toJson(const HealthFinding& finding);
/// "both-ways", stable, for --json
[[nodiscard]] const char* toString(LinkState state);

/// Of the findings of a run that is followed: which are new, and which are over.
class FindingNews {
 public:
  struct News {
    std::vector<HealthFinding> begun, over;
  };
  News take(const RunHealth& health, RunStage stage, SteadyPoint now);

 private:
  std::map<std::string, HealthFinding> known_;  // by their keys
};

}  // namespace lockstep::cli
