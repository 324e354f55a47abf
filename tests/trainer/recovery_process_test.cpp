// SPDX-License-Identifier: GPL-3.0-or-later
// A training that loses a rank or a node goes on from its last checkpoint.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "base/atomic_file.h"
#include "child_processes.h"
#include "started_program.h"
#include "temp_dir.h"
#include "trainer/data/drawn_data.h"
#include "trainer/ddp/base/exit_codes.h"

namespace lockstep::trainer {
namespace {

using Variables = std::map<std::string, std::string>;

// "[1,    12] loss: 2.301" of rank 0.
std::vector<std::string> stepLines(const std::string& output) {
  std::vector<std::string> lines;
  const std::regex line(R"((?:^|\n)(?:\[rank 0\] )?(\[\d+, +\d+\] loss: [0-9.]+))");
  for (std::sregex_iterator it(output.begin(), output.end(), line), end; it != end; ++it)
    lines.push_back((*it)[1]);
  return lines;
}

std::vector<double> epochLosses(const std::string& output) {
  std::vector<double> losses;
  const std::regex line(R"(Epoch \d+/\d+: loss ([0-9.]+), test loss ([0-9.]+))");
  for (std::sregex_iterator it(output.begin(), output.end(), line), end; it != end; ++it) {
    losses.push_back(std::stod((*it)[1]));
    losses.push_back(std::stod((*it)[2]));
  }
  return losses;
}

class Recovery : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(writeDrawnData(dir_.path() / "data", 480, 24, 1)); }

  [[nodiscard]] std::string path(const std::string& name) const { return (dir_.path() / name).string(); }

  StartedProgram node(int rank, int nodes, const std::string& arguments, const Variables& more) {
    Variables environment = {{"OCI__WORK_DIR", "file://" + path("work")},
                             {"OCI__WORKER_COUNT", std::to_string(nodes - 1)},
                             {"RANK", std::to_string(rank)},
                             {"OCI__ENTRY_SCRIPT", "lockstep-trainer"},
                             {"OCI__ENTRY_SCRIPT_ARGS", "--data-dir '" + path("data") + "' --output-dir '" +
                                                            path("out") + "' --print-freq 1 " + arguments},
                             {"OCI__CODE_DIR", path("nothing")},
                             {"JOB_RUN_OCID", "run" + std::to_string(rank)},
                             {"LOCKSTEP_NODE_ADDRESS", "127.0.0.1"},
                             {"OCI__TIMEOUT", "60"}};
    for (const auto& [name, value] : more) environment[name] = value;
    return StartedProgram(path("node-" + std::to_string(started_++)), {program("lockstep-node")},
                          environment);
  }
  StartedProgram trainer(std::vector<std::string> arguments, const Variables& environment = {}) {
    arguments.insert(arguments.begin(), {program("lockstep-trainer"), "--data-dir", path("data"),
                                         "--output-dir", path("out"), "--print-freq", "1"});
    return StartedProgram(path("trainer-" + std::to_string(started_++)), arguments, environment);
  }
  std::string finished(StartedProgram started) {
    EXPECT_EQ(started.exitCode(std::chrono::minutes(5)), kExitDone) << started.output();
    return started.output();
  }

  TempDir dir_;
  int started_ = 0;
};

TEST_F(Recovery, AKilledRankCostsNothingButTheStepsSinceTheLastCheckpoint) {
  const std::string recipe =
      "--epochs 2 --batch-size 8 --learning-rate 0.02 --deterministic --checkpoint-every 5 --checkpoint-dir ";
  const auto expected =
      stepLines(finished(node(0, 1, recipe + path("a"), {{"LOCKSTEP_RANKS_PER_NODE", "2"}})));
  ASSERT_EQ(expected.size(), 60U);

  auto broken =
      node(0, 1, recipe + path("b"), {{"LOCKSTEP_RANKS_PER_NODE", "2"}, {"LOCKSTEP_MAX_RESTARTS", "1"}});
  ASSERT_TRUE(broken.waitUntilItSays("Saved a checkpoint of step")) << broken.output();
  const auto ranks = childrenOf(broken.pid());
  ASSERT_GE(ranks.size(), 2U) << broken.output();
  ::kill(ranks.back(), SIGKILL);
  const std::string output = finished(std::move(broken));
  EXPECT_NE(output.find("Restart 1: going on from the last checkpoint"), std::string::npos) << output;
  std::smatch resumed;
  ASSERT_TRUE(std::regex_search(output, resumed, std::regex(R"(Resumed from the checkpoint of step (\d+) )")))
      << output;
  const auto done = static_cast<std::size_t>(std::stoi(resumed[1]));
  EXPECT_GE(done, 5U);
  const auto before = stepLines(output.substr(0, static_cast<std::size_t>(resumed.position())));
  const auto after = stepLines(output.substr(static_cast<std::size_t>(resumed.position())));
  EXPECT_EQ(before, std::vector<std::string>(expected.begin(),
                                             expected.begin() + static_cast<std::ptrdiff_t>(before.size())));
  EXPECT_EQ(after,
            std::vector<std::string>(expected.begin() + static_cast<std::ptrdiff_t>(done), expected.end()))
      << "the curve of one that ran through";
}

