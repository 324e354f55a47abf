// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "launch/first_failure.h"
#include "runs/training_run.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxExplained = 64 * 1024;

TrainingRun failedRun(std::string_view details) {
  TrainingRun run;
  NodeRun node;
  node.id = JobRunId("ocid1.jobrun.a");
  node.displayName = "main";
  node.state = JobRunState::Failed;
  node.details = details;
  run.nodes.push_back(node);
  return run;
}

// What the run store wrote, or somebody in its place.
std::string checkStored(const nlohmann::json& json) {
  const auto run = trainingRunFrom(json);
  if (!run) return run.error().what.empty() ? "refused without a word" : "";
  const auto again = trainingRunFrom(toJson(*run));
  if (!again) return "a run that does not read back: " + describe(again.error());
  return toJson(*again) == toJson(*run) ? "" : "written again, it is another run";
}

}  // namespace

std::string tryFailure(std::string_view input) {
  Parts parts(input);
  const std::string_view file = parts.text();
  const std::string_view details = parts.text();
  const auto json = nlohmann::json::parse(file, nullptr, false);
  const std::string why = explainFailure(
      failedRun(details), json.is_discarded() ? std::nullopt : std::optional<nlohmann::json>(json));
  if (why.empty()) return "a failed run without a word";
  if (why.size() > kMaxExplained + input.size()) return "longer than what was written";
  return json.is_discarded() ? "" : checkStored(json);
}

}  // namespace lockstep
