// SPDX-License-Identifier: GPL-3.0-or-later
#include "telling/tell_command.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/atomic_file.h"
#include "made_up_news.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

TEST(TellCommand, GetsTheNewsOnItsInputAndInVariables) {
  const TempDir temp;
  const std::string out = (temp.path() / "out").string();
  const auto done = tellCommand("cat > " + out +
                                    "; printf '%s|%s|%s' \"$LOCKSTEP_RUN\" \"$LOCKSTEP_SEVERITY\" "
                                    "\"$LOCKSTEP_TITLE\" > " +
                                    out + ".vars",
                                newsOfFinding(), 20s, {});
  ASSERT_TRUE(done) << describe(done.error());
  const auto document = nlohmann::json::parse(readFile(out).value());
  EXPECT_EQ(document.at("title"), "cifar: rank 3 is slow");
  EXPECT_EQ(readFile(out + ".vars").value(), "cifar-1|warning|cifar: rank 3 is slow");
}

// Names and lines come from jobs of anybody.
TEST(TellCommand, NothingInTheNewsIsRunByTheShell) {
  const TempDir temp;
  const std::string trap = (temp.path() / "trap").string();
  RunNews news = newsOfFinding();
  news.name = "$(touch " + trap + ")`touch " + trap + "`; touch " + trap + "\n\x1b]0;x\x07";
  news.failure = news.name;
  ASSERT_TRUE(tellCommand("cat > /dev/null; echo \"$LOCKSTEP_TITLE\" > /dev/null", news, 20s, {}));
  EXPECT_FALSE(std::filesystem::exists(trap));
}

TEST(TellCommand, ItsFailureSaysWhatItSaid) {
  const auto done = tellCommand("echo no such channel >&2; exit 3", newsOfFinding(), 20s, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().cause, "exit code 3: no such channel");
}

TEST(TellCommand, OfMuchThatItSaysTheEndIsKept) {
  const auto begin = std::chrono::steady_clock::now();
  const auto done = tellCommand("head -c 50000000 /dev/zero | tr '\\0' x >&2; echo the end >&2; exit 1",
                                newsOfFinding(), 50s, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Io) << describe(done.error());
  EXPECT_TRUE(done.error().cause.ends_with("xthe end")) << done.error().cause;
  EXPECT_LT(done.error().cause.size(), 400U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 40s);
}

TEST(TellCommand, WhatItLeavesRunningIsNotWaitedFor) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(tellCommand("sleep 20 & exit 0", newsOfFinding(), 15s, {}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST(TellCommand, LongTextsAreCutInVariablesAndWholeOnTheInput) {
  RunNews news = newsOfFinding();
  news.name = std::string(300'000, 'n');
  const auto done =
      tellCommand("test $(wc -c) -gt 600000 && test ${#LOCKSTEP_RUN_NAME} -eq 8000", news, 20s, {});
  EXPECT_TRUE(done) << describe(done.error());
}

TEST(TellCommand, TheAddressOfTheWebhookIsNotHandedOn) {
  ::setenv("LOCKSTEP_WEBHOOK", "https://hooks.example.com/canary", 1);
  const auto done =
      tellCommand("test -z \"$LOCKSTEP_WEBHOOK\" && test -n \"$PATH\"", newsOfFinding(), 20s, {});
  ::unsetenv("LOCKSTEP_WEBHOOK");
  EXPECT_TRUE(done);
}

TEST(TellCommand, OneThatDoesNotEndIsKilledWithWhatItStarted) {
  const TempDir temp;
  const std::string pid = (temp.path() / "pid").string();
  const auto begin = std::chrono::steady_clock::now();
  const auto done = tellCommand("sleep 60 & echo $! > " + pid + "; wait", newsOfFinding(), 400ms, {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::DeadlineExceeded);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
  const int child = std::stoi(readFile(pid).value());
  for (int i = 0; i < 200 && ::kill(child, 0) == 0; ++i) std::this_thread::sleep_for(10ms);
  const auto state = readFile("/proc/" + std::to_string(child) + "/stat");
  EXPECT_TRUE(!state || state->find(") Z ") != std::string::npos);
}

TEST(TellCommand, ItStopsWhenItIsAskedTo) {
  std::stop_source stop;
  std::jthread later([&stop] {
    std::this_thread::sleep_for(200ms);
    stop.request_stop();
  });
  const auto done = tellCommand("sleep 60", newsOfFinding(), 50s, stop.get_token());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace lockstep
