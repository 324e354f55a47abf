// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/monitored/job_run_metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "metrics/metric_catalogue.h"
#include "monitored_service.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using oci::TestService;

struct JobRunMetricsTest : testing::Test {
  MonitoredService server;
  TestService service{server.http().url()};
  JobRunMetrics metrics{service.client, service.clock};
  const TimePoint begin = service.clock->now();  // a whole minute

  std::vector<MonitoredValue> valuesOf(const TrainingRun& run) {
    auto values = metrics.poll(run, {});
    EXPECT_TRUE(values) << describe(values.error());
    return values ? *values : std::vector<MonitoredValue>();
  }
  static double valueOf(const std::vector<MonitoredValue>& values, std::string_view name,
                        const std::string& jobRun) {
    for (const MonitoredValue& value : values)
      if (value.name == name && value.jobRun.value == jobRun) return value.value;
    return -1;
  }
};

TEST_F(JobRunMetricsTest, OneQueryAQuantityForAllJobRuns) {
  const TrainingRun run = monitoredRun(2, begin);
  const std::string first = run.nodes[0].id.value, second = run.nodes[1].id.value;
  server.set(first, "CpuUtilization", begin, 40);
  server.set(second, "CpuUtilization", begin, 50);
  server.set(first, "MemoryUtilization", begin, 60);
  server.set(first, "DiskUtilization", begin, 7);
  server.set(first, "GpuUtilization", begin, 90);
  server.set(second, "NetworkBytesIn", begin, 6000);
  server.set(second, "NetworkBytesOut", begin, 600);
  service.clock->advance(90s);
  const auto values = valuesOf(run);
  ASSERT_EQ(values.size(), 7U);
  EXPECT_EQ(valueOf(values, metric::kNodeCpuPercent, first), 40);
  EXPECT_EQ(valueOf(values, metric::kNodeCpuPercent, second), 50);
  EXPECT_EQ(valueOf(values, metric::kNodeMemoryPercent, first), 60);
  EXPECT_EQ(valueOf(values, metric::kNodeDiskPercent, first), 7);
  EXPECT_EQ(valueOf(values, metric::kGpuPercent, first), 90);
  EXPECT_EQ(valueOf(values, metric::kNetworkInBytesPerSecond, second), 100) << "6000 bytes in a minute";
  EXPECT_EQ(valueOf(values, metric::kNetworkOutBytesPerSecond, second), 10);
  EXPECT_EQ(values[0].time, begin + 30s) << "the middle of its minute";
  const auto queries = server.queries();
  ASSERT_EQ(queries.size(), 6U);
  EXPECT_EQ(queries[0],
            "CpuUtilization[1m]{resourceId =~ \"" + first + "|" + second + "\"}.groupBy(resourceId).mean()");
  EXPECT_EQ(queries[4].substr(queries[4].find('}')), "}.groupBy(resourceId).sum()");
  EXPECT_EQ(server.http().seen()[0].get_param_value("compartmentId"), run.compartmentId);
}

TEST_F(JobRunMetricsTest, EachValueOnceAndLateOnesToo) {
  const TrainingRun run = monitoredRun(1, begin);
  const std::string id = run.nodes[0].id.value;
  server.set(id, "CpuUtilization", begin, 1);
  EXPECT_TRUE(metrics.isDue());
  service.clock->advance(70s);
  EXPECT_EQ(valuesOf(run).size(), 1U);
  EXPECT_FALSE(metrics.isDue()) << "once a minute";
  service.clock->advance(59s);
  EXPECT_FALSE(metrics.isDue());
  service.clock->advance(1s);
  EXPECT_TRUE(metrics.isDue());
  EXPECT_TRUE(valuesOf(run).empty());
  server.set(id, "CpuUtilization", begin + 60s, 2);  // the service has it two minutes later
  service.clock->advance(60s);
  const auto late = valuesOf(run);
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].value, 2);
  service.clock->advance(30min);
  (void)valuesOf(run);
  const auto seen = server.http().seen();
  const auto body = nlohmann::json::parse(seen.back().body);
  EXPECT_EQ(*parseRfc3339(body.at("startTime").get<std::string>()), begin);
  service.clock->advance(10min);
  (void)valuesOf(run);
  const auto next = nlohmann::json::parse(server.http().seen().back().body);
  EXPECT_EQ(*parseRfc3339(next.at("startTime").get<std::string>()), begin + 33min - 5min);
}

TEST_F(JobRunMetricsTest, AMinuteThatIsNotOverIsNotAsked) {
  const TrainingRun run = monitoredRun(1, begin);
  server.set(run.nodes[0].id.value, "CpuUtilization", begin + 60s, 5);
  service.clock->advance(100s);
  EXPECT_TRUE(valuesOf(run).empty()) << "its mean would change";
  service.clock->advance(60s);
  EXPECT_EQ(valuesOf(run).size(), 1U);
  TrainingRun over = run;
  over.finished = service.clock->now() + 10s;
  server.set(run.nodes[0].id.value, "CpuUtilization", begin + 120s, 6);
  service.clock->advance(10s);
  EXPECT_EQ(valuesOf(over).size(), 1U) << "the last one of a run that is over stays as it is";
}

TEST_F(JobRunMetricsTest, SixtyFourNodesAreFewQueries) {
  TrainingRun run = monitoredRun(64, begin);
  for (NodeRun& node : run.nodes) {
    node.id.value += std::string(60, 'x');  // as long as those of the service
    server.set(node.id.value, "CpuUtilization", begin, 1);
  }
  service.clock->advance(90s);
  EXPECT_EQ(valuesOf(run).size(), 64U);
  const auto queries = server.queries();
  EXPECT_LE(queries.size(), 12U);
  for (const std::string& query : queries) EXPECT_LT(query.size(), 8192U);
}

