// SPDX-License-Identifier: GPL-3.0-or-later
// RunFollower, with what Monitoring has beside what the lines say.
#include <gtest/gtest.h>

#include "follower_fixture.h"
#include "memory_object_store.h"
#include "metrics/metric_writer.h"
#include "monitored_service.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

struct MonitoredFollowTest : RunFollowerTest {
  MonitoredFollowTest() {
    begin = std::chrono::floor<std::chrono::minutes>(clock->now()) - 10min;
    run = monitoredRun(1, begin);
    oci::ServiceClient::Setup setup;
    setup.endpoint = server.http().url();
    setup.credentials = std::make_shared<oci::FixedCredentials>();
    setup.http = makeCurlHttpClient();
    setup.clock = clock;
    setup.maxAttempts = 1;
    services = std::make_shared<oci::ServiceClient>(std::move(setup));
    for (int minute = 0; minute < 9; ++minute)
      server.set(run.nodes[0].id.value, "CpuUtilization", begin + minute * 60s, 10.0 + minute);
  }
  RunFollower monitoredFollower(std::unique_ptr<MetricReader> metrics = nullptr) {
    return {run,
            launcher,
            std::make_unique<ScriptedLogs>(logs),
            std::move(metrics),
            clock,
            nullptr,
            std::make_unique<JobRunMetrics>(services, clock)};
  }
  std::vector<LogLine> reports() const {
    std::vector<LogLine> lines;
    for (int step = 0; step < 100; ++step) {
      LogLine line;
      line.rank = Rank(0);
      line.time = begin + step * 6s;
      line.text = "step " + std::to_string(step) + ": loss 0.5";
      lines.push_back(line);
    }
    return lines;
  }
  /// Looks until that many values of the quantity have come, or nothing comes any more.
  std::vector<MetricPoint> pointsOf(RunFollower& follower, std::string_view name, std::size_t count) {
    std::vector<MetricPoint> points;
    for (int look = 0; look < 400 && points.size() < count; ++look) {
      last = follower.poll({});
      for (const MetricSeriesBatch& batch : last.metrics)
        if (batch.name == name) points.insert(points.end(), batch.points.begin(), batch.points.end());
      if (last.ended) break;
      std::this_thread::sleep_for(5ms);
    }
    return points;
  }
  TimePoint begin;
  MonitoredService server;
  std::shared_ptr<oci::ServiceClient> services;
  RunUpdate last;
};

TEST_F(MonitoredFollowTest, ARunWithoutAnAgentHasTheValuesOfItsJobRuns) {
  RunFollower f = monitoredFollower();
  logs->next = reports();
  (void)f.poll({});
  clock->skip(kMetricsTimeout + 1s);
  const auto points = pointsOf(f, metric::kNodeCpuPercent, 9);
  ASSERT_EQ(points.size(), 9U);
  EXPECT_EQ(points[0].step, 5) << "30 s after the beginning, a step in 6 s";
  EXPECT_EQ(points[8].value, 18);
  EXPECT_FALSE(last.unmonitored);
  EXPECT_TRUE(last.problems.empty());
  const std::size_t asked = server.http().count();
  for (int look = 0; look < 20; ++look) (void)f.poll({});
  EXPECT_EQ(server.http().count(), asked) << "within a minute it is not asked again";
}

TEST_F(MonitoredFollowTest, ARunThatIsOverBringsThemBeforeItEnds) {
  launcher->state = JobRunState::Succeeded;
  run.finished = clock->now() - kLongOver - 1s;
  run.created = begin = *run.finished - 5min;
  server.set(run.nodes[0].id.value, "CpuUtilization", std::chrono::ceil<std::chrono::minutes>(begin), 77);
  RunFollower f = monitoredFollower();
  logs->next = reports();
  const auto points = pointsOf(f, metric::kNodeCpuPercent, 1000);
  EXPECT_TRUE(last.ended);
  ASSERT_FALSE(points.empty());
  EXPECT_EQ(points[0].value, 77);
}

TEST_F(MonitoredFollowTest, WithoutTheRightTheRestGoesOnAndItIsSaid) {
  server.setHandler([](const httplib::Request&, httplib::Response& out) {
    oci::refuseWith(out, 404, "NotAuthorizedOrNotFound", "no");
  });
  RunFollower f = monitoredFollower();
  logs->next = reports();
  (void)f.poll({});
  clock->skip(kMetricsTimeout + 1s);
  for (int look = 0; look < 400 && !last.unmonitored; ++look) {
    last = f.poll({});
    std::this_thread::sleep_for(5ms);
  }
  ASSERT_TRUE(last.unmonitored);
  EXPECT_NE(last.unmonitored->remedy.find("read metrics"), std::string::npos);
  EXPECT_TRUE(last.problems.empty()) << "nothing else lacks";
  last = f.poll({});
  EXPECT_TRUE(last.unmonitored) << "it stays said";
  EXPECT_EQ(server.http().count(), 1U);
  launcher->state = JobRunState::Succeeded;
  for (int look = 0; look < 400 && !last.ended; ++look) {
    clock->skip(1s);
    last = f.poll({});
  }
  EXPECT_TRUE(last.ended) << "the end does not wait for it";
}

TEST_F(MonitoredFollowTest, ASlowServiceHoldsNothingUp) {
  std::atomic<bool> isHeld{true};
  server.setHandler([&](const httplib::Request&, httplib::Response& out) {
    while (isHeld) std::this_thread::sleep_for(1ms);
    out.set_content("[]", "application/json");
  });
  launcher->state = JobRunState::Succeeded;
  RunFollower f = monitoredFollower();
  logs->next = reports();
  int looks = 0;
  for (; looks < 200 && !last.ended; ++looks) {
    clock->skip(1s);
    last = f.poll({});
  }
  EXPECT_TRUE(last.ended) << "after kLateDataLimit at the latest";
  isHeld = false;
}

TEST_F(MonitoredFollowTest, NodesThatLeaveMetricsAreNotAskedAbout) {
  const auto store = std::make_shared<MemoryObjectStore>();
  {
    MetricWriter writer(store, "m/", Rank(0), 1);
    writer.record(0, TimePoint(1'800'000'000s), {{"own", 1.0}});
    ASSERT_TRUE(writer.flush(20s));
  }
  RunFollower f = monitoredFollower(std::make_unique<MetricReader>(store, "m/"));
  for (int look = 0; look < 5; ++look) {
    logs->next = {line("hello")};
    clock->skip(kMetricsTimeout);
    (void)f.poll({});
  }
  EXPECT_EQ(server.http().count(), 0U);
}

TEST_F(MonitoredFollowTest, WhoKeepsTheLinesGetsTheValuesWithoutSteps) {
  RunFollower f = monitoredFollower();
  f.startWithNewestLines(std::nullopt);
  logs->next = reports();
  (void)f.poll({});
  clock->skip(kMetricsTimeout + 1s);
  std::vector<MonitoredValue> values;
  for (int look = 0; look < 400 && values.empty(); ++look) {
    values = f.poll({}).monitored;
    std::this_thread::sleep_for(5ms);
  }
  ASSERT_EQ(values.size(), 9U);
  EXPECT_EQ(values[0].time, begin + 30s);
}

}  // namespace
}  // namespace lockstep
