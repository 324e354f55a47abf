// SPDX-License-Identifier: GPL-3.0-or-later
// What a training comes to: the same curve on any number of ranks, after a stop, and in Python.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "base/atomic_file.h"
#include "base/captured_process.h"
#include "started_program.h"
#include "temp_dir.h"
#include "torch_zip.h"
#include "trainer/data/drawn_data.h"
#include "trainer/ddp/base/exit_codes.h"

namespace lockstep::trainer {
namespace {

using Arguments = std::vector<std::string>;
using Losses = std::vector<double>;

class Training : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return (dir_.path() / name).string(); }

  std::vector<StartedProgram> start(int world, const Arguments& more) {
    const int port = freePort();
    std::vector<StartedProgram> ranks;
    for (int rank = 0; rank < world; ++rank) {
      Arguments command{program("lockstep-trainer"), "--data-dir", path(data_), "--output-dir", path("out")};
      command.insert(command.end(), more.begin(), more.end());
      ranks.emplace_back(dir_.path() / ("output-" + std::to_string(started_++)), command,
                         std::map<std::string, std::string>{{"RANK", std::to_string(rank)},
                                                            {"LOCAL_RANK", std::to_string(rank)},
                                                            {"WORLD_SIZE", std::to_string(world)},
                                                            {"MASTER_ADDR", "127.0.0.1"},
                                                            {"MASTER_PORT", std::to_string(port)}});
    }
    return ranks;
  }

  // What rank 0 printed.
  std::string train(int world, const Arguments& more) {
    auto ranks = start(world, more);
    for (auto& rank : ranks) EXPECT_EQ(rank.exitCode(std::chrono::minutes(5)), kExitDone) << rank.output();
    return ranks[0].output();
  }

  TempDir dir_;
  std::string data_ = "data";
  int started_ = 0;
};

std::string joined(const Arguments& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

Arguments linesLike(const std::string& output, const std::string& pattern) {
  Arguments lines;
  const std::regex line(pattern);
  for (std::sregex_iterator it(output.begin(), output.end(), line), end; it != end; ++it)
    lines.push_back((*it)[1]);
  return lines;
}

// Training and test loss of each epoch.
Losses epochLosses(const std::string& output) {
  Losses losses;
  const std::regex line(R"(Epoch \d+/\d+: loss ([0-9.]+), test loss ([0-9.]+))");
  for (std::sregex_iterator it(output.begin(), output.end(), line), end; it != end; ++it) {
    losses.push_back(std::stod((*it)[1]));
    losses.push_back(std::stod((*it)[2]));
  }
  return losses;
}

void expectNear(const Losses& a, const Losses& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

// Sums in another order make differences of 1e-7 per step, which a training of some dozen steps multiplies by
// about a thousand; the lines show three decimals. See docs/decisions/0036-curve-tolerance.md.
constexpr double kCurveTolerance = 0.003;

TEST_F(Training, OneTwoAndFourRanksHaveOneCurve) {
  ASSERT_TRUE(writeDrawnData(dir_.path() / "data", 160, 32, 1));
  const Arguments recipe{"--epochs",  "3", "--global-batch-size", "16",
                         "--dropout", "0", "--learning-rate",     "0.05"};
  const Losses alone = epochLosses(train(1, recipe));
  ASSERT_EQ(alone.size(), 6U);
  EXPECT_LT(alone[4], alone[0]) << "something is learned";
  expectNear(alone, epochLosses(train(2, recipe)), kCurveTolerance);
  expectNear(alone, epochLosses(train(4, recipe)), kCurveTolerance);
  if (!LOCKSTEP_WITH_GLOO) return;
  Arguments overGloo = recipe;
  overGloo.insert(overGloo.end(), {"--no-shared-memory", "--accumulate", "2"});
  expectNear(alone, epochLosses(train(2, overGloo)), kCurveTolerance);
}

constexpr const char* kPythonTraining = R"(
import sys, torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import DistributedSampler
class Net(nn.Module):
    def __init__(s):
        super().__init__()
        s.conv1, s.conv2, s.conv3 = nn.Conv2d(3, 32, 3), nn.Conv2d(32, 64, 3), nn.Conv2d(64, 128, 3)
        s.fc1, s.fc2, s.fc3 = nn.Linear(4608, 120), nn.Linear(120, 84), nn.Linear(84, 10)
    def forward(s, x):
        x = F.relu(s.conv1(x)); x = F.max_pool2d(F.relu(s.conv2(x)), 2); x = F.max_pool2d(F.relu(s.conv3(x)), 2)
        return s.fc3(F.relu(s.fc2(F.relu(s.fc1(x.reshape(-1, 4608))))))
def read(names):
    raw = torch.cat([torch.frombuffer(bytearray(open(n, 'rb').read()), dtype=torch.uint8).view(-1, 3073) for n in names])
    return raw[:, 1:].view(-1, 3, 32, 32).float().div(127.5).sub(1), raw[:, 0].long()
dir, kind = sys.argv[1], sys.argv[2]
x, y = read([dir + '/data/data_batch_%d.bin' % i for i in range(1, 6)])
tx, ty = read([dir + '/data/test_batch.bin'])
torch.manual_seed(4)
net = Net()
torch.save(net.state_dict(), dir + '/weights.pt')
opt = (torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9, weight_decay=0.01) if kind == 'sgd' else
       torch.optim.AdamW(net.parameters(), lr=0.0003))
for epoch in range(3):
    sampler = DistributedSampler(x, num_replicas=1, rank=0, shuffle=True, seed=1); sampler.set_epoch(epoch)
    order, losses = list(sampler), []
    for i in range(0, len(order), 16):
        j = order[i:i + 16]
        opt.zero_grad(); loss = F.cross_entropy(net(x[j]), y[j]); loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step(); losses.append(loss.item())
    with torch.no_grad(): test = F.cross_entropy(net(tx), ty).item()
    print('Epoch %d/3: loss %.3f, test loss %.3f' % (epoch + 1, sum(losses) / len(losses), test))
)";

