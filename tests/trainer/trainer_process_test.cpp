// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks as real processes on loopback.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "metrics/metric_reader.h"
#include "started_program.h"
#include "temp_dir.h"
#include "trainer/data/drawn_data.h"
#include "trainer/ddp/base/exit_codes.h"
#include "trainer/ddp/device/device_queue.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::trainer {
namespace {

using Arguments = std::vector<std::string>;

class TrainerProcess : public ::testing::Test {
 protected:
  void SetUp() override { port_ = freePort(); }

  void draw(int images) { ASSERT_TRUE(writeDrawnData(dir_.path() / "data", images, images / 5, 1)); }

  StartedProgram start(int rank, int world, const Arguments& more = {}) {
    Arguments command{program("lockstep-trainer"), "--data-dir", (dir_.path() / "data").string(),
                      "--output-dir", (dir_.path() / "out").string()};
    command.insert(command.end(), more.begin(), more.end());
    const auto n = started_++;
    return StartedProgram(dir_.path() / ("rank-" + std::to_string(rank) + "-" + std::to_string(n)), command,
                          {{"RANK", std::to_string(rank)},
                           {"LOCAL_RANK", std::to_string(rank)},
                           {"WORLD_SIZE", std::to_string(world)},
                           {"MASTER_ADDR", "127.0.0.1"},
                           {"MASTER_PORT", std::to_string(port_)}});
  }

  std::vector<StartedProgram> startAll(int world, const Arguments& more) {
    std::vector<StartedProgram> ranks;
    for (int rank = 0; rank < world; ++rank) ranks.push_back(start(rank, world, more));
    return ranks;
  }

