// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <set>
#include <vector>

#include "base/time_text.h"
#include "oci/calls/service_client.h"
#include "oci_test_support.h"
#include "signing_cases.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;

ServiceCall create(const std::string& token) {
  ServiceCall call;
  call.operation = "CreateJobRun";
  call.method = "POST";
  call.path = "/20190101/jobRuns";
  call.body = "{}";
  call.idempotent = false;
  if (!token.empty()) call.headers.emplace_back("opc-retry-token", token);
  return call;
}

TEST(ServiceClientRetries, RetriesWhatMayPass) {
  const std::pair<int, const char*> cases[] = {{429, "TooManyRequests"},
                                               {500, "InternalServerError"},
                                               {502, ""},
                                               {503, "ServiceUnavailable"},
                                               {504, ""},
                                               {409, "IncorrectState"}};
  for (const auto& [status, code] : cases) {
    std::atomic<int> count{0};
    LoopbackServer server(failingAtFirst(3, status, code, count));
    TestService service(server.url());
    const auto answer = service.client->call(getCall(), {});
    ASSERT_TRUE(answer) << status << ": " << describe(answer.error());
    const auto sleeps = service.clock->sleeps();
    ASSERT_EQ(sleeps.size(), 3U);
    for (std::size_t i = 0; i < sleeps.size(); ++i) {
      EXPECT_GE(sleeps[i], std::chrono::seconds(1 << i));
      EXPECT_LT(sleeps[i], std::chrono::seconds((1 << i) + 1));
    }
    std::set<std::string> dates, requestIds;
    for (const auto& seen : server.seen()) {
      dates.insert(seen.get_header_value("Date"));
      requestIds.insert(seen.get_header_value("opc-request-id"));
    }
    EXPECT_EQ(dates.size(), 4U) << "each attempt is signed anew";
    EXPECT_EQ(requestIds.size(), 1U);
  }
}

TEST(ServiceClientRetries, GivesUpAfterEightAttempts) {
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(1000, 503, "ServiceUnavailable", count));
  TestService service(server.url());
  const auto answer = service.client->call(getCall(), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(count, 8);
  EXPECT_EQ(answer.error().code, ErrorCode::Unavailable);
  EXPECT_NE(answer.error().what.find("(after 8 attempts)"), std::string::npos) << describe(answer.error());
  EXPECT_GE(service.clock->sleeps().back(), 30s);
  EXPECT_LT(service.clock->sleeps().back(), 31s);
}

TEST(ServiceClientRetries, ConflictsMayBeFinal) {
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(1000, 409, "IncorrectState", count));
  ServiceCall call = getCall();
  call.retryConflicts = false;
  EXPECT_FALSE(TestService(server.url()).client->call(call, {}));
  EXPECT_EQ(count, 1);
}

TEST(ServiceClientRetries, HonorsRetryAfter) {
  std::atomic<int> count{0};
  LoopbackServer server([&](const httplib::Request&, httplib::Response& out) {
    const int n = count++;
    if (n == 0) out.set_header("Retry-After", "7.5");
    if (n == 1) out.set_header("retry-after", toRfc1123(FakeClock().now() + 100s));
    if (n == 2) out.set_header("retry-after", "soon");
    if (n == 3) out.set_header("retry-after", "86400");
    if (n < 4) return refuseWith(out, 503, "ServiceUnavailable", "later");
    out.set_content("{}", "application/json");
  });
  TestService service(server.url());
  const auto answer = service.client->call(getCall(), {});
  const auto sleeps = service.clock->sleeps();
  ASSERT_EQ(sleeps.size(), 3U);
  EXPECT_EQ(sleeps[0], 7500ms);
  EXPECT_EQ(sleeps[1], 92500ms) << "a date counts from now";
  EXPECT_GE(sleeps[2], 4s);
  EXPECT_LT(sleeps[2], 5s);
  ASSERT_FALSE(answer) << "nobody waits a day";
  EXPECT_NE(answer.error().cause.find("the next attempt would come only after 11:4"), std::string::npos)
      << describe(answer.error());
  EXPECT_NE(answer.error().what.find("(after 4 attempts)"), std::string::npos);
}

TEST(ServiceClientRetries, ACreateIsRepeatedOnlyWithItsToken) {
  for (const int status : {500, 503}) {
    std::atomic<int> count{0};
    LoopbackServer server(failingAtFirst(1000, status, "InternalServerError", count));
    EXPECT_FALSE(TestService(server.url()).client->call(create(""), {}));
    EXPECT_EQ(count, 1) << status;
  }
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(2, 500, "InternalServerError", count));
  ASSERT_TRUE(TestService(server.url()).client->call(create("token-1"), {}));
  ASSERT_EQ(server.count(), 3U);
  for (const auto& seen : server.seen()) EXPECT_EQ(seen.get_header_value("opc-retry-token"), "token-1");
}