TEST_F(Training, HasTheCurveOfPythonFromTheSameWeights) {
  const auto torch = runCaptured({"/usr/bin/python3", "-c", "import torch"}, std::chrono::minutes(2), {});
  if (!torch || !torch->exit.ok()) GTEST_SKIP() << "no torch for Python: apt-get install python3-torch";
  ASSERT_TRUE(writeDrawnData(dir_.path() / "data", 160, 32, 1));
  for (const std::string kind : {"sgd", "adamw"}) {
    const auto python = runCaptured({"/usr/bin/python3", "-c", kPythonTraining, dir_.path().string(), kind},
                                    std::chrono::minutes(5), {});
    ASSERT_TRUE(python) << describe(python.error());
    ASSERT_TRUE(python->exit.ok()) << python->errors;
    Arguments recipe{"--epochs",         "3", "--global-batch-size", "16",
                     "--dropout",        "0", "--weights",           path("weights.pt"),
                     "--clip-grad-norm", "1", "--optimizer",         kind,
                     "--learning-rate"};
    if (kind == "sgd") recipe.insert(recipe.end(), {"0.02", "--weight-decay", "0.01"});
    if (kind == "adamw") recipe.emplace_back("0.0003");
    const Losses theirs = epochLosses(python->output);
    ASSERT_EQ(theirs.size(), 6U) << python->output;
    // AdamW divides by the size of the gradient: where that is rounding alone, it moves weights all the same.
    const double tolerance = kind == "sgd" ? kCurveTolerance : 5 * kCurveTolerance;
    expectNear(theirs, epochLosses(train(1, recipe)), tolerance);
    expectNear(theirs, epochLosses(train(2, recipe)), tolerance);
  }
}

constexpr const char* kStepLine = R"((\[\d+, +\d+\] loss: [0-9.]+))";

// With dropout and augmentation, so that every draw has to be what it would have been.
TEST_F(Training, StoppedAndResumedHasTheCurveOfOneThatRanThrough) {
  ASSERT_TRUE(writeDrawnData(dir_.path() / "data", 640, 16, 1));
  const Arguments recipe{
      "--epochs", "2",         "--batch-size",    "8",           "--print-freq", "1", "--learning-rate",
      "0.02",     "--augment", "--deterministic", "--optimizer", "adamw"};
  const std::string whole = train(2, recipe);
  const Arguments expected = linesLike(whole, kStepLine);
  ASSERT_EQ(expected.size(), 80U);

  Arguments stopped = recipe;
  stopped.insert(stopped.end(), {"--checkpoint-dir", path("checkpoints"), "--resume"});
  std::string first;
  {
    auto ranks = start(2, stopped);
    ASSERT_TRUE(ranks[0].waitUntilItSays("[1,     7] loss")) << ranks[0].output();
    for (auto& rank : ranks) rank.signal(SIGTERM);
    for (auto& rank : ranks) EXPECT_EQ(rank.exitCode(), kExitTerminated) << rank.output();
    first = ranks[0].output();
    EXPECT_NE(first.find("No checkpoint in"), std::string::npos);
    EXPECT_NE(first.find("Saved a checkpoint of step"), std::string::npos) << first;
  }
  const Arguments before = linesLike(first, kStepLine);
  ASSERT_LT(before.size(), expected.size());
  const std::string second = train(2, stopped);
  EXPECT_NE(second.find("Resumed from the checkpoint of step " + std::to_string(before.size())),
            std::string::npos)
      << second;
  EXPECT_EQ(joined(before) + joined(linesLike(second, kStepLine)), joined(expected));
  EXPECT_EQ(linesLike(whole, R"((Epoch 2/2: .*) %)"), linesLike(second, R"((Epoch 2/2: .*) %)"));
}

