// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/service_client.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/time_text.h"
#include "oci_test_support.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;

ServiceCall get(std::string path = "/20190101/jobs/j") {
  ServiceCall call;
  call.operation = "GetJob";
  call.path = std::move(path);
  return call;
}

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

// Fails `failures` times, then answers.
LoopbackServer::Handler failingAtFirst(int failures, int status, std::string code, std::atomic<int>& count) {
  return [=, &count](const httplib::Request&, httplib::Response& out) {
    if (count++ < failures) return refuseWith(out, status, code, "not now");
    out.set_content("{}", "application/json");
  };
}

TEST(ServiceClient, SignsAndBringsTheAnswer) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_content("{\"id\":\"j\"}", "application/json");
  });
  TestService service(server.url() + "/");
  const auto answer = service.client->call(get(), {});
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->body, "{\"id\":\"j\"}");
  const auto seen = server.seen().at(0);
  EXPECT_EQ(seen.target, "/20190101/jobs/j");
  EXPECT_NE(seen.get_header_value("Authorization").find("keyId=\"t/u/f\""), std::string::npos);
  EXPECT_EQ(seen.get_header_value("Date"), toRfc1123(service.clock->now()));
  EXPECT_EQ("http://" + seen.get_header_value("Host"), server.url());
  EXPECT_EQ(seen.get_header_value("opc-request-id").size(), 32U);
  EXPECT_EQ(seen.get_header_value_count("Host"), 1U);
}

TEST(ServiceClient, KnowsWhereTheServicesAre) {
  ServiceClient::Setup setup;
  setup.region = "iad";
  setup.clock = std::make_shared<FakeClock>();
  EXPECT_EQ(ServiceClient(setup).baseUrl(Service::DataScience),
            "https://datascience.us-ashburn-1.oci.oraclecloud.com");
  setup.endpoint = "http://127.0.0.1:1/";
  EXPECT_EQ(ServiceClient(setup).baseUrl(Service::Core), "http://127.0.0.1:1");
}

TEST(ServiceClient, RetriesWhatMayPass) {
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
    const auto answer = service.client->call(get(), {});
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

TEST(ServiceClient, GivesUpAfterEightAttempts) {
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(1000, 503, "ServiceUnavailable", count));
  TestService service(server.url());
  const auto answer = service.client->call(get(), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(count, 8);
  EXPECT_EQ(answer.error().code, StatusCode::Unavailable);
  EXPECT_NE(answer.error().what.find("(after 8 attempts)"), std::string::npos) << describe(answer.error());
  EXPECT_GE(service.clock->sleeps().back(), 30s);
  EXPECT_LT(service.clock->sleeps().back(), 31s);
}

TEST(ServiceClient, DoesNotRetryWhatStays) {
  struct Case {
    int status;
    const char* code;
    StatusCode expected;
  };
  const Case cases[] = {{400, "InvalidParameter", StatusCode::InvalidArgument},
                        {400, "LimitExceeded", StatusCode::ResourceExhausted},
                        {400, "QuotaExceeded", StatusCode::ResourceExhausted},
                        {401, "NotAuthenticated", StatusCode::Unauthenticated},
                        {403, "NotAllowed", StatusCode::PermissionDenied},
                        {404, "NotAuthorizedOrNotFound", StatusCode::NotFound},
                        {405, "MethodNotAllowed", StatusCode::InvalidArgument},
                        {409, "BucketAlreadyExists", StatusCode::AlreadyExists},
                        {409, "InvalidatedRetryToken", StatusCode::FailedPrecondition},
                        {412, "NoEtagMatch", StatusCode::FailedPrecondition},
                        {413, "PayloadTooLarge", StatusCode::InvalidArgument},
                        {422, "UnprocessableEntity", StatusCode::InvalidArgument},
                        {501, "MethodNotImplemented", StatusCode::FailedPrecondition}};
  for (const auto& c : cases) {
    std::atomic<int> count{0};
    LoopbackServer server(failingAtFirst(1000, c.status, c.code, count));
    TestService service(server.url());
    const auto answer = service.client->call(get(), {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(count, 1) << c.status;
    EXPECT_EQ(answer.error().code, c.expected) << c.status << " " << c.code;
    EXPECT_NE(answer.error().cause.find("not now"), std::string::npos);
    ASSERT_TRUE(answer.error().service);
    EXPECT_EQ(answer.error().service->service, "Data Science");
    EXPECT_EQ(answer.error().service->operation, "GetJob");
    EXPECT_EQ(answer.error().service->httpStatus, c.status);
    EXPECT_EQ(answer.error().service->errorCode, c.code);
    EXPECT_EQ(answer.error().service->requestId, "SERVER/ID/1");
  }
}

TEST(ServiceClient, ANotFoundNamesBothPossibilities) {
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(1, 404, "NotAuthorizedOrNotFound", count));
  const auto answer = TestService(server.url()).client->call(get(), {});
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().remedy.find("OCID"), std::string::npos);
  EXPECT_NE(answer.error().remedy.find("policy"), std::string::npos);
}

TEST(ServiceClient, ConflictsMayBeFinal) {
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(1000, 409, "IncorrectState", count));
  ServiceCall call = get();
  call.retryConflicts = false;
  EXPECT_FALSE(TestService(server.url()).client->call(call, {}));
  EXPECT_EQ(count, 1);
}

