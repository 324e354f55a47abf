// SPDX-License-Identifier: GPL-3.0-or-later
// A run that goes on in a folder, watched by the real command line, and who is told of what is found in it.
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "base/atomic_file.h"
#include "cli_process.h"
#include "loopback_server.h"
#include "metrics/metric_writer.h"
#include "workdir/file_object_store.h"
#include "workdir/work_dir_uri.h"

using namespace lockstep;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr int kRanks = 4;
constexpr Step kSteps = 200;

struct TellingCommandTest : testing::Test {
  CliHome home;
  TempDir work;
  std::shared_ptr<ObjectStore> store = openFolder(work.path());
  const std::string told = (home.path() / "told").string();

  /// Rank 1 is slow, until now; nothing says that the run is over.
  void SetUp() override {
    const TimePoint now = SystemClock().now();
    for (int rank = 0; rank < kRanks; ++rank) {
      MetricWriter writer(store, layout::metricsFolder("Undefined"), Rank(rank), kRanks);
      const double delay = rank == 1 ? 250 : 0;
      for (Step step = 0; step < kSteps; ++step)
        writer.record(step, now - (kSteps - step) * 1s,
                      {{metric::kStepMs, 1000.0},
                       {metric::kDataMs, 20.0},
                       {metric::kForwardMs, 200.0 + delay},
                       {metric::kBackwardMs, 400.0},
                       {metric::kWaitMs, 380.0 - delay}});
      ASSERT_TRUE(writer.flush(20s));
    }
  }
  std::string uri() const { return "file://" + (work.path() / "Undefined").string(); }
  void end() { ASSERT_TRUE(store->put("Undefined/stop", "stop", {})); }
  std::string saveCommand() const { return "cat >> " + told; }
  std::vector<json> documents() const {
    std::vector<json> all;
    std::istringstream lines(readFile(told).value_or(""));
    for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line, nullptr, false));
    return all;
  }
  template <class Holds>
  static bool waitUntil(Holds holds) {
    for (int i = 0; i < 600 && !holds(); ++i) std::this_thread::sleep_for(50ms);
    return holds();
  }
};

}  // namespace

TEST_F(TellingCommandTest, ACommandAndAWebhookAreToldOfAFindingAndOfTheEnd) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& answer) { answer.status = 204; });
  home.environment()["LOCKSTEP_WEBHOOK"] = server.url() + "/canary-secret";
  CliRunning watch = home.start({"watch", uri(), "--on-finding", saveCommand()});
  ASSERT_TRUE(waitUntil([&] { return documents().size() == 1; }));
  end();
  const CliExit done = watch.wait();
  EXPECT_EQ(done.code(), 0) << done.err;
  const auto news = documents();
  ASSERT_EQ(news.size(), 2U) << readFile(told).value_or("");
  EXPECT_EQ(news[0].at("event"), "finding-began");
  EXPECT_EQ(news[0].at("finding").at("key"), "straggler 1 forward_ms");
  EXPECT_EQ(news[1].at("event"), "run-ended");
  const auto posts = server.seen();
  ASSERT_EQ(posts.size(), 2U);
  EXPECT_EQ(json::parse(posts[0].body), news[0]);
  EXPECT_EQ(json::parse(posts[1].body), news[1]);
  EXPECT_EQ((done.out + done.err).find("canary"), std::string::npos) << done.err;
}

TEST_F(TellingCommandTest, WhatIsThereNowIsToldBeforeItReturns) {
  const CliExit done = home.run({"watch", uri(), "--no-follow", "--on-finding", "sleep 1; " + saveCommand()});
  EXPECT_EQ(done.code(), 0) << done.err;
  ASSERT_EQ(documents().size(), 1U) << done.err;
  EXPECT_EQ(documents()[0].at("finding").at("ranks"), json::array({1}));
}

TEST_F(TellingCommandTest, WhatIsTooSmallOrMutedIsNotTold) {
  EXPECT_EQ(home.run({"mute", uri(), "straggler 1 forward_ms"}).code(), 0);
  const CliExit done = home.run({"watch", uri(), "--no-follow", "--on-finding", saveCommand()});
  EXPECT_EQ(done.code(), 0) << done.err;
  EXPECT_TRUE(documents().empty());
}

TEST_F(TellingCommandTest, ACommandThatFailsIsSaidOnceAndTheRunIsWatchedOn) {
  CliRunning watch =
      home.start({"watch", uri(), "--on-finding", "cat >> " + told + "; echo no channel >&2; exit 3"});
  ASSERT_TRUE(waitUntil([&] { return documents().size() == 1; }));
  end();
  const CliExit done = watch.wait();
  EXPECT_EQ(done.code(), 0) << done.err;
  EXPECT_EQ(documents().size(), 2U);
  const std::size_t first = done.err.find("exit code 3: no channel");
  ASSERT_NE(first, std::string::npos) << done.err;
  EXPECT_EQ(done.err.find("exit code 3", first + 1), std::string::npos) << done.err;
}

TEST_F(TellingCommandTest, AnInterruptDoesNotWaitForTheCommand) {
  CliRunning watch = home.start({"watch", uri(), "--on-finding", saveCommand() + "; sleep 60"});
  ASSERT_TRUE(waitUntil([&] { return documents().size() == 1; }));
  const auto begin = std::chrono::steady_clock::now();
  watch.process().signalAll(SIGINT);
  EXPECT_EQ(watch.wait().code(), 4);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s);
}

TEST_F(TellingCommandTest, AnAddressThatOthersCouldReadIsRefusedWithoutShowingIt) {
  const CliExit done = home.run({"watch", uri(), "--webhook", "http://hooks.example.com/canary"});
  EXPECT_EQ(done.code(), 2);
  EXPECT_NE(done.err.find("https://"), std::string::npos) << done.err;
  EXPECT_EQ(done.err.find("canary"), std::string::npos) << done.err;
}
