// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/node_command.h"

#include "base/text/quote.h"
#include "rehearsal/jobs/run_driver.h"

namespace lockstep::rehearsal {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kUnpacked = "decompressed_artifact";

bool isArchive(const std::string& name) {
  for (const char* suffix : {".zip", ".tar", ".tar.gz", ".tgz", ".gz"})
    if (name.ends_with(suffix)) return true;
  return false;
}

Words interpreterOf(const std::string& file) {
  if (file.ends_with(".py")) return {"python3", file};
  if (file.ends_with(".sh")) return {"bash", file};
  return {file};
}

// The node unpacks its archive itself: what goes wrong there stands in its log, and the region does not wait.
Words unpackAndRun(const std::string& archive, const std::string& file) {
  const bool zip = archive.ends_with(".zip");
  const std::string unpack = zip ? R"(python3 -m zipfile -e "$0" "$1")" : R"(tar -xf "$0" -C "$1")";
  Words words{"/bin/sh", "-c", R"(mkdir -p "$1" && )" + unpack + R"( && shift && exec "$@")", archive,
              kUnpacked};
  const Words run = interpreterOf(std::string("./") + kUnpacked + "/" + file);
  words.insert(words.end(), run.begin(), run.end());
  return words;
}

Words wordsAt(const nlohmann::json& holder, const char* name) {
  const auto found = holder.find(name);
  return found != holder.end() && found->is_array() ? found->get<Words>() : Words{};
}

Result<Words> artifactCommand(const GroupPlan& group, const DeliveredArtifact& artifact) {
  if (artifact.name.empty())
    return failure(ErrorCode::FailedPrecondition, "the job has neither an artifact nor a container");
  if (!isArchive(artifact.name)) return interpreterOf("./" + artifact.name);
  const nlohmann::json variables =
      group.configuration.value("environmentVariables", nlohmann::json::object());
  const std::string file = variables.value("JOB_RUN_ENTRYPOINT", "");
  if (file.empty())
    return failure(ErrorCode::FailedPrecondition,
                   "the artifact '" + artifact.name + "' is an archive and JOB_RUN_ENTRYPOINT is not set");
  return unpackAndRun(artifact.name, file);
}

// As a container has it: the job's entrypoint takes the place of the image's, an empty one leaves nothing of
// it, and cmd follows.
Result<Words> containerCommand(const RunnerSetup& setup, const nlohmann::json& container) {
  const auto entrypoint = container.find("entrypoint");
  const bool isGiven = entrypoint != container.end() && entrypoint->is_array();
  Words command = isGiven ? entrypoint->get<Words>() : Words{setup.entrypoint};
  const Words more = wordsAt(container, "cmd");
  command.insert(command.end(), more.begin(), more.end());
  if (!command.empty()) return command;
  return failure(ErrorCode::FailedPrecondition, "the container has nothing to run",
                 "its entrypoint is empty, and it has no cmd", "name the program in entrypoint or cmd");
}

Result<Words> commandOf(const RunnerSetup& setup, const GroupPlan& group, const DeliveredArtifact& artifact) {
  Words command;
  if (group.container.is_object()) {
    auto run = containerCommand(setup, group.container);
    if (!run) return run;
    command = std::move(*run);
  } else {
    auto run = artifactCommand(group, artifact);
    if (!run) return run;
    command = std::move(*run);
  }
  const auto arguments = group.configuration.find("commandLineArguments");
  if (arguments != group.configuration.end() && arguments->is_string())
    for (std::string& word : splitShell(arguments->get<std::string>())) command.push_back(std::move(word));
  return command;
}

}  // namespace

Result<NodeTask> nodeTask(const RunnerSetup& setup, const RunPlan& plan, const GroupPlan& group,
                          const DeliveredArtifact& artifact) {
  auto command = commandOf(setup, group, artifact);
  if (!command) return failure(command.error());
  NodeTask spec;
  spec.command = std::move(*command);
  spec.grace = setup.grace;
  spec.maximumRuntime = plan.longest;
  spec.probe = probeOf(group.configuration);
  spec.sampleInterval = setup.sampleInterval;
  spec.diskFullMark = diskFullMarkOf(setup);
  return spec;
}

}  // namespace lockstep::rehearsal