TEST(ServiceClient, HonorsRetryAfter) {
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
  ASSERT_TRUE(service.client->call(get(), {}));
  const auto sleeps = service.clock->sleeps();
  ASSERT_EQ(sleeps.size(), 4U);
  EXPECT_EQ(sleeps[0], 7500ms);
  EXPECT_EQ(sleeps[1], 92500ms) << "a date counts from now";
  EXPECT_GE(sleeps[2], 4s);
  EXPECT_LT(sleeps[2], 5s);
  EXPECT_EQ(sleeps[3], 600s) << "nobody waits a day";
}

TEST(ServiceClient, ACreateIsRepeatedOnlyWithItsToken) {
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

TEST(ServiceClient, AThrottledCreateWasTurnedAwayAndMayBeRepeated) {
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(1, 429, "TooManyRequests", count));
  EXPECT_TRUE(TestService(server.url()).client->call(create(""), {}));
  EXPECT_EQ(count, 2);
}

TEST(ServiceClient, AResetAfterTheRequestWasSent) {
  std::atomic<int> count{0};
  RawServer server([&](const std::string&) {
    return count++ == 0 ? RawServer::Reply{{}, true}
                        : RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"};
  });
  const auto lost = TestService(server.url()).client->call(create(""), {});
  ASSERT_FALSE(lost) << "it may have arrived";
  EXPECT_EQ(lost.error().code, StatusCode::Unavailable);
  EXPECT_NE(lost.error().remedy.find("look before you repeat it"), std::string::npos)
      << describe(lost.error());
  ASSERT_TRUE(lost.error().service);
  EXPECT_EQ(lost.error().service->httpStatus, 0);
  EXPECT_EQ(lost.error().service->operation, "CreateJobRun");
  EXPECT_EQ(lost.error().service->requestId.size(), 32U) << "ours, since none came back";
  count = 0;
  EXPECT_TRUE(TestService(server.url()).client->call(create("token"), {}));
  count = 0;
  EXPECT_TRUE(TestService(server.url()).client->call(get(), {}));
}

TEST(ServiceClient, ABodyThatBreaksOffIsReadAgain) {
  std::atomic<int> count{0};
  RawServer server([&](const std::string&) {
    return count++ == 0 ? RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"half"}
                        : RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"};
  });
  const auto answer = TestService(server.url()).client->call(get(), {});
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->body, "{}");
}

TEST(ServiceClient, NobodyListens) {
  TestService service("http://127.0.0.1:" + std::to_string(closedPort()));
  // Nothing was sent, so even a create without a token is tried again; but not as long as for the cloud.
  const auto answer = service.client->call(create(""), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, StatusCode::Unavailable);
  EXPECT_EQ(service.clock->sleeps().size(), 2U);
  EXPECT_NE(answer.error().remedy.find("lockstep rehearsal start"), std::string::npos)
      << describe(answer.error());
  EXPECT_EQ(answer.error().service->operation, "CreateJobRun");
}

TEST(ServiceClient, ATimeOutIsTriedAgain) {
  std::atomic<int> count{0};
  RawServer server([&](const std::string&) {
    return count++ == 0 ? RawServer::Reply{{}, false, true}
                        : RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"};
  });
  TestService service(server.url());
  ServiceCall call = get();
  call.timeout = 300ms;
  EXPECT_TRUE(service.client->call(call, {}));
  count = 0;
  ServiceCall post = create("");
  post.timeout = 300ms;
  const auto lost = service.client->call(post, {});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, StatusCode::DeadlineExceeded);
}

TEST(ServiceClient, OddErrorBodiesAreTolerated) {
  const std::pair<const char*, const char*> cases[] = {
      {"<html><h1>502 Bad Gateway</h1></html>", "no OCI error"},
      {"", "empty body"},
      {"[1,2]", "no OCI error"},
      {R"({"code":7,"message":null})", "no OCI error"},
      {R"({"message":"only words"})", "only words"},
      {"{\"code\":\"X\",\"message\":\"bad \xff byte\"}", "no OCI error"}};
  for (const auto& [body, reason] : cases) {
    LoopbackServer server([&, text = std::string(body)](const httplib::Request&, httplib::Response& out) {
      out.status = 400;
      out.set_content(text, "text/html");
    });
    const auto answer = TestService(server.url()).client->call(get(), {});
    ASSERT_FALSE(answer);
    EXPECT_NE(answer.error().cause.find(reason), std::string::npos) << describe(answer.error());
    ASSERT_TRUE(answer.error().service);
    EXPECT_EQ(answer.error().service->httpStatus, 400);
    EXPECT_EQ(answer.error().service->requestId.size(), 32U);
  }
}