TEST_F(Training, ResumesWithAnotherNumberOfRanks) {
  ASSERT_TRUE(writeDrawnData(dir_.path() / "data", 160, 32, 1));
  const Arguments recipe{"--global-batch-size", "16", "--dropout", "0", "--learning-rate", "0.02"};
  const auto with = [&](Arguments more) {
    more.insert(more.begin(), recipe.begin(), recipe.end());
    return more;
  };
  const Losses whole = epochLosses(train(2, with({"--epochs", "3"})));
  train(2, with({"--epochs", "1", "--checkpoint-dir", path("c")}));
  const std::string rest = train(1, with({"--epochs", "3", "--checkpoint-dir", path("c"), "--resume"}));
  expectNear({whole.begin() + 2, whole.end()}, epochLosses(rest), kCurveTolerance);
}

TEST_F(Training, ABrokenCheckpointGivesWayToTheOneBefore) {
  ASSERT_TRUE(writeDrawnData(dir_.path() / "data", 80, 16, 1));
  const Arguments recipe{
      "--epochs",   "1",          "--batch-size", "8", "--checkpoint-dir", "work-dir",           "--resume",
      "--work-dir", path("work"), "--job-id",     "J", "--no-metrics",     "--checkpoint-every", "4"};
  train(1, recipe);
  const auto newest = dir_.path() / "work" / "J" / "lockstep" / "checkpoints" / "step-0000000008.pt";
  std::string bytes = *readFile(newest);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  ASSERT_TRUE(writeFileAtomically(newest, bytes));
  const std::string output = train(1, recipe);
  EXPECT_NE(output.find("step-0000000008' is broken: its checksum is wrong; taking the one before"),
            std::string::npos)
      << output;
  EXPECT_NE(output.find("Resumed from the checkpoint of step 4 "), std::string::npos) << output;
}

// As when a platform takes one machine away: the others learn of it with the step, and nothing is lost.
TEST_F(Training, OneRankThatIsToldToStopStopsAllWithACheckpoint) {
  ASSERT_TRUE(writeDrawnData(dir_.path() / "data", 2000, 16, 1));
  auto ranks =
      start(2, {"--epochs", "1000", "--batch-size", "8", "--print-freq", "1", "--checkpoint-dir", path("c")});
  ASSERT_TRUE(ranks[1].waitUntilItSays("[1,     5] loss")) << ranks[1].output();
  ranks[1].signal(SIGTERM);
  EXPECT_EQ(ranks[1].exitCode(), kExitTerminated) << ranks[1].output();
  EXPECT_EQ(ranks[0].exitCode(), kExitPeerLost) << ranks[0].output();
  EXPECT_TRUE(ranks[0].says("Saved a checkpoint of step")) << ranks[0].output();
  EXPECT_TRUE(std::filesystem::exists(dir_.path() / "c" / "last-good"));
}

