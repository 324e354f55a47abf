// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that is gone, frozen or slow while the others train.
#include <fmt/format.h>

#include "child_processes.h"
#include "tests/trainer_faults/trainer_fault.h"
#include "trainer/ddp/base/exit_codes.h"

namespace lockstep::testing {
namespace {

using namespace trainer;
using Steady = std::chrono::steady_clock;

FaultScene killed(FaultStage& stage, const std::string& transport, std::size_t victim) {
  FaultScene scene;
  scene.ranks = stage.training(3, transportArguments(transport));
  scene.since = Steady::now();
  scene.ranks[victim].signal(SIGKILL);
  for (std::size_t i = 0; i < scene.ranks.size(); ++i) {
    if (i != victim) scene.exitCodes[i] = {kExitPeerLost};
  }
  scene.words = {fmt::format("rank {} (host ", victim),
                 fmt::format("pid {}) is gone", scene.ranks[victim].pid()), " at step ", "look at its log"};
  return scene;
}

FaultScene frozen(FaultStage& stage, const std::string& transport) {
  FaultScene scene;
  scene.ranks = stage.training(2, transportArguments(transport, {"--timeout", "8"}));
  scene.since = Steady::now();
  scene.ranks[1].signal(SIGSTOP);
  scene.exitCodes[0] = {kExitTimedOut};
  scene.words = {"rank 1 (host ", "is frozen or cut off", "it has not answered for 8 s", " at step ",
                 "look whether its machine still runs"};
  return scene;
}

// Stopped most of the time: as a rank whose core others use.
FaultScene slow(FaultStage& stage, const std::string& transport) {
  FaultScene scene;
  scene.ranks = stage.training(2, transportArguments(transport));
  scene.since = Steady::now();
  auto slowing = std::make_shared<std::jthread>([pid = scene.ranks[1].pid()](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      ::kill(pid, SIGSTOP);
      std::this_thread::sleep_for(std::chrono::milliseconds(90));
      ::kill(pid, SIGCONT);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  scene.until = [slowing] {
    slowing->request_stop();
    if (slowing->joinable()) slowing->join();
  };
  scene.teller = 0;
  scene.words = {"warning: rank 1 (host ", "is a straggler", "look for other work"};
  return scene;
}

FaultScene nanLoss(FaultStage& stage, const std::string& transport) {
  FaultScene scene;
  scene.ranks = stage.startAll(2, transportArguments(transport, {"--learning-rate", "1e30"}));
  for (const std::size_t i : {0U, 1U}) scene.exitCodes[i] = {kExitLossNotFinite, kExitPeerLost};
  scene.words = {"the loss of rank ", " became nan at step | became inf at step | became -inf at step ",
                 "smaller --learning-rate"};
  return scene;
}

// Two agents on one machine, a rank each; the second's rank is killed from outside.
FaultScene killedUnderAgents(FaultStage& stage) {
  FaultScene scene;
  for (int node = 0; node < 2; ++node) {
    scene.ranks.push_back(stage.startProgram(
        fmt::format("node-{}", node), {program("lockstep-node")},
        {{"OCI__WORK_DIR", "file://" + stage.at("work").string()},
         {"OCI__WORKER_COUNT", "1"},
         {"RANK", std::to_string(node)},
         {"OCI__ENTRY_SCRIPT", "lockstep-trainer"},
         {"OCI__ENTRY_SCRIPT_ARGS", fmt::format("--data-dir '{}' --epochs 1000 --batch-size 8 --print-freq 1",
                                                stage.at("data").string())},
         {"OCI__CODE_DIR", stage.at("nothing").string()},
         {"JOB_RUN_OCID", fmt::format("run{}", node)},
         {"LOCKSTEP_NODE_ADDRESS", "127.0.0.1"},
         {"OCI__TIMEOUT", "60"}}));
  }
  for (auto& node : scene.ranks) FaultStage::awaitTraining(node);
  const auto children = childrenOf(scene.ranks[1].pid());
  if (children.empty()) {
    scene.cannot = "the node has started no rank";
    return scene;
  }
  scene.since = Steady::now();
  ::kill(children.front(), SIGKILL);
  scene.exitCodes[0] = {kExitPeerLost};
  scene.exitCodes[1] = {128 + SIGKILL};
  scene.words = {"rank 1 on worker_0 was killed by signal 9"};
  return scene;
}

}  // namespace

void addPeerFaults(std::vector<TrainerFault>& all) {
  for (const std::string transport : {"shared memory", "gloo"}) {
    const bool shared = transport == "shared memory";
    all.push_back({"rank killed", transport, "SIGKILL to rank 1 of 3", 30,
                   [=](FaultStage& stage) { return killed(stage, transport, 1); }});
    all.push_back({"rank 0 killed", transport, "SIGKILL to rank 0 of 3", 30,
                   [=](FaultStage& stage) { return killed(stage, transport, 0); }, !shared});
    all.push_back({"rank frozen", transport, "SIGSTOP to rank 1 of 2, --timeout 8", 40,
                   [=](FaultStage& stage) { return frozen(stage, transport); }, shared});
    all.push_back({"rank slow", transport, "rank 1 of 2 stopped for 90 ms of every 100", 90,
                   [=](FaultStage& stage) { return slow(stage, transport); }, !shared});
    all.push_back({"loss not finite", transport, "--learning-rate 1e30", 60,
                   [=](FaultStage& stage) { return nanLoss(stage, transport); }, shared});
  }
  all.push_back({"rank killed under lockstep-node", "shared memory",
                 "SIGKILL to the rank of one of two agents", 60, killedUnderAgents});
}

}  // namespace lockstep::testing
