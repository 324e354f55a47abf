// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/circuit_breaker.h"

#include <gtest/gtest.h>

#include "oci_test_support.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;
using Outcome = CircuitBreakers::Outcome;

const SteadyPoint kStart(std::chrono::seconds(1'767'225'600));

bool attempt(CircuitBreakers& circuits, SteadyPoint now, Outcome outcome, const std::string& endpoint = "e") {
  const auto pass = circuits.enter(endpoint, now);
  if (pass) circuits.leave(*pass, outcome, now, "HTTP 503");
  return pass.has_value();
}

TEST(CircuitBreaker, OpensAtFourFifthsOfTenCalls) {
  for (const auto& [well, failed, opens] :
       {std::tuple{2, 8, true}, {3, 7, false}, {0, 9, false}, {0, 10, true}, {3, 12, true}}) {
    CircuitBreakers circuits;
    for (int i = 0; i < well; ++i) EXPECT_TRUE(attempt(circuits, kStart, Outcome::Well));
    for (int i = 0; i < failed; ++i) EXPECT_TRUE(attempt(circuits, kStart, Outcome::Failed));
    EXPECT_EQ(attempt(circuits, kStart, Outcome::Well), !opens) << well << " " << failed;
    EXPECT_TRUE(attempt(circuits, kStart, Outcome::Well, "another")) << "each endpoint has its own";
  }
}

TEST(CircuitBreaker, WhatIsOlderThanTwoMinutesIsForgotten) {
  CircuitBreakers circuits;
  for (int i = 0; i < 9; ++i) attempt(circuits, kStart, Outcome::Failed);
  EXPECT_TRUE(attempt(circuits, kStart + 121s, Outcome::Failed));
  EXPECT_TRUE(attempt(circuits, kStart + 121s, Outcome::Failed));
}

TEST(CircuitBreaker, SaysHowLongAndLetsOneProbeThrough) {
  CircuitBreakers circuits;
  for (int i = 0; i < 10; ++i) attempt(circuits, kStart, Outcome::Failed);
  const auto refused = circuits.enter("e", kStart + 12s);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().wait, 18s);
  EXPECT_EQ(refused.error().failed, 10);
  EXPECT_EQ(refused.error().calls, 10);
  EXPECT_EQ(refused.error().reason, "HTTP 503");
  const auto probe = circuits.enter("e", kStart + 30s);
  ASSERT_TRUE(probe);
  EXPECT_FALSE(circuits.enter("e", kStart + 30s)) << "one probe at a time";
  circuits.leave(*probe, Outcome::Failed, kStart + 31s, "HTTP 500");
  EXPECT_EQ(circuits.enter("e", kStart + 32s).error().wait, 29s) << "open anew";
  const auto second = circuits.enter("e", kStart + 61s);
  ASSERT_TRUE(second);
  circuits.leave(*second, Outcome::Well, kStart + 61s);
  EXPECT_TRUE(attempt(circuits, kStart + 61s, Outcome::Failed));
  EXPECT_TRUE(attempt(circuits, kStart + 61s, Outcome::Failed)) << "closed, and counting from nothing";
}

TEST(CircuitBreaker, AProbeThatTellsNothingLeavesItsPlace) {
  CircuitBreakers circuits;
  for (int i = 0; i < 10; ++i) attempt(circuits, kStart, Outcome::Failed);
  EXPECT_TRUE(attempt(circuits, kStart + 30s, Outcome::Unknown));
  EXPECT_TRUE(attempt(circuits, kStart + 30s, Outcome::Well));
  EXPECT_TRUE(attempt(circuits, kStart + 30s, Outcome::Well));
}

TEST(CircuitBreaker, WhoComesBackLateSaysNothing) {
  CircuitBreakers circuits;
  const auto early = circuits.enter("e", kStart);
  for (int i = 0; i < 10; ++i) attempt(circuits, kStart, Outcome::Failed);
  circuits.leave(*early, Outcome::Well, kStart + 1s);
  EXPECT_FALSE(circuits.enter("e", kStart + 2s));
}

struct Broken {
  explicit Broken(int failures)
      : server(failingAtFirst(failures, 503, "ServiceUnavailable", count)), service(server.url()) {
    ServiceClient::Setup setup = service.client->setup();
    setup.breakers = std::make_shared<CircuitBreakers>();
    client = std::make_shared<ServiceClient>(setup);
  }
  std::atomic<int> count{0};
  LoopbackServer server;
  TestService service;
  std::shared_ptr<ServiceClient> client;
};

TEST(CircuitBreaker, CallsAreRefusedWithTheReason) {
  Broken broken(1000);
  ASSERT_FALSE(broken.client->call(getCall(), {}));  // eight attempts in some ninety seconds
  ASSERT_EQ(broken.count, 8);
  ServiceClient::Setup setup = broken.client->setup();
  setup.maxAttempts = 1;
  const auto once = std::make_shared<ServiceClient>(setup);
  for (int i = 0; i < 10 && broken.count < 18; ++i) (void)once->call(getCall(), {});
  const int before = broken.count;
  const auto refused = once->call(getCall(), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(broken.count, before) << "nothing was sent";
  const Error& error = refused.error();
  EXPECT_EQ(error.code, ErrorCode::Unavailable);
  EXPECT_NE(error.what.find("Data Science is down and is not asked for another 30 s"), std::string::npos)
      << describe(error);
  EXPECT_NE(error.cause.find("HTTP 503 ServiceUnavailable"), std::string::npos) << describe(error);
  ServiceCall other = getCall();
  other.service = Service::Identity;
  EXPECT_FALSE(once->call(other, {}));
  EXPECT_EQ(broken.count, before + 1) << "another service is asked";
  broken.service.clock->advance(30s);
  EXPECT_FALSE(once->call(getCall(), {}));
  EXPECT_EQ(broken.count, before + 2) << "one probe";
}

TEST(CircuitBreaker, ACalendarThatIsSetNeitherOpensNorKeepsItClosed) {
  for (const auto set : {1h, -1h}) {
    Broken broken(1000);
    ServiceClient::Setup setup = broken.client->setup();
    setup.maxAttempts = 1;
    for (int i = 0; i < 10; ++i) {
      (void)ServiceClient(setup).call(getCall(), {});
      broken.service.clock->stepCalendar(i == 5 ? set : 0h);
    }
    const int before = broken.count;
    EXPECT_EQ(before, 10);
    (void)ServiceClient(setup).call(getCall(), {});
    broken.service.clock->stepCalendar(set);
    (void)ServiceClient(setup).call(getCall(), {});
    EXPECT_EQ(broken.count, before) << "down for 30 s, whatever the calendar says";
    broken.service.clock->advance(30s);
    (void)ServiceClient(setup).call(getCall(), {});
    EXPECT_EQ(broken.count, before + 1);
  }
}

TEST(CircuitBreaker, WhoIsTryingAlreadyWaitsForTheProbe) {
  Broken broken(11);
  ServiceClient::Setup setup = broken.client->setup();
  setup.maxAttempts = 1;
  for (int i = 0; i < 9; ++i) (void)ServiceClient(setup).call(getCall(), {});
  ASSERT_EQ(broken.count, 9);
  const auto answer = broken.client->call(getCall(), {});  // opens it, waits, probes, waits, succeeds
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(broken.count, 12);
}

TEST(CircuitBreaker, ARehearsalRegionThatDoesNotRunIsAskedAgainAtOnce) {
  TestService service("http://127.0.0.1:" + std::to_string(closedPort()));
  ServiceClient::Setup setup = service.client->setup();
  setup.breakers = std::make_shared<CircuitBreakers>();
  setup.maxAttempts = 1;
  for (int i = 0; i < 15; ++i) {
    const auto answer = ServiceClient(setup).call(getCall(), {});
    ASSERT_FALSE(answer);
    EXPECT_NE(answer.error().what.find("could not connect"), std::string::npos) << describe(answer.error());
  }
}

TEST(CircuitBreaker, RefusalsThatAreOurFaultDoNotCount) {
  for (const auto& [status, code] : {std::pair{404, "NotAuthorizedOrNotFound"},
                                     {400, "InvalidParameter"},
                                     {409, "IncorrectState"},
                                     {501, "MethodNotImplemented"}}) {
    std::atomic<int> count{0};
    LoopbackServer server(failingAtFirst(1000, status, code, count));
    TestService service(server.url());
    ServiceClient::Setup setup = service.client->setup();
    setup.breakers = std::make_shared<CircuitBreakers>();
    setup.maxAttempts = 1;
    for (int i = 0; i < 15; ++i) ASSERT_FALSE(ServiceClient(setup).call(getCall(), {}));
    EXPECT_EQ(count, 15) << status;
  }
}

}  // namespace
}  // namespace lockstep::oci
