// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/exporters/otlp_push.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>

#include "http/curl_http_client.h"
#include "loopback_server.h"

namespace lockstep::node {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

ExportedRun aRun(double loss) {
  ExportedRank rank;
  rank.rank = Rank(2);
  rank.node = "worker_1";
  rank.jobRun = "run2";
  rank.newest = TimePoint(1'800'000'000s);
  rank.values["loss"] = {loss, TimePoint(1'800'000'000s)};
  return {"job", {rank}};
}

struct OtlpPushTest : testing::Test {
  std::atomic<int> status{200};
  std::atomic<double> loss{0.5};
  std::mutex mutex;
  std::vector<std::string> said;
  LoopbackServer server{[this](const httplib::Request&, httplib::Response& out) {
    out.status = status;
    out.set_content("{}", "application/json");
  }};

  OtlpSettings settings() const {
    OtlpSettings settings;
    settings.url = server.url() + "/v1/metrics?token=word";
    settings.headers = {{"api-key", "secret"}};
    settings.resource = {{"service.name", "mine"}};
    settings.interval = 20ms;
    settings.firstRetry = 20ms;
    return settings;
  }
  std::unique_ptr<OtlpPush> push(const OtlpSettings& settings) {
    return std::make_unique<OtlpPush>(
        settings, makeCurlHttpClient(), [this] { return aRun(loss); },
        [this](const std::string& line) {
          const std::lock_guard lock(mutex);
          said.push_back(line);
        });
  }
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

TEST_F(OtlpPushTest, PushesTheNewestValuesInItsInterval) {
  const auto pusher = push(settings());
  ASSERT_TRUE(eventually([&] { return server.count() >= 3; }));
  const httplib::Request request = server.seen().front();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/v1/metrics");
  EXPECT_EQ(request.get_header_value("Content-Type"), "application/json");
  EXPECT_EQ(request.get_header_value("api-key"), "secret");
  const json document = json::parse(request.body);
  const json& metric = document.at("resourceMetrics").at(0).at("scopeMetrics").at(0).at("metrics").at(0);
  EXPECT_EQ(metric.at("name"), "lockstep.loss");
  EXPECT_EQ(metric.at("gauge").at("dataPoints").at(0).at("timeUnixNano"), "1800000000000000000");
  EXPECT_EQ(metric.at("gauge").at("dataPoints").at(0).at("asDouble"), 0.5);
  EXPECT_TRUE(lines().empty());
}

TEST_F(OtlpPushTest, PushesOnceMoreAtTheEnd) {
  OtlpSettings once = settings();
  once.interval = 1h;
  push(once).reset();
  EXPECT_EQ(server.count(), 1U) << "a short run has said something, too";
}

TEST_F(OtlpPushTest, WhileNobodyAnswersAFewWaitAndTheRestIsCounted) {
  status = 503;
  const auto pusher = push(settings());
  ASSERT_TRUE(eventually([&] { return pusher->dropped() >= 3; }));
  ASSERT_EQ(lines().size(), 1U) << "said once";
  EXPECT_NE(lines()[0].find("HTTP 503"), std::string::npos);
  EXPECT_EQ(lines()[0].find("secret"), std::string::npos);
  EXPECT_EQ(lines()[0].find("word"), std::string::npos) << "a key may be in the query";
  const std::size_t tries = server.count();
  status = 200;
  ASSERT_TRUE(eventually([&] { return server.count() >= tries + OtlpPush::kMaxWaiting; }))
      << "what waited comes";
  ASSERT_TRUE(eventually([&] { return lines().size() == 2; }));
  EXPECT_NE(lines()[1].find("again"), std::string::npos);
}

TEST_F(OtlpPushTest, PausesGrow) {
  status = 429;
  OtlpSettings slow = settings();
  slow.firstRetry = 1h;
  const auto pusher = push(slow);
  ASSERT_TRUE(eventually([&] { return pusher->dropped() >= 2; }));
  EXPECT_EQ(server.count(), 1U) << "one try, and then the pause";
}

TEST_F(OtlpPushTest, WhatIsRefusedIsNotTriedAgain) {
  status = 400;
  const auto pusher = push(settings());
  ASSERT_TRUE(eventually([&] { return pusher->dropped() >= 5; }));
  EXPECT_GE(server.count(), 5U);
  EXPECT_EQ(lines().size(), 1U);
}

TEST_F(OtlpPushTest, AnEndpointThatIsNotThereHoldsNothingUp) {
  OtlpSettings nowhere = settings();
  nowhere.url = "http://127.0.0.1:1/v1/metrics";
  {
    const auto pusher = push(nowhere);
    ASSERT_TRUE(eventually([&] { return !lines().empty(); }));
  }
  EXPECT_NE(lines().back().find("given up"), std::string::npos);
}

TEST_F(OtlpPushTest, ASlowEndpointIsLeftAtTheEnd) {
  std::atomic<bool> isHeld{true};
  LoopbackServer slow([&](const httplib::Request&, httplib::Response&) {
    while (isHeld) std::this_thread::sleep_for(5ms);
  });
  OtlpSettings held = settings();
  held.url = slow.url();
  auto pusher = push(held);
  ASSERT_TRUE(eventually([&] { return slow.count() == 1; }));
  const auto begin = std::chrono::steady_clock::now();
  pusher.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 25s) << "two seconds, and no minute";
  isHeld = false;
}

// A server whose certificate nobody has signed gets nothing.
TEST_F(OtlpPushTest, HttpsIsVerified) {
  OtlpSettings untrusted = settings();
  untrusted.url = "https" + server.url().substr(4);
  {
    const auto pusher = push(untrusted);
    ASSERT_TRUE(eventually([&] { return !lines().empty(); }));
  }
  EXPECT_EQ(server.count(), 0U);
}

}  // namespace
}  // namespace lockstep::node
