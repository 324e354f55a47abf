// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/run_description.h"

#include <nlohmann/json.hpp>

#include "base/bounds.h"
#include "base/outside_json.h"
#include "base/time_text.h"
#include "base/version.h"

namespace lockstep {
namespace {

using nlohmann::json;

void endNow(TrainingRun& run, TimePoint now) {
  for (NodeRun& node : run.nodes) {
    if (isTerminal(node.state)) continue;
    node.state = JobRunState::Silent;
    node.finished = now;
  }
  if (!run.finished && isTerminal(stateOf(run))) run.finished = now;
  run.launchComplete = true;
}

}  // namespace

std::string describedRun(const TrainingRun& run, const SecretFilter& filter, TimePoint now) {
  TrainingRun ended = run;
  endNow(ended, now);
  json document = toJson(ended);
  for (const char* key : {"configFile", "profile", "jobRetryToken", "compartmentId", "projectId",
                          "logGroupId", "logId", "workDir", "trainFile", "codeFolder", "backend", "image"})
    document.erase(key);
  for (json& node : document["nodes"]) node.erase("retryToken");
  document = filter.document(document);
  document["savedAt"] = toRfc3339(now);
  document["savedBy"] = "lockstep " LOCKSTEP_VERSION;
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<TrainingRun> runDescribedBy(std::string_view text) {
  auto document = parseOutsideJson(text, kMaxRunDescriptionBytes, "the description of the run");
  if (!document) return failure(std::move(document.error()));
  const auto nodes = document->find("nodes");
  if (nodes == document->end() || !nodes->is_array() || nodes->size() > static_cast<std::size_t>(kMaxRanks))
    return failure(ErrorCode::DataLoss, "cannot read the description of the run",
                   "it names no nodes, or too many");
  auto run = trainingRunFrom(*document);
  if (!run) return run;
  // Whatever it says of places, it was not this machine's.
  for (std::string* place :
       {&run->configFile, &run->profile, &run->jobRetryToken, &run->compartmentId, &run->projectId,
        &run->logGroupId, &run->logId, &run->workDir, &run->trainFile, &run->codeFolder, &run->image})
    place->clear();
  run->backend = kFileBackend;
  run->launchComplete = true;
  endNow(*run, run->finished.value_or(outsideTime(*document, "savedAt").value_or(run->created)));
  return run;
}

}  // namespace lockstep
