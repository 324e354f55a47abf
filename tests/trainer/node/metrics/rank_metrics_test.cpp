// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/rank_metrics.h"

#include <gtest/gtest.h>

#include "metrics/metric_store.h"
#include "read_samples.h"
#include "temp_dir.h"

namespace lockstep::node {
namespace {

using namespace std::chrono_literals;
using Points = std::vector<std::pair<Step, double>>;

class RankMetricsTest : public testing::Test {
 protected:
  static TimePoint at(double seconds) {
    return TimePoint(1'800'000'000s) +
           std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
  }
  /// Comes as soon as it was.
  void add(MetricOrigin origin, Step step, double seconds, const RankMetrics::Values& values) {
    metrics_->add(origin, step, at(seconds), values, at(seconds));
  }
  [[nodiscard]] Samples written() {
    EXPECT_TRUE(metrics_->flush(std::chrono::seconds(20)));
    return samplesIn(dir_.path(), "J/lockstep/metrics/");
  }
  /// Readers take steps that go back for a restart.
  [[nodiscard]] std::size_t attempts() const {
    MetricStore store;
    MetricReader reader(openFolder(dir_.path()), "J/lockstep/metrics/");
    (void)readToEnd(reader, [&](const MetricReader::Update& update) { store.add(update.batches); }, {});
    return store.attempts(Rank(3)).size();
  }

  [[nodiscard]] RankMetrics fresh() const {
    return RankMetrics(
        std::make_unique<MetricWriter>(openFolder(dir_.path()), "J/lockstep/metrics/", Rank(3), 4));
  }

  TempDir dir_;
  std::optional<RankMetrics> metrics_ = fresh();
};

TEST_F(RankMetricsTest, UsageBelongsToTheStepThatTheRankWasAt) {
  metrics_->addUsage(at(1), {{metric::kCpuPercent, 10}}, 3);
  metrics_->settle(at(9));
  metrics_->addUsage(at(11), {{metric::kCpuPercent, 20}}, 4);
  metrics_->addUsage(at(13), {{metric::kCpuPercent, 30}}, 4);
  // What the rank was doing then comes a second later.
  metrics_->add(MetricOrigin::Script, 7, at(10), {{"loss", 0.5}}, at(12));
  metrics_->add(MetricOrigin::Script, 9, at(12), {{"loss", 0.4}}, at(13));
  const Samples samples = written();
  EXPECT_EQ(pointsOf(samples, 3, "cpu_percent"), (Points{{3, 10}, {7, 20}, {9, 30}}));
  EXPECT_EQ(pointsOf(samples, 3, "loss"), (Points{{7, 0.5}, {9, 0.4}}));
}

TEST_F(RankMetricsTest, EachQuantityComesFromTheSurestPlace) {
  add(MetricOrigin::Lines, 1, 1, {{"loss", 0.51}, {"accuracy", 0.1}});
  add(MetricOrigin::Script, 2, 2, {{"loss", 0.5}});
  add(MetricOrigin::Lines, 900, 3, {{"loss", 0.49}, {"accuracy", 0.2}});
  add(MetricOrigin::EventFiles, 800, 4, {{"loss", 0.48}, {"bleu", 20}});
  const Samples samples = written();
  EXPECT_EQ(pointsOf(samples, 3, "loss"), (Points{{1, 0.51}, {2, 0.5}}));
  EXPECT_EQ(pointsOf(samples, 3, "accuracy"), (Points{{1, 0.1}, {2, 0.2}})) << "at the step of the script";
  EXPECT_EQ(pointsOf(samples, 3, "bleu"), (Points{{2, 20}}));
}

// Whatever comes late and in whatever pieces: nobody has restarted.
TEST_F(RankMetricsTest, StepsNeverSeemToGoBack) {
  for (const double lag : {0.2, 1.4, 30.0, 100.0}) {
    double told = 0;
    for (double now = 0; now < 300; now += 0.5) {
      metrics_->addUsage(at(now), {{metric::kCpuPercent, 50}}, 0);
      if (now - told >= lag) {
        for (; told < now; told += 0.1)
          metrics_->add(MetricOrigin::EventFiles, static_cast<Step>(told * 10), at(told), {{"loss", 1}},
                        at(now));
        metrics_->add(MetricOrigin::Lines, 1, at(now - 0.3), {{"lr", 1}}, at(now));
      }
      metrics_->settle(at(now));
    }
    EXPECT_TRUE(metrics_->flush(20s));
    EXPECT_EQ(attempts(), 1U) << "what is reported comes every " << lag << " s";
    std::filesystem::remove_all(dir_.path() / "J");
    metrics_.emplace(fresh());
  }
}

TEST_F(RankMetricsTest, ThereAreNotMoreNamesThanASegmentMayHave) {
  for (int i = 0; i < 6000; ++i) add(MetricOrigin::Script, i, i, {{"q" + std::to_string(i), 1}});
  add(MetricOrigin::Script, 6000, 6000, {{"q0", 2}});
  const Samples samples = written();
  EXPECT_EQ(samples.size(), 4096U);
  EXPECT_EQ(pointsOf(samples, 3, "q0").size(), 2U);
}

}  // namespace
}  // namespace lockstep::node
