// SPDX-License-Identifier: GPL-3.0-or-later
// What breaks on the machine of one rank: memory, disk, data, work dir.
#include <fmt/format.h>

#include "base/atomic_file.h"
#include "tests/trainer_faults/trainer_fault.h"
#include "trainer/ddp/base/exit_codes.h"

namespace lockstep::testing {
namespace {

using namespace trainer;
namespace fs = std::filesystem;

FaultScene outOfMemory(FaultStage& stage, const std::string& transport) {
  FaultScene scene;
  scene.ranks.push_back(stage.start(0, 2, transportArguments(transport, {"--bench", "1000000"})));
  // 16384 images need gigabytes for what the first convolution gives alone.
  scene.ranks.push_back(
      stage.start(1, 2, transportArguments(transport, {"--bench", "1000000", "--batch-size", "16384"}), {},
                  {"sh", "-c", "ulimit -v 3000000; exec \"$0\" \"$@\""}));
  scene.exitCodes = {{0, {kExitPeerLost}}, {1, {kExitOutOfMemory}}};
  scene.words = {"rank 1 (host ", "out of memory", "smaller --batch-size"};
  return scene;
}

// The disk of rank 0 is full when the model is to be saved.
FaultScene outOfDiskForTheModel(FaultStage& stage) {
  FaultScene scene;
  const Words prefix = smallDiskPrefix(stage.at("out"), 512);
  if (prefix.empty()) {
    scene.cannot = "this machine lets no user mount a disk of its own";
    return scene;
  }
  const Words once{"--epochs", "1", "--batch-size", "50"};
  scene.ranks.push_back(stage.start(0, 2, once, {}, prefix));
  scene.ranks.push_back(stage.start(1, 2, once));
  scene.exitCodes = {{0, {kExitOutOfDisk}}, {1, {kExitPeerLost}}};
  scene.words = {"rank 0 (host ", "(saving)", "No space left on device", "free some space"};
  return scene;
}

FaultScene outOfDiskForTheData(FaultStage& stage) {
  FaultScene scene;
  const fs::path folder = stage.at("drawn");
  const Words prefix = smallDiskPrefix(folder, 512);
  if (prefix.empty()) {
    scene.cannot = "this machine lets no user mount a disk of its own";
    return scene;
  }
  const Words drawing{"--data-dir", folder.string(), "--make-data", "2000"};
  scene.ranks.push_back(stage.start(0, 2));
  scene.ranks.push_back(stage.start(1, 2, drawing, {}, prefix));
  scene.exitCodes = {{0, {kExitPeerLost}}, {1, {kExitOutOfDisk}}};
  scene.words = {"rank 1 (host ", "while loading data", "No space left on device", "free some space"};
  return scene;
}

FaultScene corruptData(FaultStage& stage, const std::string& transport, bool missing) {
  const fs::path damaged = stage.at("damaged");
  fs::copy(stage.at("data"), damaged);
  if (missing) {
    fs::remove(damaged / "data_batch_3.bin");
  } else {
    fs::resize_file(damaged / "data_batch_3.bin", 1000);
  }
  FaultScene scene;
  scene.ranks.push_back(stage.start(0, 2, transportArguments(transport)));
  scene.ranks.push_back(stage.start(1, 2, transportArguments(transport, {"--data-dir", damaged.string()})));
  scene.exitCodes = {{0, {kExitPeerLost}}, {1, {kExitBadData}}};
  scene.words = {"rank 1 (host ", "while loading data", "data_batch_3.bin"};
  return scene;
}

// None is whole: where one still is, training goes on from that one.
FaultScene damagedCheckpoints(FaultStage& stage) {
  const fs::path folder = stage.at("checkpoints");
  Words recipe{"--epochs", "1", "--batch-size", "50", "--checkpoint-dir", folder.string()};
  for (auto& rank : stage.startAll(2, recipe)) rank.exitCode();
  FaultScene scene;
  int damaged = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".pt") continue;
    fs::resize_file(entry.path(), 100);
    ++damaged;
  }
  if (damaged == 0) throw std::runtime_error("the training wrote no checkpoint");
  recipe.emplace_back("--resume");
  scene.since = std::chrono::steady_clock::now();
  scene.ranks = stage.startAll(2, recipe);
  scene.exitCodes = {{0, {kExitBadCheckpoint}}, {1, {kExitPeerLost}}};
  scene.words = {"rank 0 (host ", "no checkpoint in ", "100 bytes instead of", "start without --resume"};
  return scene;
}

FaultScene lostWorkDir(FaultStage& stage) {
  const fs::path work = stage.at("work");
  FaultScene scene;
  scene.ranks = stage.training(2, {"--work-dir", "file://" + work.string(), "--job-id", "J"});
  if (!scene.ranks[0].waitUntilItSays("loss:")) scene.cannot = scene.ranks[0].output();
  scene.since = std::chrono::steady_clock::now();
  const fs::path gone = stage.at("gone");
  std::error_code ignored;
  // Away, and what is there now is no folder: as a mount that has been lost. A writer may put the folder back
  // in between.
  for (int i = 0; i < 1000 && !fs::is_regular_file(work, ignored); ++i) {
    fs::remove_all(gone, ignored);
    fs::rename(work, gone, ignored);
    std::ofstream(work) << "no folder";
  }
  scene.teller = 0;
  scene.words = {"warning: rank 0", "metrics are not stored for now"};
  return scene;
}

}  // namespace

void addLocalFaults(std::vector<TrainerFault>& all) {
  for (const std::string transport : {"shared memory", "gloo"}) {
    const bool shared = transport == "shared memory";
    all.push_back({"out of memory", transport, "rank 1 may have 3 GB and computes with a batch of 16384", 120,
                   [=](FaultStage& stage) { return outOfMemory(stage, transport); }, !shared});
    all.push_back({"data damaged", transport, "a file of rank 1's data set is cut off", 30,
                   [=](FaultStage& stage) { return corruptData(stage, transport, false); }, shared});
  }
  all.push_back({"data missing", "-", "a file of rank 1's data set is gone", 30,
                 [](FaultStage& stage) { return corruptData(stage, "shared memory", true); }, false});
  all.push_back({"out of disk for the model", "shared memory", "rank 0 has 512 KiB where the model goes", 90,
                 outOfDiskForTheModel});
  all.push_back({"out of disk for the data", "-", "rank 1 has 512 KiB where it draws its data", 60,
                 outOfDiskForTheData});
  all.push_back(
      {"checkpoints damaged", "shared memory", "all of them are cut off; --resume", 60, damagedCheckpoints});
  all.push_back({"work dir lost", "shared memory", "the folder of the work dir goes away", 60, lostWorkDir});
}

}  // namespace lockstep::testing