// The variable is what lockstep-node and torchrun tell a restart with.
TEST_F(Recovery, OnlyARestartResumesByItself) {
  const Variables restart{{"TORCHELASTIC_RESTART_COUNT", "1"}};
  const std::vector<std::string> recipe{"--epochs", "1", "--batch-size", "48", "--checkpoint-dir", path("c")};
  const auto with = [&](const std::string& one) {
    auto all = recipe;
    all.push_back(one);
    return all;
  };
  EXPECT_EQ(finished(trainer(recipe)).find("Resumed"), std::string::npos);
  const std::string again = finished(trainer(recipe));
  EXPECT_EQ(again.find("Resumed"), std::string::npos) << again;
  EXPECT_EQ(stepLines(again).size(), 10U) << "a first start begins at the beginning, whatever lies there";

  const std::string resumed = finished(trainer(recipe, restart));
  EXPECT_NE(resumed.find("Resumed from the checkpoint of step 10 "), std::string::npos) << resumed;
  const std::string told = finished(trainer(with("--no-resume"), restart));
  EXPECT_NE(told.find("Restart 1: starting from the beginning, as --no-resume has it"), std::string::npos)
      << told;
  EXPECT_EQ(stepLines(told).size(), 10U);
  EXPECT_NE(finished(trainer(with("--resume"))).find("Resumed from the checkpoint"), std::string::npos);
  const std::string without = finished(trainer({"--epochs", "1", "--batch-size", "48"}, restart));
  EXPECT_NE(without.find("warning: restart 1: starting from the beginning"), std::string::npos) << without;
}

TEST_F(Recovery, ARestartTakesNoCheckpointOfAnEarlierTraining) {
  const std::vector<std::string> recipe{"--epochs", "1", "--batch-size", "48", "--checkpoint-dir", path("c")};
  finished(trainer(recipe));
  {
    auto second = recipe;
    second.insert(second.end(), {"--batch-size", "8", "--checkpoint-every", "1000"});
    second.erase(second.begin() + 2, second.begin() + 4);
    auto killed = trainer(second);
    ASSERT_TRUE(killed.waitUntilItSays("loss:")) << killed.output();
    killed.signal(SIGKILL);
    EXPECT_EQ(killed.exitCode(), 128 + SIGKILL);
  }
  const std::string restarted = finished(trainer(recipe, {{"TORCHELASTIC_RESTART_COUNT", "1"}}));
  EXPECT_NE(restarted.find("No checkpoint of this training in"), std::string::npos) << restarted;
  EXPECT_EQ(stepLines(restarted).size(), 10U);
}

// Agent and ranks of the main node are killed as by a power cut; the others take over, and the curve is the
// one that a single rank has. At a larger learning rate the loss falls so steeply that the order in which floats are summed,
// which depends on the number of ranks and on the processor, shows in its second digit.
TEST_F(Recovery, TheLossOfTheMainNodeDoesNotEndTheRun) {
  const std::string recipe =
      "--epochs 2 --global-batch-size 12 --dropout 0 --learning-rate 0.01 --checkpoint-every 5 "
      "--checkpoint-dir work-dir";
  const auto expected = epochLosses(finished(
      trainer({"--epochs", "2", "--batch-size", "12", "--dropout", "0", "--learning-rate", "0.01"})));
  ASSERT_EQ(expected.size(), 4U);
  const Variables allowed{{"LOCKSTEP_MAX_RESTARTS", "1"}, {"LOCKSTEP_MIN_NODES", "2"}};
  std::vector<StartedProgram> nodes;
  for (int rank = 0; rank < 3; ++rank) nodes.push_back(node(rank, 3, recipe, allowed));
  ASSERT_TRUE(nodes[0].waitUntilItSays("Saved a checkpoint of step")) << nodes[0].output();
  nodes[0].signal(SIGKILL);
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(nodes[i].exitCode(std::chrono::minutes(4)), 0) << nodes[i].output();
    EXPECT_TRUE(nodes[i].says("main was lost while its ranks ran")) << nodes[i].output();
    EXPECT_TRUE(nodes[i].says("the run continues with 2 of 3 nodes")) << nodes[i].output();
  }
  EXPECT_TRUE(nodes[1].says("worker_0 is the main node from now on")) << nodes[1].output();
  EXPECT_TRUE(nodes[1].says("Rank 0 of 2: ")) << nodes[1].output();
  EXPECT_TRUE(nodes[2].says("Rank 1 of 2: ")) << nodes[2].output();
  EXPECT_TRUE(nodes[1].says("Resumed from the checkpoint of step ")) << nodes[1].output();
  EXPECT_TRUE(std::filesystem::exists(dir_.path() / "work" / "Undefined" / "stop"));
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "work" / "Undefined" / "lockstep" / "failure.json"));
  // The mean over the first epoch leaves out what was taken before the loss.
  const auto losses = epochLosses(nodes[1].output());
  ASSERT_GE(losses.size(), 3U) << nodes[1].output();
  EXPECT_NEAR(losses[losses.size() - 1], expected[3], 0.003);
  EXPECT_NEAR(losses[losses.size() - 3], expected[1], 0.003);
}

}  // namespace
}  // namespace lockstep::trainer