TEST_F(Training, EveryKindOfDataHasANetworkThatLearnsIt) {
  struct Case {
    std::string name;
    Arguments arguments;
  };
  for (const Case& c : std::vector<Case>{
           {"mnist", {"--model", "mnist", "--learning-rate", "0.02"}},
           {"gpt",
            {"--model", "gpt-tiny", "--sequence-length", "32", "--optimizer", "adamw", "--clip-grad-norm",
             "1"}},
           {"images", {"--model", "resnet18", "--data", "images", "--image-size", "16", "--workers", "2"}},
           {"bf16", {"--precision", "bf16", "--learning-rate", "0.02", "--no-padding"}}}) {
    Arguments arguments{"--make-data", "121", "--epochs", "2", "--batch-size", "8"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    data_ = c.name;
    const std::string output = train(2, arguments);
    const Losses losses = epochLosses(output);
    ASSERT_EQ(losses.size(), 4U) << output;
    EXPECT_LT(losses[2], losses[0]) << output;
    EXPECT_NE(output.find("Saved it as TorchScript"), std::string::npos) << output;
  }
}

// Its header says so many pixels that they would be 12 GB; nothing else of it is wrong.
TEST_F(Training, APictureThatClaimsToFillTheMemoryEndsItByName) {
  ASSERT_TRUE(writeDrawnData(DataKind::Images, dir_.path() / "data", 40, 8, 1));
  std::filesystem::path picture;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_.path() / "data" / "train"))
    if (entry.path().extension() == ".png") picture = entry.path();
  auto bytes = readFile(picture);
  ASSERT_TRUE(bytes && bytes->size() > 33);
  const std::string side{'\0', '\0', '\xff', '\xdc'};
  bytes->replace(16, 8, side + side);
  const std::uint32_t sum = crc32Of(bytes->substr(12, 17));
  for (std::size_t i = 0; i < 4; ++i) (*bytes)[29 + i] = static_cast<char>(sum >> (24 - 8 * i));
  ASSERT_TRUE(writeFileAtomically(picture, *bytes));
  auto ranks = start(1, {"--model", "resnet18", "--data", "images", "--image-size", "16", "--workers", "2",
                         "--epochs", "1", "--batch-size", "8"});
  EXPECT_EQ(ranks[0].exitCode(), kExitBadData) << ranks[0].output();
  EXPECT_TRUE(ranks[0].says(picture.filename().string())) << ranks[0].output();
  EXPECT_TRUE(ranks[0].says("65500 x 65500 pixels")) << ranks[0].output();
}

TEST_F(Training, AGptLearnsBpeTokensThatOneRankEncodes) {
  ASSERT_TRUE(writeDrawnData(DataKind::Text, dir_.path() / "data", 400, 80, 1));
  const auto made =
      runCaptured({program("lockstep-trainer"), "make-tokenizer", path("data"), "--vocabulary", "320"},
                  std::chrono::minutes(1), {});
  ASSERT_TRUE(made && made->exit.ok()) << made->errors;
  EXPECT_NE(made->output.find("Learned 320 tokens"), std::string::npos) << made->output;
  auto ranks = start(2, {"--model", "gpt-tiny", "--sequence-length", "16", "--optimizer", "adamw", "--tokens",
                         "bpe", "--epochs", "2", "--batch-size", "8"});
  std::string output;
  for (auto& rank : ranks) {
    EXPECT_EQ(rank.exitCode(std::chrono::minutes(5)), kExitDone) << rank.output();
    output += rank.output();
  }
  const Losses losses = epochLosses(output);
  ASSERT_EQ(losses.size(), 4U) << output;
  EXPECT_LT(losses[2], losses[0]) << output;
  EXPECT_LT(losses[3], losses[1]) << output;
  EXPECT_LT(losses[0], 6.2) << "not much above the logarithm of 320 tokens, not of 50,304\n" << output;
  EXPECT_EQ(linesLike(output, "(Encoded '[^']*train.txt' into [0-9]+ tokens)").size(), 1U) << output;
}

TEST_F(Training, AVocabularyThatIsNoneIsDamagedData) {
  ASSERT_TRUE(writeDrawnData(DataKind::Text, dir_.path() / "data", 40, 8, 1));
  ASSERT_TRUE(writeFileAtomically(dir_.path() / "data" / "vocab.json", R"({"a": 1})"));
  ASSERT_TRUE(writeFileAtomically(dir_.path() / "data" / "merges.txt", "#version: 0.2\n"));
  auto ranks = start(1, {"--model", "gpt-tiny"});
  EXPECT_EQ(ranks[0].exitCode(), kExitBadData) << ranks[0].output();
  EXPECT_TRUE(
      ranks[0].says("vocab.json: the vocabulary is none of a byte-level BPE: the byte 0x00 has no token"))
      << ranks[0].output();
}

TEST_F(Training, EndsEarlyWhenNothingGetsBetter) {
  ASSERT_TRUE(writeDrawnData(dir_.path() / "data", 40, 16, 1));
  const std::string output = train(2, {"--epochs", "50", "--learning-rate", "0", "--early-stop", "2"});
  EXPECT_NE(output.find("Stopped early: no better test loss in 2 epochs"), std::string::npos) << output;
  EXPECT_EQ(epochLosses(output).size(), 6U) << "the best is the first of three";
}

}  // namespace
}  // namespace lockstep::trainer
