// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/trainer_faults/fault_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trainer/data/drawn_data.h"

namespace lockstep::testing {

FaultStage::FaultStage() : port_(freePort()) {
  if (auto drawn = trainer::writeDrawnData(at("data"), 500, 100, 1); !drawn)
    throw std::runtime_error(describe(drawn.error()));
}

Variables FaultStage::placeOf(int rank, int world) const {
  return {{"RANK", std::to_string(rank)},
          {"LOCAL_RANK", std::to_string(rank)},
          {"WORLD_SIZE", std::to_string(world)},
          {"MASTER_ADDR", "127.0.0.1"},
          {"MASTER_PORT", std::to_string(port_)}};
}

StartedProgram FaultStage::start(int rank, int world, const Words& more, const Variables& variables,
                                 const Words& prefix) {
  Words command = prefix;
  command.push_back(program("lockstep-trainer"));
  const std::vector<std::pair<std::string, std::string>> usual = {{"--data-dir", at("data").string()},
                                                                  {"--output-dir", at("out").string()},
                                                                  {"--epochs", "1000"},
                                                                  {"--batch-size", "8"},
                                                                  {"--print-freq", "1"}};
  for (const auto& [option, value] : usual) {
    if (std::find(more.begin(), more.end(), option) != more.end()) continue;
    command.push_back(option);
    command.push_back(value);
  }
  command.insert(command.end(), more.begin(), more.end());
  Variables environment = placeOf(rank, world);
  for (const auto& [name, value] : variables) environment[name] = value;
  return startProgram(fmt::format("rank-{}", rank), command, environment);
}

StartedProgram FaultStage::startProgram(const std::string& name, const Words& command,
                                        const Variables& variables) {
  return StartedProgram(at(fmt::format("{}-{}.log", name, started_++)), command, variables);
}

std::vector<StartedProgram> FaultStage::startAll(int world, const Words& more) {
  std::vector<StartedProgram> ranks;
  for (int rank = 0; rank < world; ++rank) ranks.push_back(start(rank, world, more));
  return ranks;
}

std::vector<StartedProgram> FaultStage::training(int world, const Words& more) {
  auto ranks = startAll(world, more);
  for (auto& rank : ranks) awaitTraining(rank);
  return ranks;
}

void FaultStage::awaitTraining(StartedProgram& rank) {
  if (!rank.waitUntilItSays("loss:")) throw std::runtime_error("a rank does not train: " + rank.output());
}

Words transportArguments(const std::string& transport, Words more) {
  if (transport == "gloo") more.emplace_back("--no-shared-memory");
  return more;
}

Words smallDiskPrefix(const std::filesystem::path& folder, int kibibytes) {
  std::filesystem::create_directories(folder);
  const std::string mount = fmt::format("mount -t tmpfs -o size={}k none '{}'", kibibytes, folder.string());
  TempDir trial;
  StartedProgram tried(trial.path() / "log", {"unshare", "-Urm", "sh", "-c", mount}, {});
  if (tried.exitCode() != 0) return {};
  return {"unshare", "-Urm", "sh", "-c", mount + " && exec \"$0\" \"$@\""};
}

}  // namespace lockstep::testing