  TempDir dir_;
  int port_ = 0;
  int started_ = 0;
};

double accuracyIn(const std::string& output) {
  std::smatch match;
  const std::regex line(R"(Accuracy of the network on the \d+ test images: ([0-9.]+) %)");
  return std::regex_search(output, match, line) ? std::stod(match[1]) : -1;
}

std::vector<double> epochLosses(const std::string& output) {
  std::vector<double> losses;
  const std::regex line(R"(Epoch \d+/\d+: loss ([0-9.]+),)");
  for (std::sregex_iterator it(output.begin(), output.end(), line), end; it != end; ++it)
    losses.push_back(std::stod((*it)[1]));
  return losses;
}

TEST_F(TrainerProcess, TwoRanksLearnTheDrawnClassesAndSaveTheModel) {
  auto ranks = startAll(2, {"--make-data", "1500", "--epochs", "4", "--batch-size", "16", "--learning-rate",
                            "0.02", "--print-freq", "20"});
  for (auto& rank : ranks) EXPECT_EQ(rank.exitCode(), kExitDone) << rank.output();
  const std::string output = ranks[0].output();
  const auto losses = epochLosses(output);
  ASSERT_EQ(losses.size(), 4U) << output;
  EXPECT_LT(losses[3], losses[0] * 0.8);
  EXPECT_GT(accuracyIn(output), 30) << output;
  EXPECT_TRUE(std::regex_search(output, std::regex(R"(\[2,    40\] loss: [0-9.]+)"))) << output;
  EXPECT_TRUE(ranks[0].says("Accuracy for class: disc"));
  EXPECT_TRUE(ranks[0].says("Finished Training"));
  EXPECT_TRUE(ranks[1].says("Finished Training"));
  EXPECT_FALSE(ranks[1].says("Accuracy of the network"));  // rank 0 speaks for all
  EXPECT_GT(std::filesystem::file_size(dir_.path() / "out" / "cifar_net.pt"), 2'600'000U);
}

TEST_F(TrainerProcess, AReaderThatGoesAwayEndsNoTraining) {
  const std::string out = (dir_.path() / "out").string();
  const std::string command = "'" + program("lockstep-trainer") + "' --make-data 200 --data-dir '" +
                              (dir_.path() / "data").string() + "' --output-dir '" + out +
                              "' --epochs 1 --print-freq 1 | head -n 1; exit ${PIPESTATUS[0]}";
  StartedProgram shell(dir_.path() / "shell", {"/bin/bash", "-c", command}, {});
  EXPECT_EQ(shell.exitCode(), kExitDone) << shell.output();
  EXPECT_TRUE(std::filesystem::exists(out + "/cifar_net.pt"));
}

TEST_F(TrainerProcess, SurvivorsNameTheKilledRank) {
  draw(2000);
  auto ranks = startAll(3, {"--epochs", "1000", "--batch-size", "8", "--print-freq", "1"});
  ASSERT_TRUE(ranks[1].waitUntilItSays("loss:")) << ranks[1].output();
  ranks[1].signal(SIGKILL);
  for (const int survivor : {0, 2}) {
    auto& rank = ranks[static_cast<std::size_t>(survivor)];
    EXPECT_EQ(rank.exitCode(), kExitPeerLost) << rank.output();
    EXPECT_TRUE(rank.says(": rank 1 (host ")) << rank.output();
    EXPECT_TRUE(rank.says("pid " + std::to_string(ranks[1].pid()) + ") is gone")) << rank.output();
  }
}

TEST_F(TrainerProcess, SurvivorsOverGlooNameTheKilledRank) {
  if (!LOCKSTEP_WITH_GLOO) GTEST_SKIP() << "this build has no Gloo";
  draw(2000);
  auto ranks =
      startAll(3, {"--epochs", "1000", "--batch-size", "8", "--print-freq", "1", "--no-shared-memory"});
  ASSERT_TRUE(ranks[1].waitUntilItSays("gradients over gloo")) << ranks[1].output();
  ASSERT_TRUE(ranks[1].waitUntilItSays("loss:")) << ranks[1].output();
  ranks[1].signal(SIGKILL);
  for (const std::size_t survivor : {0U, 2U}) {
    EXPECT_EQ(ranks[survivor].exitCode(), kExitPeerLost) << ranks[survivor].output();
    EXPECT_TRUE(ranks[survivor].says("pid " + std::to_string(ranks[1].pid()) + ") is gone"))
        << ranks[survivor].output();
  }
}

TEST_F(TrainerProcess, SurvivorsNameRankZeroToo) {
  draw(2000);
  auto ranks = startAll(2, {"--epochs", "1000", "--batch-size", "8", "--print-freq", "1"});
  ASSERT_TRUE(ranks[0].waitUntilItSays("loss:")) << ranks[0].output();
  ranks[0].signal(SIGKILL);
  EXPECT_EQ(ranks[1].exitCode(), kExitPeerLost);
  EXPECT_TRUE(ranks[1].says(": rank 0 (host ")) << ranks[1].output();
}

TEST_F(TrainerProcess, AFrozenRankIsNamedAfterTheTimeout) {
  draw(2000);
  auto ranks = startAll(2, {"--epochs", "1000", "--batch-size", "8", "--print-freq", "1", "--timeout", "10"});
  ASSERT_TRUE(ranks[1].waitUntilItSays("loss:")) << ranks[1].output();
  ranks[1].signal(SIGSTOP);
  EXPECT_EQ(ranks[0].exitCode(), kExitTimedOut) << ranks[0].output();
  EXPECT_TRUE(ranks[0].says("is frozen or cut off")) << ranks[0].output();
  ranks[1].signal(SIGKILL);
}

TEST_F(TrainerProcess, WorldSizesThatDisagreeAreNamedByAllRanks) {
  draw(50);
  auto zero = start(0, 2);
  auto one = start(1, 3);
  auto two = start(2, 3);
  for (StartedProgram* rank : {&zero, &one, &two}) {
    EXPECT_EQ(rank->exitCode(), kExitDisagreement) << rank->output();
    EXPECT_TRUE(rank->says("the ranks disagree about WORLD_SIZE: 2 on rank 0")) << rank->output();
  }
}

// Here the ranks that came are as many as rank 0 waits for.
TEST_F(TrainerProcess, AWorldSizeThatRankZeroThinksIsFullIsStillComparedFirst) {
  draw(50);
  auto zero = start(0, 2);
  auto one = start(1, 3);
  for (StartedProgram* rank : {&zero, &one}) {
    EXPECT_EQ(rank->exitCode(), kExitDisagreement) << rank->output();
    EXPECT_TRUE(rank->says("the ranks disagree about WORLD_SIZE: 2 on rank 0")) << rank->output();
  }
}

TEST_F(TrainerProcess, ARankUsedTwiceIsNamedByAllRanks) {
  draw(50);
  auto zero = start(0, 3);
  auto one = start(1, 3);
  auto other = start(1, 3);
  for (StartedProgram* rank : {&zero, &one, &other}) {
    EXPECT_EQ(rank->exitCode(), kExitRankTwice) << rank->output();
    EXPECT_TRUE(rank->says("RANK=1 is used twice")) << rank->output();
    EXPECT_TRUE(rank->says("pid " + std::to_string(one.pid()))) << rank->output();
    EXPECT_TRUE(rank->says("pid " + std::to_string(other.pid()))) << rank->output();
  }
}

TEST_F(TrainerProcess, MissingRanksAreNamedAfterTheTimeout) {
  draw(50);
  auto zero = start(0, 4, {"--timeout", "5"});
  auto two = start(2, 4, {"--timeout", "60"});
  for (StartedProgram* rank : {&zero, &two}) {
    EXPECT_EQ(rank->exitCode(), kExitNotJoined) << rank->output();
    EXPECT_TRUE(rank->says("still missing: rank 1, rank 3")) << rank->output();
  }
}

TEST_F(TrainerProcess, BadInputIsRefusedWithItsName) {
  auto noData = start(0, 1);
  EXPECT_EQ(noData.exitCode(), kExitBadData);
  EXPECT_TRUE(noData.says("missing: data_batch_1.bin")) << noData.output();
  if (!buildHasDevices()) {
    auto nccl = start(0, 1, {"--backend", "nccl"});
    EXPECT_EQ(nccl.exitCode(), kExitUsage);
    EXPECT_TRUE(nccl.says("LibTorch is for CPUs only")) << nccl.output();
  }
  auto half = start(0, 1, {"--bench", "5", "--precision", "fp16"});
  EXPECT_EQ(half.exitCode(), kExitUsage);
  EXPECT_TRUE(half.says("fp16")) << half.output();
  auto network = start(0, 1, {"--make-data", "50", "--model", "mnist", "--data", "cifar10"});
  EXPECT_EQ(network.exitCode(), kExitUsage);
  EXPECT_TRUE(network.says("--model mnist cannot learn this data")) << network.output();
  auto unknown = start(0, 1, {"--no-such-option"});
  EXPECT_EQ(unknown.exitCode(), kExitUsage);
}

TEST_F(TrainerProcess, HelpNamesEveryArgumentOfTheGuide) {
  StartedProgram help(dir_.path() / "help", {program("lockstep-trainer"), "--help"}, {});
  EXPECT_EQ(help.exitCode(), 0);
  for (const char* name :
       {"--data-dir", "--epochs", "--batch-size", "--workers", "--learning-rate", "--momentum",
        "--output-dir", "--print-freq", "--backend", "--timeout", "--make-data", "--bench", "make-data",
        "--config", "--model", "--optimizer", "--schedule", "--checkpoint-dir", "--resume"}) {
    EXPECT_TRUE(help.says(name)) << name;
  }
}

TEST_F(TrainerProcess, BenchPrintsOneResultLinePerRank) {
  auto ranks = startAll(2, {"--bench", "5", "--batch-size", "8"});
  for (auto& rank : ranks) {
    EXPECT_EQ(rank.exitCode(), kExitDone) << rank.output();
    EXPECT_TRUE(std::regex_search(
        rank.output(),
        std::regex(
            R"(RESULT rank=\d world=2 .*samples_per_s=[0-9.]+ step_ms_median=[0-9.]+ .*hwm_mb=[0-9.]+ first_step_wall_ns=\d{19})")))
        << rank.output();
  }
}

// The network of torchvision for 1000 classes of ImageNet has 25,557,032 parameters.
TEST_F(TrainerProcess, BenchTakesSamplesOfAnotherShape) {
  auto images = start(0, 1,
                      {"--bench", "1", "--warm-up", "1", "--batch-size", "2", "--model", "resnet50",
                       "--bench-image-size", "64", "--bench-classes", "1000"});
  EXPECT_EQ(images.exitCode(), kExitDone);
  EXPECT_TRUE(images.says(" parameters=25557032\n")) << images.output();
  auto other = start(0, 1, {"--bench", "1", "--model", "cifar", "--bench-image-size", "64"});
  EXPECT_EQ(other.exitCode(), kExitUsage);
  EXPECT_TRUE(other.says("it has images of 64 x 64 x 3")) << other.output();
}

TEST_F(TrainerProcess, SigtermLosesNoStep) {
  draw(2000);
  const std::string workDir = (dir_.path() / "work").string();
  auto ranks = startAll(2, {"--epochs", "1000", "--batch-size", "8", "--print-freq", "1", "--work-dir",
                            "file://" + workDir, "--job-id", "J"});
  ASSERT_TRUE(ranks[0].waitUntilItSays("[1,    15] loss:")) << ranks[0].output();
  ranks[0].signal(SIGTERM);
  ranks[1].signal(SIGTERM);
  std::map<int, std::size_t> printed;
  for (int rank = 0; rank < 2; ++rank) {
    auto& process = ranks[static_cast<std::size_t>(rank)];
    EXPECT_EQ(process.exitCode(), kExitTerminated) << process.output();
    const std::string output = process.output();
    const std::regex line(R"(\[\d+, +\d+\] loss:)");
    printed[rank] = static_cast<std::size_t>(
        std::distance(std::sregex_iterator(output.begin(), output.end(), line), std::sregex_iterator()));
  }
  MetricReader reader(openFolder(workDir), "J/lockstep/metrics/");
  std::map<int, std::vector<Step>> steps;
  for (int poll = 0; poll < 20; ++poll) {
    const auto update = reader.poll({});
    ASSERT_TRUE(update) << describe(update.error());
    for (const auto& batch : update->batches) {
      if (batch.name != metric::kLoss) continue;
      for (const auto& point : batch.points) steps[batch.rank.value].push_back(point.step);
    }
    if (!update->isBehind && update->batches.empty()) break;
  }
  for (auto& [rank, recorded] : steps) {
    std::sort(recorded.begin(), recorded.end());
    ASSERT_GE(recorded.size(), printed[rank]);
    for (std::size_t i = 0; i < recorded.size(); ++i)
      EXPECT_EQ(recorded[i], static_cast<Step>(i)) << "rank " << rank;
  }
  EXPECT_EQ(steps.size(), 2U);
}

// Over both transports: the parts of every step sum to it, and waiting is told apart.
TEST_F(TrainerProcess, EveryStepIsAccountedForAndTheHeartbeatNamesAllRanks) {
  draw(400);
  for (const bool shared : {true, false}) {
    if (!shared && !LOCKSTEP_WITH_GLOO) continue;
    const std::string job = shared ? "shared" : "gloo";
    Arguments more{"--epochs",
                   "1",
                   "--batch-size",
                   "20",
                   "--print-freq",
                   "1",
                   "--json",
                   "--work-dir",
                   "file://" + (dir_.path() / "work").string(),
                   "--job-id",
                   job,
                   "--tensorboard",
                   (dir_.path() / "board" / job).string(),
                   "--check-parameters",
                   "1"};
    if (!shared) more.emplace_back("--no-shared-memory");
    port_ = freePort();
    auto ranks = startAll(2, more);
    double waited = 0;
    for (auto& rank : ranks) {
      EXPECT_EQ(rank.exitCode(), kExitDone) << rank.output();
      std::istringstream lines(rank.output());
      int steps = 0;
      for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("{")) continue;
        ++steps;
        const auto json = nlohmann::json::parse(line);
        double sum = 0;
        for (const auto part :
             {metric::kDataMs, metric::kHostToDeviceMs, metric::kForwardMs, metric::kBackwardMs,
              metric::kWaitMs, metric::kTransferMs, metric::kOptimizerMs, metric::kOtherMs}) {
          const double ms = json[std::string(part)].get<double>();
          EXPECT_GT(ms, part == metric::kOtherMs ? -0.5 : -1e-9) << line;
          sum += ms;
        }
        EXPECT_NEAR(sum, json[std::string(metric::kStepMs)].get<double>(), 1e-6) << line;
        EXPECT_GT(json[std::string(metric::kReducedBytes)].get<double>(), 2'600'000) << line;
        waited += json[std::string(metric::kWaitMs)].get<double>();
      }
      EXPECT_EQ(steps, 10) << rank.output();
    }
    EXPECT_GT(waited, 0) << "two ranks never come at the same nanosecond";
    const auto text = openFolder(dir_.path() / "work")->get(layout::heartbeatFile(job), {});
    ASSERT_TRUE(text) << describe(text.error());
    EXPECT_TRUE(nlohmann::json::parse(*text)["ranks"].is_array());
    EXPECT_TRUE(std::filesystem::exists(dir_.path() / "board" / job / "rank-1"));
  }
}

}  // namespace
}  // namespace lockstep::trainer
