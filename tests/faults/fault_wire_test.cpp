// SPDX-License-Identifier: GPL-3.0-or-later
// Each fault as a caller meets it.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "tests/faults/fault_region.h"
#include "tests/faults/launch_story.h"

using namespace lockstep::testing;
using nlohmann::json;

namespace {

struct FaultWireTest : ::testing::Test {
  static void SetUpTestSuite() { region = new FaultRegion(kStoryScript); }
  static void TearDownTestSuite() {
    delete region;
    region = nullptr;
  }
  void SetUp() override { set(json::array()); }

  static void set(const json& faults) { region->setFaults({{"seed", 1}, {"faults", faults}}); }
  static std::string objects() {
    return "/n/" + region->region().info()["namespace"].get<std::string>() + "/b/" +
           region->region().info()["bucket"].get<std::string>() + "/o";
  }
  static TestResponse list() { return region->region().caller().get(objects()); }
  static TestResponse put(const std::string& name, const std::string& bytes) {
    return region->region().caller().send("PUT", objects() + "/" + name, bytes);
  }

  static FaultRegion* region;
};
FaultRegion* FaultWireTest::region = nullptr;

}  // namespace

TEST_F(FaultWireTest, ThrottlesWithAndWithoutRetryAfter) {
  set({{{"kind", "throttle"}, {"operation", "ListObjects"}, {"times", 1}, {"retryAfter", 1.5}},
       {{"kind", "throttle"}, {"operation", "ListObjects"}, {"after", 1}, {"times", 1}}});
  const TestResponse first = list(), second = list();
  EXPECT_EQ(first.status, 429);
  EXPECT_EQ(first.code(), "TooManyRequests");
  EXPECT_EQ(first.header("retry-after"), "1.5");
  EXPECT_FALSE(first.header("opc-request-id").empty());
  EXPECT_EQ(second.status, 429);
  EXPECT_EQ(second.header("retry-after"), "");
  EXPECT_EQ(list().status, 200);
  EXPECT_EQ(region->strikes(), 2);
}

TEST_F(FaultWireTest, FailsAsAServiceOrAsAGatewayDoes) {
  for (const int status : {500, 502, 503, 504}) {
    set({{{"kind", "error"}, {"operation", "ListObjects"}, {"status", status}}});
    const TestResponse response = list();
    EXPECT_EQ(response.status, status);
    const bool gateway = status == 502 || status == 504;
    EXPECT_EQ(response.json().is_object(), !gateway) << response.body;
  }
}

TEST_F(FaultWireTest, AResetBeforeTheAnswerCarriesNothingOutAndALostAnswerAll) {
  set({{{"kind", "reset"}, {"operation", "PutObject"}, {"times", 1}}});
  EXPECT_EQ(put("reset", "x").status, 0);
  EXPECT_FALSE(region->object("reset"));
  set({{{"kind", "lost-answer"}, {"operation", "PutObject"}, {"times", 1}}});
  EXPECT_EQ(put("lost", "x").status, 0);
  EXPECT_EQ(region->object("lost"), "x");
}

TEST_F(FaultWireTest, CutsDelaysAndMislabelsAnAnswer) {
  put("body", std::string(10'000, 'b'));
  for (const json& fault : {json{{"kind", "reset"}, {"bytes", 100}}, json{{"kind", "wrong-length"}}}) {
    json one = fault;
    one["operation"] = "GetObject";
    set(json::array({one}));
    EXPECT_FALSE(region->object("body")) << fault;
  }
  const auto timed = [&](const json& fault) {
    set(json::array({fault}));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(region->object("body"), std::string(10'000, 'b')) << fault;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  EXPECT_GE(timed({{"kind", "latency"}, {"operation", "GetObject"}, {"delay", 0.4}}), 0.4);
  EXPECT_GE(timed({{"kind", "slow-body"}, {"operation", "GetObject"}, {"bytesPerSecond", 20'000}}), 0.3);
}

TEST_F(FaultWireTest, AClockThatIsOffRefusesAndTellsItsDate) {
  set({{{"kind", "clock-skew"}, {"delay", 600}}});
  const TestResponse refused = list();
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.code(), "NotAuthenticated");
  auto caller = region->region().caller();
  caller.clockError = std::chrono::seconds(600);
  EXPECT_EQ(caller.get(objects()).status, 200);
}

TEST_F(FaultWireTest, ATokenThatEndedOpensNothingAndANewOneAll) {
  const lockstep::TempDir temp;
  const auto logIn = [&] {
    const json session = region->admin("POST", "/rehearsal/sessions", {{"minutes", 5}});
    std::ofstream(temp.path() / "key.pem") << session["privateKey"].get<std::string>();
    return TestCaller(region->region().port(), "ST$" + session["token"].get<std::string>(),
                      readKeyFile((temp.path() / "key.pem").string()));
  };
  const TestCaller old = logIn();
  set({{{"kind", "expired-token"}, {"operation", "ListObjects"}, {"times", 1}}});
  EXPECT_EQ(old.get("/n/").status, 200);
  const TestResponse refused = old.get(objects());
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.code(), "NotAuthenticated");
  EXPECT_EQ(old.get("/n/").status, 401);
  EXPECT_EQ(old.post("/v1/authentication/refresh", {{"currentToken", "x"}}).status, 401);
  EXPECT_EQ(list().status, 200) << "an API key is no token";
  EXPECT_EQ(logIn().get(objects()).status, 200);
}

TEST_F(FaultWireTest, AFullDiskRefusesUploadsAndKeepsWhatIsThere) {
  put("kept", "old");
  set({{{"kind", "disk-full"}}});
  EXPECT_EQ(put("kept", "new").status, 500);
  EXPECT_EQ(region->object("kept"), "old");
}

TEST_F(FaultWireTest, WhatIsCreatedIsListedLate) {
  set({{{"kind", "eventual-listing"}, {"operation", "ListObjects"}, {"delay", 1.0}}});
  ASSERT_EQ(put("late", "x").status, 200);
  EXPECT_EQ(list().body.find("\"late\""), std::string::npos);
  EXPECT_EQ(region->object("late"), "x");
  EXPECT_TRUE(eventually([] { return list().body.find("\"late\"") != std::string::npos; }));
}

TEST_F(FaultWireTest, APlanIsForWhoeverHasTheAdminToken) {
  const TestResponse response = region->region().caller().get("/rehearsal/faults");  // a signature is none
  EXPECT_EQ(response.status, 401);
  EXPECT_THROW(set({{{"kind", "flood"}}}), std::runtime_error);
}
