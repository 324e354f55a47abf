// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/code/training_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "trainer/node/code/code_source.h"
#include "trainer/node/settings/program_path.h"

namespace lockstep::node {
namespace {

namespace fs = std::filesystem;

Result<std::vector<std::string>> commandFor(const fs::path& script) {
  if (script.extension() == ".py") return std::vector<std::string>{"python3", script.string()};
  if (::access(script.c_str(), X_OK) == 0) return std::vector<std::string>{script.string()};
  return failure(
      ErrorCode::PermissionDenied, fmt::format("the entry script '{}' cannot be executed", script.string()),
      "it is no .py file and may not be executed", fmt::format("run chmod +x {}", script.string()));
}

Result<std::vector<std::string>> entryCommand(const NodeSettings& settings, const Environment& environment) {
  const fs::path entry(settings.entryScript);
  const fs::path script = entry.is_absolute() ? entry : settings.codeDir / entry;
  std::error_code ignored;
  if (fs::is_regular_file(script, ignored)) return commandFor(script);
  const bool plainName = settings.entryScript.find('/') == std::string::npos;
  if (plainName && !programPath(settings.entryScript, environment).empty())
    return std::vector<std::string>{settings.entryScript};
  return failure(ErrorCode::NotFound,
                 fmt::format("the entry script '{}' does not exist", settings.entryScript),
                 fmt::format("neither '{}' is a file{}", script.string(),
                             plainName ? " nor a program of that name is on PATH" : ""),
                 "check spec.runtime.spec.entryPoint of the train.yaml and that the image holds the code");
}

}  // namespace

Result<std::vector<std::string>> trainingCommand(const NodeSettings& settings,
                                                 const Environment& environment) {
  auto entry = entryCommand(settings, environment);
  if (!entry) return entry;
  std::vector<std::string> command = settings.profileCommand;
  command.insert(command.end(), entry->begin(), entry->end());
  command.insert(command.end(), settings.entryArguments.begin(), settings.entryArguments.end());
  return command;
}

std::vector<RankSpec> rankSpecs(const NodeSettings& settings, const std::vector<std::string>& command,
                                Environment environment, const std::map<std::string, std::string>& published,
                                const std::string& interface, int attempt) {
  for (const auto& [key, value] : published) environment[key] = value;
  environment["WORLD_SIZE"] = std::to_string(settings.worldSize());
  environment["LOCAL_WORLD_SIZE"] = std::to_string(settings.ranksPerNode);
  environment["NODE_RANK"] = std::to_string(settings.nodeRank);
  environment["JOB_OCID"] = settings.jobId;
  environment["TORCHELASTIC_RESTART_COUNT"] = std::to_string(attempt);
  environment["TORCHELASTIC_MAX_RESTARTS"] = std::to_string(settings.maxRestarts);
  if (const std::string path = pythonPath(settings, environment); !path.empty())
    environment["PYTHONPATH"] = path;
  environment.try_emplace("PYTHONUNBUFFERED", "1");  // its lines are to be seen when they are printed
  environment.try_emplace("MASTER_PORT", "29400");   // the file of an `ads` main node has only the address
  if (!interface.empty()) {
    environment.try_emplace("GLOO_SOCKET_IFNAME", interface);
    environment.try_emplace("NCCL_SOCKET_IFNAME", interface);
  }
  std::vector<RankSpec> specs;
  for (int local = 0; local < settings.ranksPerNode; ++local) {
    const int rank = settings.nodeRank * settings.ranksPerNode + local;
    environment["RANK"] = std::to_string(rank);
    environment["LOCAL_RANK"] = std::to_string(local);
    specs.push_back({rank, command, environment});
  }
  return specs;
}

}  // namespace lockstep::node