TEST_F(JobRunMetricsTest, ALongPastComesInLongerIntervals) {
  struct Case {
    int nodes;
    std::chrono::hours past;
    const char* interval;
  };
  for (const Case& one : {Case{1, 24h, "[1m]"}, Case{64, 48h, "[5m]"}, Case{1, 24h * 10, "[5m]"},
                          Case{200, 24h * 6, "[1h]"}, Case{1, 24h * 60, "[1h]"}}) {
    JobRunMetrics reader(service.client, service.clock);
    const TrainingRun run = monitoredRun(one.nodes, service.clock->now() - one.past);
    server.set(run.nodes[0].id.value, "CpuUtilization", service.clock->now() - 1h, 1);
    ASSERT_TRUE(reader.poll(run, {}));
    EXPECT_NE(server.queries().back().find(one.interval), std::string::npos)
        << one.nodes << " " << one.past.count() << " " << server.queries().back().substr(0, 40);
    service.clock->advance(2min);
    ASSERT_TRUE(reader.poll(run, {}));
    EXPECT_NE(server.queries().back().find("[1m]"), std::string::npos) << "what is new comes by the minute";
  }
}

TEST_F(JobRunMetricsTest, WithoutTheRightTheStatementIsNamedAndTheServiceLeftAlone) {
  const TrainingRun run = monitoredRun(1, begin);
  server.setHandler([](const httplib::Request&, httplib::Response& out) {
    oci::refuseWith(out, 404, "NotAuthorizedOrNotFound",
                    "Authorization failed or requested resource not found");
  });
  service.clock->advance(2min);
  const auto refused = metrics.poll(run, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(server.http().count(), 1U) << "one question is enough";
  EXPECT_NE(refused.error().remedy.find("to read metrics in compartment id " + run.compartmentId),
            std::string::npos)
      << describe(refused.error());
  service.clock->advance(9min);
  EXPECT_FALSE(metrics.isDue());
  service.clock->advance(1min);
  EXPECT_TRUE(metrics.isDue());
  server.setHandler({});
  server.set(run.nodes[0].id.value, "CpuUtilization", begin, 3);
  EXPECT_EQ(valuesOf(run).size(), 1U) << "nothing is lost by it";
}

TEST_F(JobRunMetricsTest, AServiceThatKnowsNoPatternsIsAskedForAll) {
  const TrainingRun run = monitoredRun(2, begin);
  for (const NodeRun& node : run.nodes) server.set(node.id.value, "CpuUtilization", begin, 3);
  server.set("ocid1.datasciencejobrun.oc1.iad.somebodys", "CpuUtilization", begin, 99);
  std::atomic<int> refused{0};
  service.clock->advance(2min);
  server.setHandler([&](const httplib::Request&, httplib::Response& out) {
    ++refused;
    server.setHandler({});
    oci::refuseWith(out, 400, "InvalidParameter", "The query is invalid");
  });
  const auto values = valuesOf(run);
  EXPECT_EQ(refused, 1);
  ASSERT_EQ(values.size(), 2U) << "those of others are left out";
  EXPECT_EQ(server.queries().back(), "NetworkBytesOut[1m].groupBy(resourceId).sum()");
}

TEST_F(JobRunMetricsTest, AnswersThatAreWrongBreakNothing) {
  const TrainingRun run = monitoredRun(1, begin);
  const std::string id = run.nodes[0].id.value;
  service.clock->advance(3min);
  const auto answer = [&](const std::string& text) {
    server.setHandler([text](const httplib::Request&, httplib::Response& out) {
      out.set_content(text, "application/json");
    });
    service.clock->advance(1min);
    return metrics.poll(run, {});
  };
  for (const char* broken : {"<html>", "{\"a\":1}", "[1]", "[{\"dimensions\":3}]", ""}) {
    const auto values = answer(broken);
    EXPECT_TRUE(!values || values->empty()) << broken;
  }
  const auto odd =
      answer(R"([{"namespace":"x","name":"CpuUtilization","dimensions":{},"aggregatedDatapoints":[]},
    {"name":"CpuUtilization","dimensions":{"resourceId":"other"},
     "aggregatedDatapoints":[{"timestamp":"2026-01-01T00:01:00Z","value":1}]},
    {"name":"CpuUtilization","dimensions":{"resourceId":")" +
             id + R"("},
     "aggregatedDatapoints":[{"timestamp":"1970-01-01T00:01:00Z","value":1},
     {"timestamp":"2200-01-01T00:01:00Z","value":1}]}])");
  ASSERT_TRUE(odd) << describe(odd.error());
  EXPECT_TRUE(odd->empty()) << "of no job run of ours, or of another time";
  server.setHandler({});
  server.set(id, "CpuUtilization", begin + 60s, 3);
  service.clock->advance(1min);
  EXPECT_EQ(valuesOf(run).size(), 1U);
}

TEST_F(JobRunMetricsTest, IdsThatAreNoneOfTheServiceAreNotAskedAbout) {
  TrainingRun run = monitoredRun(1, begin);
  run.nodes[0].id.value = "x\"} or 1";
  service.clock->advance(2min);
  EXPECT_TRUE(valuesOf(run).empty());
  EXPECT_EQ(server.http().count(), 0U);
}

}  // namespace
}  // namespace lockstep
