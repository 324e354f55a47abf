// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/node_metrics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "read_samples.h"
#include "temp_dir.h"
#include "trainer/ddp/metrics/tensor_board.h"

namespace lockstep::node {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class NodeMetricsTest : public testing::Test {
 protected:
  NodeMetricsTest() {
    settings_.jobId = "J";
    settings_.syncFolder = dir_.path() / "results";
    settings_.codeDir = dir_.path() / "code";
    fs::create_directories(settings_.syncFolder);
    environment_ = {{"TMPDIR", dir_.path().string()}, {"NVML_LIBRARY", LOCKSTEP_FAKE_NVML}};
  }
  std::unique_ptr<NodeMetrics> open(const std::vector<std::string>& command = {"python3", "train.py"}) {
    auto metrics = NodeMetrics::open(settings_, environment_, command, openFolder(dir_.path() / "work"));
    EXPECT_TRUE(metrics) << describe(metrics.error());
    return std::move(*metrics);
  }
  [[nodiscard]] Samples written() const { return samplesIn(dir_.path() / "work", "J/lockstep/metrics/"); }

  TempDir dir_;
  NodeSettings settings_;
  Environment environment_;
};

TEST_F(NodeMetricsTest, MeasuresProcessesNodeAndGpus) {
  const auto metrics = open();
  metrics->begin({{2, ::getpid(), {0}}, {3, 0, {1}}}, 4);
  std::this_thread::sleep_for(2500ms);
  metrics->end();
  const Samples samples = written();
  for (const char* name : {"cpu_percent", "memory_bytes", "node_cpu_percent", "node_memory_percent",
                           "gpu_percent", "gpu_power_watts"})
    EXPECT_FALSE(pointsOf(samples, 2, name).empty()) << name;
  EXPECT_EQ(pointsOf(samples, 3, "gpu_percent").front().second, 87);
  EXPECT_EQ(pointsOf(samples, 2, "gpu_processes").front().second, 1);
  EXPECT_EQ(pointsOf(samples, 3, "gpu_processes").front().second, 2) << "somebody else computes on it, too";
  EXPECT_TRUE(pointsOf(samples, 3, "cpu_percent").empty()) << "nobody knows which process it is";
}

/// What a listener was told, by rank and quantity.
struct Told {
  std::mutex mutex;
  std::map<std::pair<int, std::string>, double> values;
  std::map<int, Step> steps;
  NodeMetrics::Listener listener() {
    return [this](int rank, std::optional<Step> step, TimePoint, const std::vector<NamedValue>& some) {
      const std::lock_guard lock(mutex);
      if (step) steps[rank] = *step;
      for (const auto& [name, value] : some) values[{rank, std::string(name)}] = value;
    };
  }
};

TEST_F(NodeMetricsTest, AListenerIsToldAtOnce) {
  Told told;
  auto metrics = NodeMetrics::open(settings_, environment_, {"python3"}, openFolder(dir_.path() / "work"),
                                   told.listener());
  ASSERT_TRUE(metrics);
  (*metrics)->begin({{1, ::getpid(), {0}}}, 2);
  for (int step = 1; step <= 5; ++step) (*metrics)->onOutput(1, fmt::format("step {}: loss 0.5\n", step));
  std::this_thread::sleep_for(2500ms);
  (*metrics)->end();
  EXPECT_EQ((told.values.at({1, "gpu_percent"})), 11);
  EXPECT_EQ((told.values.at({1, "loss"})), 0.5);
  EXPECT_EQ(told.steps.at(1), 5);
}

// lockstep-trainer writes its metrics itself, and leaves them here where somebody is to be told.
TEST_F(NodeMetricsTest, OurOwnTrainerIsReadOnlyForAListener) {
  EXPECT_FALSE(open({"lockstep-trainer"}));
  Told told;
  auto metrics = NodeMetrics::open(settings_, environment_, {"/usr/bin/lockstep-trainer"},
                                   openFolder(dir_.path() / "work"), told.listener());
  ASSERT_TRUE(metrics && *metrics);
  Environment environment;
  (*metrics)->addTo(environment);
  EXPECT_FALSE(environment.contains("LOCKSTEP_METRICS_FOLDER"));
  (*metrics)->begin({{0, ::getpid(), {0}}}, 1);
  {
    MetricWriter writer(openFolder(environment.at("LOCKSTEP_NEWEST_FOLDER")), "", Rank(0), 1);
    writer.record(7, TimePoint(1'800'000'000s), {{"loss", 0.25}});
    ASSERT_TRUE(writer.flush(20s));
  }
  (*metrics)->end();
  EXPECT_EQ((told.values.at({0, "loss"})), 0.25);
  EXPECT_EQ(told.steps.at(0), 7);
  EXPECT_TRUE(written().empty()) << "it writes its own";
}

TEST_F(NodeMetricsTest, ReadsWhatRanksPrint) {
  const auto metrics = open();
  metrics->begin({{0, ::getpid(), {}}}, 1);
  for (int step = 1; step <= 50; ++step)
    metrics->onOutput(0, fmt::format("step {}: loss {}\n", step, 1.0 / step));
  metrics->end();
  const auto points = pointsOf(written(), 0, "loss");
  ASSERT_EQ(points.size(), 50U);
  EXPECT_EQ(points.back(), (std::pair<Step, double>(50, 0.02)));
}

TEST_F(NodeMetricsTest, ReadsWhatScriptsRecord) {
  const auto metrics = open();
  Environment environment{{"PYTHONPATH", "/own"}};
  metrics->addTo(environment);
  const fs::path folder = environment.at("LOCKSTEP_METRICS_FOLDER");
  EXPECT_EQ(environment.at("PYTHONPATH"), "/own:" + (folder / "python").string());
  metrics->begin({{1, ::getpid(), {}}}, 2);
  MetricSegment segment;
  segment.rank = Rank(1);
  segment.append(5, TimePoint(1'800'000'000s), {{"loss", 0.25}, {"own", 7}});
  fs::create_directories(folder / "rank-00001/1-a");
  std::ofstream(folder / "rank-00001/1-a/0000000000.lsm", std::ios::binary) << encodeSegment(segment);
  metrics->end();
  const Samples samples = written();
  EXPECT_EQ(pointsOf(samples, 1, "loss"), (std::vector<std::pair<Step, double>>{{5, 0.25}}));
  EXPECT_EQ(pointsOf(samples, 1, "own").size(), 1U);
}

TEST_F(NodeMetricsTest, ReadsWhatIsWrittenForTensorBoard) {
  const auto metrics = open({"python3", "train.py", "--logdir", (dir_.path() / "board").string()});
  metrics->begin({{0, 0, {}}, {1, ::getpid(), {}}}, 2);
  // This process, which counts as rank 1, writes the file.
  auto board = trainer::TensorBoardWriter::open(dir_.path() / "board", 1);
  ASSERT_TRUE(board) << describe(board.error());
  (*board)->record(3, SystemClock().now(), {{"Loss/train", 0.25}, {"bleu", 21}});
  (*board)->record(4, SystemClock().now(), {{"Loss/train", 0.125}});
  ASSERT_TRUE((*board)->flush());
  metrics->end();
  const Samples samples = written();
  EXPECT_EQ(pointsOf(samples, 1, "loss"), (std::vector<std::pair<Step, double>>{{3, 0.25}, {4, 0.125}}));
  EXPECT_EQ(pointsOf(samples, 1, "bleu").size(), 1U);
  EXPECT_TRUE(pointsOf(samples, 0, "loss").empty());
}

TEST_F(NodeMetricsTest, SaysNothingOfOurOwnTrainer) {
  EXPECT_FALSE(open({"/usr/bin/lockstep-trainer", "--epochs", "2"}));
  environment_["LOCKSTEP_METRICS"] = "0";
  EXPECT_FALSE(open());
}

TEST_F(NodeMetricsTest, AWrongExpressionIsAnErrorBeforeAnythingStarts) {
  environment_["LOCKSTEP_METRIC_PATTERN"] = "loss (";
  const auto metrics = NodeMetrics::open(settings_, environment_, {"train.py"}, openFolder(dir_.path()));
  ASSERT_FALSE(metrics);
  EXPECT_TRUE(metrics.error().what.starts_with("LOCKSTEP_METRIC_PATTERN: ")) << metrics.error().what;
}

TEST_F(NodeMetricsTest, OwnExpressionsAreUsedAndLinesCanBeLeftAlone) {
  environment_["LOCKSTEP_METRIC_PATTERN"] = R"(^n=(?<step>\d+) cost (?<loss>\S+))";
  auto metrics = open();
  metrics->begin({{0, 0, {}}}, 1);
  metrics->onOutput(0, "n=3 cost 0.5\n");
  metrics->end();
  EXPECT_EQ(pointsOf(written(), 0, "loss").size(), 1U);
  environment_["LOCKSTEP_METRIC_LINES"] = "0";
  metrics = open();
  metrics->begin({{0, 0, {}}}, 1);
  metrics->onOutput(0, "n=4 cost 0.5\n");
  metrics->end();
  EXPECT_EQ(pointsOf(written(), 0, "loss").size(), 1U);
}

TEST(UsualEventFolders, AreThoseOfTheArgumentsAndTheUsualOnes) {
  NodeSettings settings;
  settings.codeDir = "/code";
  settings.syncFolder = "/opt/ml";
  const auto folders = usualEventFolders(
      settings, {"python3", "train.py", "--logdir", "/data/tb", "--log_dir=rel", "--other", "x"});
  const auto has = [&](const fs::path& folder) {
    return std::find(folders.begin(), folders.end(), folder) != folders.end();
  };
  EXPECT_TRUE(has("/data/tb"));
  EXPECT_TRUE(has(fs::current_path() / "rel"));
  EXPECT_TRUE(has("/opt/ml"));
  EXPECT_TRUE(has("/code/runs"));
  EXPECT_FALSE(has("/x"));
}

}  // namespace
}  // namespace lockstep::node
