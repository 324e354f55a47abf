// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "rehearsal/faults/fault_interference.h"
#include "rehearsal/faults/skewed_clock.h"

using namespace lockstep;
using namespace lockstep::rehearsal;
using nlohmann::json;

namespace {

FaultPlan planOf(const std::string& text) {
  auto plan = FaultPlan::parse(json::parse(text));
  EXPECT_TRUE(plan) << (plan ? "" : describe(plan.error()));
  return plan.value_or(FaultPlan());
}

std::string complaintAbout(const std::string& fault) {
  const auto plan = FaultPlan::parse(json::parse(R"({"faults": [)" + fault + "]}"));
  return plan ? "" : describe(plan.error());
}

std::string decisions(Faults& faults, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += faults.strike(FaultKind::ServerError, "GetJob") ? 'x' : '.';
  return text;
}

}  // namespace

TEST(FaultPlan, ReadsWhatItWrites) {
  const FaultPlan plan = planOf(R"({"seed": 7, "faults": [
    {"kind": "throttle", "operation": "List*", "retryAfter": 0.2, "times": 3},
    {"kind": "clock-skew", "delay": -90.5}, {"kind": "node-killed", "delay": 2, "node": 1}]})");
  ASSERT_EQ(plan.faults.size(), 3U);
  EXPECT_EQ(plan.faults[0].retryAfter, 0.2);
  EXPECT_EQ(plan.faults[1].delay, std::chrono::milliseconds(-90'500));
  const auto again = FaultPlan::parse(plan.toJson());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->toJson(), plan.toJson());
  EXPECT_EQ(plan.toJson()["faults"][0]["operation"], "List*");
}

TEST(FaultPlan, NamesTheFaultTheFieldAndWhatItMayBe) {
  EXPECT_NE(complaintAbout(R"({"kind": "flood"})").find("must be one of latency, throttle"),
            std::string::npos);
  EXPECT_NE(complaintAbout(R"({"kind": "latency"})").find("needs the field 'delay'"), std::string::npos);
  EXPECT_NE(complaintAbout(R"({"kind": "quota", "delay": 1})").find("knows only"), std::string::npos);
  EXPECT_NE(complaintAbout(R"({"kind": "reset", "probability": 2})").find("from 0 to 1"), std::string::npos);
  EXPECT_NE(complaintAbout(R"({"kind": "error", "status": 501})").find("502"), std::string::npos);
  EXPECT_NE(complaintAbout(R"({"kind": "latency", "delay": -1})").find("from 0"), std::string::npos);
  EXPECT_NE(complaintAbout(R"({"kind": "latency", "delay": 1, "delai": 2})").find("faults[0]"),
            std::string::npos);
  EXPECT_FALSE(FaultPlan::parse(json::parse(R"({"seed": -1})")));
  EXPECT_FALSE(FaultPlan::parse(json::parse(R"({"fault": []})")));
  EXPECT_FALSE(FaultPlan::parse(json::parse("[]")));
}

TEST(Faults, DecideBySeedFaultAndCountAlone) {
  const std::string text = R"({"seed": 3, "faults": [{"kind": "error", "probability": 0.5}]})";
  Faults first, second, other;
  first.set(planOf(text));
  second.set(planOf(text));
  FaultPlan changed = planOf(text);
  changed.seed = 4;
  other.set(changed);
  const std::string decided = decisions(first, 200);
  for (int i = 0; i < 50; ++i) static_cast<void>(second.strike(FaultKind::Reset, "GetJob"));  // not its kind
  EXPECT_EQ(decisions(second, 200), decided);
  EXPECT_NE(decisions(other, 200), decided);
  const auto struck = std::count(decided.begin(), decided.end(), 'x');
  EXPECT_GT(struck, 60);
  EXPECT_LT(struck, 140);
  first.set(planOf(text));  // counts anew
  EXPECT_EQ(decisions(first, 200), decided);
}

TEST(Faults, SpareTheFirstAndStrikeSoOften) {
  Faults faults;
  faults.set(planOf(R"({"faults": [{"kind": "error", "operation": "Get*", "after": 2, "times": 3}]})"));
  EXPECT_FALSE(faults.strike(FaultKind::ServerError, "ListJobs"));
  EXPECT_TRUE(faults.active(FaultKind::ServerError, "GetJob"));
  EXPECT_EQ(decisions(faults, 8), "..xxx...");
  EXPECT_EQ(faults.strikes(), std::vector<int>{3});
  EXPECT_FALSE(faults.active(FaultKind::ServerError, "GetJob"));
}

TEST(Faults, WhatEndedATokenEndsItForGood) {
  Faults faults;
  EXPECT_FALSE(faults.endsToken("a", "GetJob")) << "there is no fault";
  faults.set(planOf(R"({"faults": [{"kind": "expired-token", "operation": "Put*", "times": 1}]})"));
  EXPECT_FALSE(faults.endsToken("a", "GetJob"));
  EXPECT_TRUE(faults.endsToken("a", "PutObject"));
  EXPECT_TRUE(faults.endsToken("a", "GetJob"));
  EXPECT_FALSE(faults.endsToken("b", "PutObject")) << "a new token is another one";
  EXPECT_EQ(faults.strikes(), std::vector<int>{1}) << "a token ends once";
  faults.set({});
  EXPECT_FALSE(faults.endsToken("a", "PutObject"));
}

TEST(SkewedClock, IsAheadWhileTheFaultIsThere) {
  Faults faults;
  SkewedClock clock(std::make_shared<SystemClock>(), faults);
  EXPECT_LT(clock.now() - SystemClock().now(), std::chrono::minutes(1));
  faults.set(planOf(R"({"faults": [{"kind": "clock-skew", "delay": 600}]})"));
  EXPECT_GT(clock.now() - SystemClock().now(), std::chrono::minutes(9));
}

TEST(Visibility, LetsThingsBeSeenLateAndInADrawnOrder) {
  EXPECT_TRUE(Visibility().sees(1000, "a", 1000));
  EXPECT_TRUE(Visibility().sees(9000, "a", 1000));
  const Visibility late{500, 0, 0};
  EXPECT_FALSE(late.sees(1000, "a", 1499));
  EXPECT_TRUE(late.sees(1000, "a", 1500));
  const Visibility drawn{0, 1000, 9};
  int seen = 0;
  for (int i = 0; i < 100; ++i) seen += drawn.sees(0, "record-" + std::to_string(i), 500) ? 1 : 0;
  EXPECT_GT(seen, 20);
  EXPECT_LT(seen, 80);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(drawn.sees(0, "record-" + std::to_string(i), 1000));
}