TEST(ServiceClient, ARedirectIsNoAnswer) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_redirect("https://portal.example/login");
  });
  const auto answer = TestService(server.url()).client->call(get(), {});
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().remedy.find("proxy"), std::string::npos) << describe(answer.error());
}

// Accepts only requests that were signed near `serverNow`.
LoopbackServer::Handler strictAboutTime(TimePoint serverNow) {
  return [=](const httplib::Request& in, httplib::Response& out) {
    out.set_header("Date", toRfc1123(serverNow));
    const auto date = parseRfc1123(in.get_header_value("Date"));
    if (!date || std::chrono::abs(*date - serverNow) > 5min)
      return refuseWith(out, 401, "NotAuthenticated", "refused");
    out.set_content("{}", "application/json");
  };
}

TEST(ServiceClient, CorrectsAClockThatIsOff) {
  for (const auto off : {-2h, 2h}) {
    LoopbackServer server(strictAboutTime(FakeClock().now() + off));
    TestService service(server.url());
    ASSERT_TRUE(service.client->call(get(), {}));
    EXPECT_EQ(server.count(), 2U);
    EXPECT_TRUE(service.clock->sleeps().empty());
    ASSERT_TRUE(service.client->call(get(), {}));
    EXPECT_EQ(server.count(), 3U) << "the offset is remembered";
  }
}

TEST(ServiceClient, NamesTheClockWhenCorrectingDidNotHelp) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_header("Date", toRfc1123(FakeClock().now() + 2h));
    refuseWith(out, 401, "NotAuthenticated", "refused");
  });
  TestService service(server.url());
  service.credentials->doubt = "the fingerprint looks odd";
  const auto answer = service.client->call(get(), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(server.count(), 2U);
  EXPECT_EQ(answer.error().code, StatusCode::Unauthenticated);
  EXPECT_NE(answer.error().cause.find("the clock of this machine is 2:00:00 behind"), std::string::npos)
      << describe(answer.error());
  EXPECT_NE(answer.error().cause.find("the fingerprint looks odd"), std::string::npos);
}

TEST(ServiceClient, ReadsARotatedTokenOnceAgain) {
  std::atomic<int> accepted{0};
  LoopbackServer server([&](const httplib::Request& in, httplib::Response& out) {
    if (in.get_header_value("Authorization").find("ST$new") == std::string::npos)
      return refuseWith(out, 401, "NotAuthenticated", "old");
    ++accepted;
    out.set_content("{}", "application/json");
  });
  TestService service(server.url());
  service.credentials->keyId = "ST$old";
  service.credentials->nextKeyId = "ST$new";
  EXPECT_TRUE(service.client->call(get(), {}));
  EXPECT_EQ(accepted, 1);
  service.credentials->keyId = "ST$old";
  service.credentials->nextKeyId = "ST$other";
  service.credentials->refreshed = 0;
  EXPECT_FALSE(service.client->call(get(), {}));
  EXPECT_EQ(service.credentials->refreshed, 1) << "once, not for ever";
}

TEST(ServiceClient, StopsBeforeBetweenAndDuringAttempts) {
  std::stop_source before;
  before.request_stop();
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(1000, 503, "ServiceUnavailable", count));
  TestService service(server.url());
  EXPECT_EQ(service.client->call(get(), before.get_token()).error().code, StatusCode::Cancelled);
  EXPECT_EQ(count, 0);

  std::stop_source between;
  service.clock->onSleep([&] { between.request_stop(); });
  EXPECT_EQ(service.client->call(get(), between.get_token()).error().code, StatusCode::Cancelled);
  EXPECT_EQ(count, 1);

  std::stop_source during;
  RawServer slow([&](const std::string&) {
    during.request_stop();
    return RawServer::Reply{{}, false, true};
  });
  EXPECT_EQ(TestService(slow.url()).client->call(get(), during.get_token()).error().code,
            StatusCode::Cancelled);
  EXPECT_EQ(slow.seen().size(), 1U);
}

TEST(ServiceClient, ServesManyThreads) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    out.set_content(in.target, "application/json");
  });
  TestService service(server.url());
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        const std::string path = "/" + std::to_string(t) + "/" + std::to_string(i);
        const auto answer = service.client->call(get(path), {});
        if (answer && answer->body == path) ++right;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 40);
}

TEST(ServiceClient, SendsOneRequestToAnyUrl) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    refuseWith(out, 503, "ServiceUnavailable", "x");
  });
  TestService service("http://127.0.0.1:1");
  HttpRequest request;
  request.url = server.url() + "/20160918/anything?x=%2F";
  const auto answer = service.client->send(request, BodySigning::Signed, {});
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(server.count(), 1U);
  EXPECT_TRUE(server.seen().at(0).has_header("Authorization"));
}

TEST(ServiceClient, MakesRetryTokensThatDiffer) {
  EXPECT_EQ(newRetryToken().size(), 32U);
  EXPECT_NE(newRetryToken(), newRetryToken());
}

}  // namespace
}  // namespace lockstep::oci
