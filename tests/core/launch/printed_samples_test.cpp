// SPDX-License-Identifier: GPL-3.0-or-later
#include "follower_fixture.h"
#include "memory_object_store.h"
#include "metrics/metric_writer.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

using PrintedSamplesTest = RunFollowerTest;

/// A report of each rank, as scripts print it.
std::vector<LogLine> reportsOf(const RunFollowerTest& test, int from, int to) {
  std::vector<LogLine> lines;
  for (int step = from; step < to; ++step)
    for (const int rank : {0, 1}) {
      LogLine line;
      line.rank = Rank(rank);
      line.time = test.clock->now() + std::chrono::milliseconds(step);
      line.text = "step " + std::to_string(step) + ": loss " + std::to_string(1.0 / (step + rank + 1));
      lines.push_back(line);
    }
  return lines;
}

std::size_t pointsOf(const RunUpdate& update, int rank) {
  for (const MetricSeriesBatch& batch : update.metrics)
    if (batch.rank == Rank(rank) && batch.name == "loss") return batch.points.size();
  return 0;
}

// A job that somebody else has started, without an agent of ours.
TEST_F(PrintedSamplesTest, LinesSpeakWhereTheNodesHaveLeftNoMetrics) {
  const auto store = std::make_shared<MemoryObjectStore>();
  RunFollower f(run, launcher, std::make_unique<ScriptedLogs>(logs),
                std::make_unique<MetricReader>(store, "m/"), clock);
  logs->next = reportsOf(*this, 0, 5);
  EXPECT_EQ(pointsOf(f.poll({}), 0), 0U) << "metrics may still come";
  clock->skip(kMetricsTimeout + 1s);
  RunUpdate update = f.poll({});
  EXPECT_TRUE(update.isWithoutMetrics);
  EXPECT_EQ(pointsOf(update, 0), 5U);
  EXPECT_EQ(pointsOf(update, 1), 5U);
  logs->next = reportsOf(*this, 5, 7);
  EXPECT_EQ(pointsOf(f.poll({}), 1), 2U) << "each sample once";
}

TEST_F(PrintedSamplesTest, LinesDoNotSpeakBesideMetrics) {
  const auto store = std::make_shared<MemoryObjectStore>();
  {
    MetricWriter writer(store, "m/", Rank(0), 1);
    writer.record(0, TimePoint(1'800'000'000s), {{"own", 1.0}});
    ASSERT_TRUE(writer.flush(20s));
  }
  RunFollower f(run, launcher, std::make_unique<ScriptedLogs>(logs),
                std::make_unique<MetricReader>(store, "m/"), clock);
  for (int look = 0; look < 4; ++look) {
    logs->next = reportsOf(*this, 5 * look, 5 * look + 5);
    clock->skip(kMetricsTimeout);
    const RunUpdate update = f.poll({});
    EXPECT_EQ(pointsOf(update, 0), 0U);
    EXPECT_FALSE(update.isWithoutMetrics && update.segmentsKnown > 0);
  }
}

TEST_F(PrintedSamplesTest, LinesOfARunThatIsOverSpeakAtOnce) {
  launcher->state = JobRunState::Succeeded;
  RunFollower f = follower();
  logs->next = reportsOf(*this, 0, 5);
  std::size_t points = pointsOf(f.poll({}), 0);
  if (points == 0) points = pointsOf(f.poll({}), 0);  // the state came later
  EXPECT_EQ(points, 5U);
}

}  // namespace
}  // namespace lockstep
