// SPDX-License-Identifier: GPL-3.0-or-later
// Either side of torchrun's contract: Python's launcher starts our trainer, and lockstep-node starts a Python
// training.
#include <gtest/gtest.h>

#include <regex>

#include "base/atomic_file.h"
#include "child_processes.h"
#include "started_program.h"
#include "temp_dir.h"
#include "trainer/data/drawn_data.h"

namespace lockstep::trainer {
namespace {

bool pythonHas(const std::string& module) {
  TempDir dir;
  StartedProgram tried(dir.path() / "log", {"/usr/bin/python3", "-c", "import " + module}, {});
  return tried.exitCode() == 0;
}

// torch 1.13 under Python 3.11: the launcher's default --redirects 0 crashes, because iterating an IntFlag
// gives no zero member any more. The launcher itself is Python's own.
constexpr const char* kLauncher =
    "import sys, torch.distributed.run as run\n"
    "std = getattr(run, 'Std', None)\n"
    "if std is not None:\n"
    "    old = std.from_str\n"
    "    std.from_str = classmethod(lambda cls, text: std.NONE if text == '0' else old(text))\n"
    "run.main(sys.argv[1:])\n";

TEST(Torchrun, StartsOurTrainer) {
  if (!pythonHas("torch.distributed.run")) GTEST_SKIP() << "python3-torch is not installed";
  TempDir dir;
  ASSERT_TRUE(writeDrawnData(dir.path() / "data", 500, 100, 1));
  StartedProgram launcher(
      dir.path() / "log",
      {"/usr/bin/python3", "-c", kLauncher, "--no_python", "--nproc_per_node", "2", "--master_addr",
       "127.0.0.1", "--master_port", std::to_string(freePort()), program("lockstep-trainer"), "--data-dir",
       (dir.path() / "data").string(), "--output-dir", (dir.path() / "out").string(), "--epochs", "1",
       "--batch-size", "25"},
      {{"HOME", dir.path().string()}});
  EXPECT_EQ(launcher.exitCode(std::chrono::seconds(300)), 0) << launcher.output();
  EXPECT_TRUE(launcher.says("Rank 0 of 2: ")) << launcher.output();
  EXPECT_TRUE(launcher.says("Rank 1 of 2: ")) << launcher.output();
  EXPECT_TRUE(launcher.says("Finished Training")) << launcher.output();
}

// What one of our ranks says on its way out reaches the launcher, which ends the others.
TEST(Torchrun, HearsOfAFailureOfOurs) {
  if (!pythonHas("torch.distributed.run")) GTEST_SKIP() << "python3-torch is not installed";
  TempDir dir;
  StartedProgram launcher(dir.path() / "log",
                          {"/usr/bin/python3", "-c", kLauncher, "--no_python", "--nproc_per_node", "2",
                           "--master_addr", "127.0.0.1", "--master_port", std::to_string(freePort()),
                           program("lockstep-trainer"), "--data-dir", (dir.path() / "nothing").string()},
                          {{"HOME", dir.path().string()}});
  EXPECT_EQ(launcher.exitCode(std::chrono::seconds(300)), 1) << launcher.output();
  EXPECT_TRUE(launcher.says("missing: data_batch_1.bin")) << launcher.output();
  EXPECT_TRUE(std::regex_search(launcher.output(), std::regex(R"(exitcode *: (16|12))")))
      << launcher.output();
}

TEST(Torchrun, ARestartOfItsGoesOnFromTheLastCheckpoint) {
  if (!pythonHas("torch.distributed.run")) GTEST_SKIP() << "python3-torch is not installed";
  TempDir dir;
  ASSERT_TRUE(writeDrawnData(dir.path() / "data", 500, 100, 1));
  StartedProgram launcher(dir.path() / "log",
                          {"/usr/bin/python3",
                           "-c",
                           kLauncher,
                           "--no_python",
                           "--nproc_per_node",
                           "2",
                           "--max_restarts",
                           "1",
                           "--monitor_interval",
                           "1",
                           "--master_addr",
                           "127.0.0.1",
                           "--master_port",
                           std::to_string(freePort()),
                           program("lockstep-trainer"),
                           "--data-dir",
                           (dir.path() / "data").string(),
                           "--output-dir",
                           (dir.path() / "out").string(),
                           "--epochs",
                           "2",
                           "--batch-size",
                           "10",
                           "--checkpoint-every",
                           "5",
                           "--checkpoint-dir",
                           (dir.path() / "checkpoints").string()},
                          {{"HOME", dir.path().string()}});
  ASSERT_TRUE(launcher.waitUntilItSays("Saved a checkpoint of step")) << launcher.output();
  const auto ranks = childrenOf(launcher.pid());
  ASSERT_FALSE(ranks.empty()) << launcher.output();
  ::kill(ranks.front(), SIGKILL);
  EXPECT_EQ(launcher.exitCode(std::chrono::seconds(300)), 0) << launcher.output();
  EXPECT_TRUE(launcher.says("Restart 1: going on from the last checkpoint")) << launcher.output();
  EXPECT_TRUE(launcher.says("Resumed from the checkpoint of step ")) << launcher.output();
}

TEST(LockstepNode, StartsAPythonTraining) {
  if (!pythonHas("torch.distributed")) GTEST_SKIP() << "python3-torch is not installed";
  TempDir dir;
  const auto script = readFile(LOCKSTEP_SMALL_DDP);
  ASSERT_TRUE(script);
  std::filesystem::create_directories(dir.path() / "code");
  ASSERT_TRUE(writeFileAtomically(dir.path() / "code" / "train.py", *script));
  std::vector<StartedProgram> nodes;
  for (int rank = 0; rank < 2; ++rank) {
    nodes.emplace_back(
        dir.path() / ("node-" + std::to_string(rank)), std::vector<std::string>{program("lockstep-node")},
        std::map<std::string, std::string>{{"PATH", "/usr/bin:/bin"},  // Debian's python3, which has torch
                                           {"HOME", dir.path().string()},
                                           {"OCI__WORK_DIR", "file://" + (dir.path() / "work").string()},
                                           {"OCI__WORKER_COUNT", "1"},
                                           {"RANK", std::to_string(rank)},
                                           {"OCI__ENTRY_SCRIPT", "train.py"},
                                           {"OCI__CODE_DIR", (dir.path() / "code").string()},
                                           {"LOCKSTEP_NODE_ADDRESS", "127.0.0.1"},
                                           {"JOB_RUN_OCID", "run" + std::to_string(rank)},
                                           {"OCI__TIMEOUT", "120"}});
  }
  std::string sums[2];
  for (int rank = 0; rank < 2; ++rank) {
    auto& node = nodes[static_cast<std::size_t>(rank)];
    EXPECT_EQ(node.exitCode(std::chrono::seconds(300)), 0) << node.output();
    const std::string output = node.output();
    std::smatch match;
    const std::regex line("rank " + std::to_string(rank) +
                          R"( of 2: loss ([0-9.]+), parameters sum to ([0-9.-]+))");
    ASSERT_TRUE(std::regex_search(output, match, line)) << output;
    EXPECT_LT(std::stod(match[1]), 0.5);
    sums[rank] = match[2];
  }
  EXPECT_EQ(sums[0], sums[1]) << "the replicas are equal";
}

}  // namespace
}  // namespace lockstep::trainer
