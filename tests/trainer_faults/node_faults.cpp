// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of a training under lockstep-node when a whole node goes, its agent with its ranks.
#include <fmt/format.h>

#include "tests/trainer_faults/trainer_fault.h"
#include "trainer/node/agent/node_agent.h"

namespace lockstep::testing {
namespace {

using Steady = std::chrono::steady_clock;

std::vector<StartedProgram> threeNodes(FaultStage& stage, const Variables& more) {
  std::vector<StartedProgram> nodes;
  for (int node = 0; node < 3; ++node) {
    Variables environment{
        {"OCI__WORK_DIR", "file://" + stage.at("work").string()},
        {"OCI__WORKER_COUNT", "2"},
        {"RANK", std::to_string(node)},
        {"OCI__ENTRY_SCRIPT", "lockstep-trainer"},
        {"OCI__ENTRY_SCRIPT_ARGS",
         fmt::format("--data-dir '{}' --epochs 1000 --batch-size 8 --print-freq 1 --checkpoint-every 5 "
                     "--checkpoint-dir work-dir",
                     stage.at("data").string())},
        {"OCI__CODE_DIR", stage.at("nothing").string()},
        {"JOB_RUN_OCID", fmt::format("run{}", node)},
        {"LOCKSTEP_NODE_ADDRESS", "127.0.0.1"},
        {"OCI__TIMEOUT", "60"}};
    environment.insert(more.begin(), more.end());
    nodes.push_back(
        stage.startProgram(fmt::format("node-{}", node), {program("lockstep-node")}, environment));
  }
  if (!nodes[0].waitUntilItSays("Saved a checkpoint of step"))
    throw std::runtime_error("the nodes do not train: " + nodes[0].output());
  return nodes;
}

// The survivors are left in the scene.
FaultScene lose(FaultStage& stage, std::size_t victim, const Variables& more) {
  FaultScene scene;
  scene.ranks = threeNodes(stage, more);
  scene.since = Steady::now();
  scene.ranks[victim].signal(SIGKILL);
  scene.ranks[victim].exitCode();
  std::vector<StartedProgram> left;
  for (std::size_t i = 0; i < scene.ranks.size(); ++i) {
    if (i != victim) left.push_back(std::move(scene.ranks[i]));
  }
  scene.ranks = std::move(left);
  return scene;
}

FaultScene goesOnWithout(FaultStage& stage, std::size_t victim) {
  FaultScene scene = lose(stage, victim, {{"LOCKSTEP_MAX_RESTARTS", "1"}, {"LOCKSTEP_MIN_NODES", "2"}});
  scene.teller = 0;
  scene.words = {"Resumed from the checkpoint of step "};
  return scene;
}

FaultScene endsWithout(FaultStage& stage, const Variables& more, const std::vector<std::string>& words) {
  FaultScene scene = lose(stage, 0, more);
  for (const std::size_t i : {0U, 1U}) scene.exitCodes[i] = {node::kExitPeerFailed};
  scene.words = words;
  return scene;
}

}  // namespace

void addNodeFaults(std::vector<TrainerFault>& all) {
  all.push_back({"main node lost, two are enough", "shared memory",
                 "SIGKILL to the main of three agents; one restart, LOCKSTEP_MIN_NODES=2", 90,
                 [](FaultStage& stage) { return goesOnWithout(stage, 0); }});
  all.push_back({"node lost, two are enough", "shared memory",
                 "SIGKILL to the last of three agents; one restart, LOCKSTEP_MIN_NODES=2", 90,
                 [](FaultStage& stage) { return goesOnWithout(stage, 2); }, false});
  all.push_back({"main node lost, all are needed", "shared memory",
                 "SIGKILL to the main of three agents; one restart", 90, [](FaultStage& stage) {
                   return endsWithout(stage, {{"LOCKSTEP_MAX_RESTARTS", "1"}},
                                      {"main was lost while its ranks ran", "no restart 1: main is gone",
                                       "set LOCKSTEP_MIN_NODES=2"});
                 }});
  all.push_back(
      {"main node lost, no restarts", "shared memory", "SIGKILL to the main of three agents", 90,
       [](FaultStage& stage) {
         return endsWithout(stage, {}, {"main was lost while its ranks ran", "127.0.0.1:", "look whether"});
       },
       false});
}

}  // namespace lockstep::testing
