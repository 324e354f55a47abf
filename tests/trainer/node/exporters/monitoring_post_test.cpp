// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/monitoring_post.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/core/oci/oci_test_support.h"

namespace lockstep::node {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

ExportedRank aRank(TimePoint time) {
  ExportedRank rank;
  rank.rank = Rank(2);
  rank.node = "worker_1";
  rank.jobRun = "ocid1.run";
  rank.values["gpu_percent"] = {87, time};
  rank.values["val/acc"] = {0.5, time};
  rank.values["nan"] = {std::numeric_limits<double>::quiet_NaN(), time};
  rank.values["7"] = {1, time};
  return rank;
}

TEST(CustomMetrics, AreWhatTheServiceTakes) {
  const TimePoint now = SystemClock().now();
  ExportedRank odd = aRank(now);
  odd.node = "a\nb";
  odd.jobRun = std::string(600, 'x');
  const auto metrics = customMetricsOf({"ocid1.job", {odd}}, "lockstep", "c");
  ASSERT_EQ(metrics.size(), 3U) << "what is no number is left out";
  for (const oci::CustomMetric& metric : metrics) EXPECT_EQ(oci::problemOf(metric, now), "") << metric.name;
  EXPECT_EQ(metrics[0].name, "q_7");
  EXPECT_EQ(metrics[0].dimensions.at("quantity"), "7");
  EXPECT_EQ(metrics[1].name, "gpu_percent");
  EXPECT_EQ(metrics[1].metadata.at("unit"), "%");
  EXPECT_EQ(metrics[1].dimensions,
            (std::map<std::string, std::string>{{"run", "ocid1.job"}, {"node", "a b"}, {"rank", "2"}}));
  EXPECT_EQ(metrics[2].name, "val_acc");
  EXPECT_EQ(metrics[2].dimensions.at("quantity"), "val/acc");
}

struct MonitoringPostTest : testing::Test {
  std::atomic<int> status{200};
  std::atomic<int> second{0};  // of the newest values
  std::mutex mutex;
  std::vector<std::string> said;
  const TimePoint begin = SystemClock().now();
  LoopbackServer server{[this](const httplib::Request&, httplib::Response& out) {
    if (status != 200) return oci::refuseWith(out, status, "NotAuthorizedOrNotFound", "no");
    out.set_content(R"({"failedMetricsCount":0,"failedMetrics":[]})", "application/json");
  }};
  std::shared_ptr<oci::ServiceClient> services = client();

  std::shared_ptr<oci::ServiceClient> client() const {
    oci::ServiceClient::Setup setup;
    setup.endpoint = server.url();
    setup.credentials = std::make_shared<oci::FixedCredentials>();
    setup.http = makeCurlHttpClient();
    setup.clock = std::make_shared<SystemClock>();
    setup.maxAttempts = 1;
    return std::make_shared<oci::ServiceClient>(std::move(setup));
  }
  std::unique_ptr<MonitoringPost> post(std::function<ExportedRun()> newest,
                                       std::chrono::milliseconds interval = 20ms) {
    return std::make_unique<MonitoringPost>(services, MonitoringPost::Place{"lockstep", "c", interval, 1h},
                                            std::move(newest), [this](const std::string& line) {
                                              const std::lock_guard lock(mutex);
                                              said.push_back(line);
                                            });
  }
  ExportedRun run() const { return {"job", {aRank(begin + std::chrono::seconds(second.load()))}}; }
  std::vector<std::string> lines() {
    const std::lock_guard lock(mutex);
    return said;
  }
  template <class Condition>
  static bool eventually(Condition condition) {
    for (int i = 0; i < 3000 && !condition(); ++i) std::this_thread::sleep_for(10ms);
    return condition();
  }
};

TEST_F(MonitoringPostTest, PostsWhatHasChanged) {
  const auto poster = post([this] { return run(); });
  ASSERT_TRUE(eventually([&] { return server.count() == 1; }));
  const json body = json::parse(server.seen()[0].body);
  EXPECT_EQ(server.seen()[0].path, "/20180401/metrics");
  ASSERT_EQ(body.at("metricData").size(), 3U);
  EXPECT_EQ(body["metricData"][1]["namespace"], "lockstep");
  EXPECT_EQ(body["metricData"][1]["compartmentId"], "c");
  EXPECT_EQ(body["metricData"][1]["datapoints"][0]["value"], 87);
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(server.count(), 1U) << "nothing is new";
  second = 5;
  EXPECT_TRUE(eventually([&] { return server.count() == 2; }));
  EXPECT_TRUE(lines().empty());
}

TEST_F(MonitoringPostTest, PostsOnceMoreAtTheEnd) {
  post([this] { return run(); }, 1h).reset();
  EXPECT_EQ(server.count(), 1U);
}

TEST_F(MonitoringPostTest, WithoutTheRightThePolicyIsNamedOnceAndTheServiceLeftAlone) {
  status = 404;
  const auto poster = post([this] {
    ++second;
    return run();
  });
  ASSERT_TRUE(eventually([&] { return !lines().empty(); }));
  std::this_thread::sleep_for(200ms);
  ASSERT_EQ(lines().size(), 1U);
  EXPECT_NE(lines()[0].find("use metrics"), std::string::npos) << lines()[0];
  EXPECT_NE(lines()[0].find("target.metrics.namespace = 'lockstep'"), std::string::npos);
  EXPECT_EQ(server.count(), 1U);
}

TEST_F(MonitoringPostTest, OfVeryMuchOurOwnGoesFirst) {
  ExportedRank many = aRank(begin);
  for (int i = 0; i < 900; ++i) many.values["a" + std::to_string(i)] = {1.0 * i, begin};
  post([&] { return ExportedRun{"job", {many}}; }, 1h).reset();
  std::size_t streams = 0;
  bool hasOwn = false;
  for (const httplib::Request& request : server.seen()) {
    const json data = json::parse(request.body).at("metricData");
    EXPECT_LE(data.size(), 50U);
    streams += data.size();
    for (const json& metric : data) hasOwn = hasOwn || metric.at("name") == "gpu_percent";
  }
  EXPECT_EQ(streams, MonitoringPost::kMaxStreams);
  EXPECT_TRUE(hasOwn);
  ASSERT_EQ(lines().size(), 1U);
  EXPECT_NE(lines()[0].find("903"), std::string::npos) << lines()[0];
}

TEST_F(MonitoringPostTest, AServiceThatDoesNotAnswerIsLeftAtTheEnd) {
  std::atomic<bool> isHeld{true};
  LoopbackServer slow([&](const httplib::Request&, httplib::Response&) {
    while (isHeld) std::this_thread::sleep_for(5ms);
  });
  oci::ServiceClient::Setup setup = services->setup();
  setup.endpoint = slow.url();
  auto poster = std::make_unique<MonitoringPost>(
      std::make_shared<oci::ServiceClient>(std::move(setup)), MonitoringPost::Place{"lockstep", "c", 1h, 1h},
      [this] { return run(); }, [](const std::string&) {});
  const auto start = std::chrono::steady_clock::now();
  poster.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 40s) << "four seconds, and no minute";
  isHeld = false;
}

}  // namespace
}  // namespace lockstep::node