TEST(ServiceClientRetries, AThrottledCreateWasTurnedAwayAndMayBeRepeated) {
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(1, 429, "TooManyRequests", count));
  EXPECT_TRUE(TestService(server.url()).client->call(create(""), {}));
  EXPECT_EQ(count, 2);
}

TEST(ServiceClientRetries, AResetAfterTheRequestWasSent) {
  std::atomic<int> count{0};
  RawServer server([&](const std::string&) {
    return count++ == 0 ? RawServer::Reply{{}, true}
                        : RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"};
  });
  const auto lost = TestService(server.url()).client->call(create(""), {});
  ASSERT_FALSE(lost) << "it may have arrived";
  EXPECT_EQ(lost.error().code, ErrorCode::Unavailable);
  EXPECT_NE(lost.error().remedy.find("look before you repeat it"), std::string::npos)
      << describe(lost.error());
  ASSERT_TRUE(lost.error().service);
  EXPECT_EQ(lost.error().service->httpStatus, 0);
  EXPECT_EQ(lost.error().service->operation, "CreateJobRun");
  EXPECT_EQ(lost.error().service->requestId.size(), 32U) << "ours, since none came back";
  count = 0;
  EXPECT_TRUE(TestService(server.url()).client->call(create("token"), {}));
  count = 0;
  EXPECT_TRUE(TestService(server.url()).client->call(getCall(), {}));
}

TEST(ServiceClientRetries, ABodyThatBreaksOffIsReadAgain) {
  std::atomic<int> count{0};
  RawServer server([&](const std::string&) {
    return count++ == 0 ? RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"half"}
                        : RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"};
  });
  const auto answer = TestService(server.url()).client->call(getCall(), {});
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->body, "{}");
}

TEST(ServiceClientRetries, NobodyListens) {
  TestService service("http://127.0.0.1:" + std::to_string(closedPort()));
  // Nothing was sent, so even a create without a token is tried again; but not as long as for the cloud.
  const auto answer = service.client->call(create(""), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::Unavailable);
  EXPECT_EQ(service.clock->sleeps().size(), 2U);
  EXPECT_NE(answer.error().remedy.find("lockstep rehearsal start"), std::string::npos)
      << describe(answer.error());
  EXPECT_EQ(answer.error().service->operation, "CreateJobRun");
}

TEST(ServiceClientRetries, ATimeOutIsTriedAgain) {
  std::atomic<int> count{0};
  RawServer server([&](const std::string&) {
    return count++ == 0 ? RawServer::Reply{{}, false, true}
                        : RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"};
  });
  TestService service(server.url());
  ServiceCall call = getCall();
  call.timeout = 300ms;
  EXPECT_TRUE(service.client->call(call, {}));
  count = 0;
  ServiceCall post = create("");
  post.timeout = 300ms;
  const auto lost = service.client->call(post, {});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::DeadlineExceeded);
}

TEST(ServiceClientRetries, TheBudgetEndsWhatTheCountWouldNot) {
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(1000, 503, "ServiceUnavailable", count));
  TestService service(server.url());
  ServiceClient::Setup setup = service.client->setup();
  setup.retryBudget = 6s;
  const auto answer = ServiceClient(setup).call(getCall(), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(count, 3) << "1 s, 2 s, and then 4 s would be too late";
}

TEST(ServiceClientRetries, RightAfterACreateWhatIsNotSeenYetIsAskedForAgain) {
  const std::pair<int, const char*> cases[] = {{400, "RelatedResourceNotAuthorizedOrNotFound"},
                                               {400, "InsufficientServicePermissions"},
                                               {400, "ResourceDisabled"},
                                               {404, "NotAuthorizedOrNotFound"},
                                               {409, "NotAuthorizedOrResourceAlreadyExists"}};
  for (const auto& [status, code] : cases) {
    std::atomic<int> count{0};
    LoopbackServer server(failingAtFirst(1000, status, code, count));
    TestService service(server.url());
    ASSERT_FALSE(service.client->call(getCall(), {}));
    EXPECT_EQ(count, 1) << code << ": not without being told";
    count = 0;
    ServiceCall call = getCall();
    call.afterCreate = true;
    ASSERT_FALSE(service.client->call(call, {}));
    EXPECT_EQ(count, 9) << code;
    const auto sleeps = service.clock->sleeps();
    ASSERT_EQ(sleeps.size(), 8U);
    const double expected[] = {1, 3.52, 12.39, 43.61, 45, 45, 45, 45};
    for (std::size_t i = 0; i < sleeps.size(); ++i) {
      const double seconds = std::chrono::duration<double>(sleeps[i]).count();
      EXPECT_GE(seconds, expected[i] - 0.01);
      EXPECT_LT(seconds, expected[i] + 1.01);
    }
  }
}

