// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/service_client.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/time_text.h"
#include "oci_test_support.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;

TEST(ServiceClient, SignsAndBringsTheAnswer) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_content("{\"id\":\"j\"}", "application/json");
  });
  TestService service(server.url() + "/");
  const auto answer = service.client->call(getCall(), {});
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

TEST(ServiceClient, DoesNotRetryWhatStays) {
  struct Case {
    int status;
    const char* code;
    ErrorCode expected;
  };
  const Case cases[] = {{400, "InvalidParameter", ErrorCode::InvalidArgument},
                        {400, "LimitExceeded", ErrorCode::ResourceExhausted},
                        {400, "QuotaExceeded", ErrorCode::ResourceExhausted},
                        {401, "NotAuthenticated", ErrorCode::Unauthenticated},
                        {403, "NotAllowed", ErrorCode::PermissionDenied},
                        {404, "NotAuthorizedOrNotFound", ErrorCode::NotFound},
                        {405, "MethodNotAllowed", ErrorCode::InvalidArgument},
                        {409, "BucketAlreadyExists", ErrorCode::AlreadyExists},
                        {409, "InvalidatedRetryToken", ErrorCode::FailedPrecondition},
                        {412, "NoEtagMatch", ErrorCode::FailedPrecondition},
                        {413, "PayloadTooLarge", ErrorCode::InvalidArgument},
                        {422, "UnprocessableEntity", ErrorCode::InvalidArgument},
                        {501, "MethodNotImplemented", ErrorCode::FailedPrecondition}};
  for (const auto& c : cases) {
    std::atomic<int> count{0};
    LoopbackServer server(failingAtFirst(1000, c.status, c.code, count));
    TestService service(server.url());
    const auto answer = service.client->call(getCall(), {});
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
  const auto answer = TestService(server.url()).client->call(getCall(), {});
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().remedy.find("OCID"), std::string::npos);
  EXPECT_NE(answer.error().remedy.find("policy"), std::string::npos);
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
    const auto answer = TestService(server.url()).client->call(getCall(), {});
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
  const auto answer = TestService(server.url()).client->call(getCall(), {});
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
    ASSERT_TRUE(service.client->call(getCall(), {}));
    EXPECT_EQ(server.count(), 2U);
    EXPECT_TRUE(service.clock->sleeps().empty());
    ASSERT_TRUE(service.client->call(getCall(), {}));
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
  const auto answer = service.client->call(getCall(), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(server.count(), 2U);
  EXPECT_EQ(answer.error().code, ErrorCode::Unauthenticated);
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
  EXPECT_TRUE(service.client->call(getCall(), {}));
  EXPECT_EQ(accepted, 1);
  service.credentials->keyId = "ST$old";
  service.credentials->nextKeyId = "ST$other";
  service.credentials->refreshed = 0;
  EXPECT_FALSE(service.client->call(getCall(), {}));
  EXPECT_EQ(service.credentials->refreshed, 1) << "once, not for ever";
}

TEST(ServiceClient, StopsBeforeBetweenAndDuringAttempts) {
  std::stop_source before;
  before.request_stop();
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(1000, 503, "ServiceUnavailable", count));
  TestService service(server.url());
  EXPECT_EQ(service.client->call(getCall(), before.get_token()).error().code, ErrorCode::Cancelled);
  EXPECT_EQ(count, 0);

  std::stop_source between;
  service.clock->onSleep([&] { between.request_stop(); });
  EXPECT_EQ(service.client->call(getCall(), between.get_token()).error().code, ErrorCode::Cancelled);
  EXPECT_EQ(count, 1);

  std::stop_source during;
  RawServer slow([&](const std::string&) {
    during.request_stop();
    return RawServer::Reply{{}, false, true};
  });
  EXPECT_EQ(TestService(slow.url()).client->call(getCall(), during.get_token()).error().code,
            ErrorCode::Cancelled);
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
        const auto answer = service.client->call(getCall(path), {});
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