TEST(ServiceClientRetries, SaysWhetherItRetries) {
  LoopbackServer server(
      [](const httplib::Request&, httplib::Response& out) { out.set_content("{}", "application/json"); });
  TestService service(server.url());
  ASSERT_TRUE(service.client->call(getCall(), {}));
  EXPECT_EQ(server.seen().back().get_header_value("opc-client-retries"), "true");
  ServiceClient::Setup setup = service.client->setup();
  setup.maxAttempts = 1;
  ASSERT_TRUE(ServiceClient(setup).call(getCall(), {}));
  EXPECT_FALSE(server.seen().back().has_header("opc-client-retries"));
}

TEST(ServiceClientRetries, AClockThatIsOffIsCorrectedEvenWithoutRetries) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    const TimePoint now = FakeClock().now() + 2h;
    out.set_header("Date", toRfc1123(now));
    if (in.get_header_value("Date") != toRfc1123(now))
      return refuseWith(out, 401, "NotAuthenticated", "skew");
    out.set_content("{}", "application/json");
  });
  TestService service(server.url());
  ServiceClient::Setup setup = service.client->setup();
  setup.maxAttempts = 1;
  EXPECT_TRUE(ServiceClient(setup).call(getCall(), {}));
  EXPECT_EQ(server.count(), 2U);
}

// All are signed with the clock that is off before the first is refused; whoever is refused first corrects
// the offset for all, and the others must be tried again nevertheless.
TEST(ServiceClientRetries, AClockThatIsOffIsCorrectedForCallsSideBySide) {
  constexpr int kCalls = 4;
  std::latch arrived(kCalls);
  LoopbackServer server([&](const httplib::Request& in, httplib::Response& out) {
    const TimePoint now = FakeClock().now() + 2h;
    out.set_header("Date", toRfc1123(now));
    if (in.get_header_value("Date") == toRfc1123(now)) return out.set_content("{}", "application/json");
    arrived.arrive_and_wait();
    refuseWith(out, 401, "NotAuthenticated", "skew");
  });
  TestService service(server.url());
  std::vector<std::future<std::string>> answers;
  for (int i = 0; i < kCalls; ++i) {
    answers.push_back(std::async(std::launch::async, [&] {
      const auto answer = service.client->call(getCall(), {});
      return answer ? std::string("answered") : describe(answer.error());
    }));
  }
  for (auto& answer : answers) EXPECT_EQ(answer.get(), "answered");
  EXPECT_EQ(server.count(), 2U * kCalls);
}

TEST(ServiceClientRetries, AnUploadIsReadAnewForEachAttempt) {
  std::atomic<int> count{0};
  const std::string text(300'000, 'u');
  LoopbackServer server([&](const httplib::Request& in, httplib::Response& out) {
    EXPECT_EQ(in.body.size(), text.size());
    if (count++ < 2) return refuseWith(out, 503, "ServiceUnavailable", "later");
    out.set_content(in.body == text ? "same" : "other", "text/plain");
  });
  ServiceCall put = getCall("/n/ns/b/b/o/x");
  put.method = "PUT";
  put.source = std::make_shared<TextSource>(text);
  put.bodySigning = BodySigning::Excluded;
  const auto answer = TestService(server.url()).client->call(put, {});
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->body, "same");
  EXPECT_EQ(server.seen().back().get_header_value("content-length"), "300000");
}

TEST(ServiceClientRetries, WhatHasBeenHandedOutIsNotFetchedAgain) {
  std::atomic<int> count{0};
  RawServer server([&](const std::string&) {
    return count++ == 0 ? RawServer::Reply{"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy"}
                        : RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"half"};
  });
  std::string got;
  ServiceCall call = getCall();
  call.receive = [&](std::string_view piece) {
    got += piece;
    return true;
  };
  const auto answer = TestService(server.url()).client->call(call, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::Unavailable);
  EXPECT_EQ(count, 2) << "the refusal is repeated, the half answer is not";
  EXPECT_EQ(got, "{\"half");
}

}  // namespace
}  // namespace lockstep::oci
