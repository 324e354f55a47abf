// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/curl_http_client.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "loopback_server.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

HttpRequest request(const std::string& url, const std::string& method = "GET") {
  HttpRequest r;
  r.method = method;
  r.url = url;
  r.timeout = 60s;
  return r;
}

std::string lowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

TEST(CurlHttpClient, BringsTheAnswerWhateverItsStatus) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    out.status = in.path == "/missing" ? 404 : 200;
    out.set_header("opc-request-id", "R1");
    out.set_content("hello", "text/plain");
  });
  const auto client = makeCurlHttpClient();
  const auto good = client->send(request(server.url() + "/x"), {});
  ASSERT_TRUE(good) << describe(good.error());
  EXPECT_EQ(good->status, 200);
  EXPECT_EQ(good->body, "hello");
  EXPECT_EQ(headerValue(good->headers, "OPC-Request-ID"), "R1");
  const auto bad = client->send(request(server.url() + "/missing"), {});
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->status, 404);
}

TEST(CurlHttpClient, PutsTheRequestOnTheWireAsItIs) {
  RawServer server(
      [](const std::string&) { return RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}; });
  const auto client = makeCurlHttpClient();
  for (const char* target : {"/a/../b/./c", "/n/ns/b/b/o/dir%2fa%20b'c%2B%C3%A9%25.txt?x=%2f&y=a+b'c", "/p?",
                             "/?x=1&x=1", "//two"}) {
    HttpRequest r = request(server.url() + target);
    r.headers = {{"host", "signed.example:99"}, {"date", "Thu, 05 Jan 2014 21:31:40 GMT"}, {"x-empty", ""}};
    const auto answer = client->send(r, {});
    ASSERT_TRUE(answer) << describe(answer.error());
    const std::string text = server.seen().back();
    EXPECT_TRUE(text.starts_with(std::string("GET ") + target + " HTTP/1.1\r\n")) << text;
    const std::string lower = lowerCase(text);
    EXPECT_NE(lower.find("\r\nhost: signed.example:99\r\n"), std::string::npos) << text;
    EXPECT_NE(lower.find("\r\nx-empty:"), std::string::npos) << text;
    EXPECT_EQ(lower.find("host:"), lower.rfind("\nhost:") + 1) << text;
    EXPECT_EQ(lower.find("content-type"), std::string::npos) << text;
  }
}

TEST(CurlHttpClient, SendsBodiesWithOneLengthAndWithoutExpect) {
  RawServer server([](const std::string&) { return RawServer::Reply{"HTTP/1.1 204 No Content\r\n\r\n"}; });
  const auto client = makeCurlHttpClient();
  for (const char* method : {"POST", "PUT", "PATCH"}) {
    for (const std::string& body : {std::string(), std::string("{\"a\":1}"), std::string(100'000, 'b')}) {
      HttpRequest r = request(server.url() + "/x", method);
      r.body = body;
      r.headers = {{"content-length", std::to_string(body.size())}, {"content-type", "application/json"}};
      const auto answer = client->send(r, {});
      ASSERT_TRUE(answer) << describe(answer.error());
      EXPECT_EQ(answer->status, 204);
      const std::string text = server.seen().back();
      const std::string head = lowerCase(text.substr(0, text.find("\r\n\r\n")));
      EXPECT_TRUE(text.starts_with(std::string(method) + " /x ")) << head;
      const std::string length = "content-length: " + std::to_string(body.size());
      EXPECT_NE(head.find(length), std::string::npos) << head;
      EXPECT_EQ(head.find("content-length"), head.rfind("content-length")) << head;
      EXPECT_EQ(head.find("content-type"), head.rfind("content-type")) << head;
      EXPECT_EQ(head.find("expect"), std::string::npos) << head;
      EXPECT_EQ(text.substr(text.find("\r\n\r\n") + 4), body);
    }
  }
}

TEST(CurlHttpClient, HeadAndDeleteHaveNoBody) {
  LoopbackServer server(
      [](const httplib::Request&, httplib::Response& out) { out.set_content("body", "text/plain"); });
  const auto client = makeCurlHttpClient();
  const auto head = client->send(request(server.url() + "/x", "HEAD"), {});
  ASSERT_TRUE(head) << describe(head.error());
  EXPECT_EQ(head->body, "");
  const auto removed = client->send(request(server.url() + "/x", "DELETE"), {});
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->body, "body");
  EXPECT_EQ(server.seen().back().method, "DELETE");
}

TEST(CurlHttpClient, KeepsConnections) {
  LoopbackServer server(
      [](const httplib::Request&, httplib::Response& out) { out.set_content("ok", "text/plain"); });
  const auto client = makeCurlHttpClient();
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(client->send(request(server.url() + "/x"), {}));
  std::set<int> ports;
  for (const auto& seen : server.seen()) ports.insert(seen.remote_port);
  EXPECT_EQ(ports.size(), 1U);
  HttpRequest fresh = request(server.url() + "/x");
  fresh.freshConnection = true;
  ASSERT_TRUE(client->send(fresh, {}));
  EXPECT_NE(server.seen().back().remote_port, server.seen().front().remote_port);
}

TEST(CurlHttpClient, FollowsNoRedirect) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) { out.set_redirect("/other"); });
  const auto answer = makeCurlHttpClient()->send(request(server.url() + "/x"), {});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 302);
  EXPECT_EQ(server.count(), 1U);
}

TEST(CurlHttpClient, ServesManyThreads) {
  LoopbackServer server(
      [](const httplib::Request& in, httplib::Response& out) { out.set_content(in.path, "text/plain"); });
  const auto client = makeCurlHttpClient();
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const std::string path = "/" + std::to_string(t) + "/" + std::to_string(i);
        const auto answer = client->send(request(server.url() + path), {});
        if (answer && answer->body == path) ++right;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 120);
}

TEST(CurlHttpClient, SaysThatNothingListens) {
  HttpTrace trace{true, true};
  HttpRequest r = request("http://127.0.0.1:" + std::to_string(closedPort()) + "/path?secret=1");
  r.trace = &trace;
  const auto answer = makeCurlHttpClient()->send(r, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::Unavailable);
  EXPECT_NE(answer.error().what.find("could not connect to http://127.0.0.1:"), std::string::npos)
      << describe(answer.error());
  EXPECT_NE(answer.error().remedy.find("lockstep rehearsal start"), std::string::npos);
  EXPECT_EQ(describe(answer.error()).find("secret"), std::string::npos);
  EXPECT_FALSE(trace.sent);
  EXPECT_FALSE(trace.untrusted);
}

TEST(CurlHttpClient, SaysThatANameCannotBeResolved) {
  const auto answer = makeCurlHttpClient()->send(request("https://no-such-host.invalid/x"), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::Unavailable);
  EXPECT_NE(answer.error().what.find("no-such-host.invalid"), std::string::npos) << describe(answer.error());
  EXPECT_FALSE(answer.error().remedy.empty());
}

TEST(CurlHttpClient, SaysThatTlsFailed) {
  RawServer server([](const std::string&) { return RawServer::Reply{"HTTP/1.1 400 Bad Request\r\n\r\n"}; });
  std::string url = server.url();
  url.replace(0, 4, "https");
  HttpRequest r = request(url + "/x");
  HttpTrace trace{true, true};
  r.trace = &trace;
  r.timeout = 2s;  // the server waits for a request that a TLS client never sends
  const auto answer = makeCurlHttpClient()->send(r, {});
  ASSERT_FALSE(answer);
  EXPECT_FALSE(trace.sent);
}

TEST(CurlHttpClient, TimesOut) {
  RawServer server([](const std::string&) { return RawServer::Reply{{}, false, true}; });
  HttpRequest r = request(server.url() + "/slow");
  HttpTrace trace;
  r.timeout = 200ms;
  r.trace = &trace;
  const auto answer = makeCurlHttpClient()->send(r, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::DeadlineExceeded) << describe(answer.error());
  EXPECT_TRUE(trace.sent);
}

TEST(CurlHttpClient, StopsWhenAsked) {
  std::stop_source source;
  RawServer server([&](const std::string&) {
    source.request_stop();
    return RawServer::Reply{{}, false, true};
  });
  const auto answer = makeCurlHttpClient()->send(request(server.url() + "/slow"), source.get_token());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::Cancelled) << describe(answer.error());
  const auto again = makeCurlHttpClient()->send(request(server.url() + "/slow"), source.get_token());
  EXPECT_EQ(again.error().code, ErrorCode::Cancelled);
  EXPECT_EQ(server.seen().size(), 1U);
}

TEST(CurlHttpClient, NoticesAResetAndATruncatedBody) {
  std::atomic<bool> half{false};
  RawServer server([&](const std::string&) {
    return half ? RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this"}
                : RawServer::Reply{{}, true};
  });
  const auto client = makeCurlHttpClient();
  HttpTrace trace;
  HttpRequest r = request(server.url() + "/x");
  r.trace = &trace;
  const auto reset = client->send(r, {});
  ASSERT_FALSE(reset);
  EXPECT_EQ(reset.error().code, ErrorCode::Unavailable) << describe(reset.error());
  EXPECT_TRUE(trace.sent);
  half = true;
  const auto truncated = client->send(r, {});
  ASSERT_FALSE(truncated);
  EXPECT_EQ(truncated.error().code, ErrorCode::Unavailable);
  EXPECT_NE(truncated.error().what.find("in the middle of its answer"), std::string::npos)
      << describe(truncated.error());
}

TEST(CurlHttpClient, SurvivesAServerThatClosesKeptConnections) {
  RawServer server(
      [](const std::string&) { return RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"}; });
  const auto client = makeCurlHttpClient();
  for (int i = 0; i < 5; ++i) {
    const auto answer = client->send(request(server.url() + "/x"), {});
    ASSERT_TRUE(answer) << describe(answer.error());
    EXPECT_EQ(answer->body, "ok");
  }
}

TEST(CurlHttpClient, BoundsTheAnswer) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_content(std::string(5000, 'x'), "text/plain");
  });
  CurlOptions options;
  options.maxAnswerBytes = 4999;
  const auto answer = makeCurlHttpClient(options)->send(request(server.url() + "/big"), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::ResourceExhausted);
  EXPECT_NE(describe(answer.error()).find("more than 4999 bytes"), std::string::npos)
      << describe(answer.error());
  options.maxAnswerBytes = 5000;
  EXPECT_TRUE(makeCurlHttpClient(options)->send(request(server.url() + "/big"), {}));
}

TEST(CurlHttpClient, SaysWhenItIsNoHttpServer) {
  RawServer server([](const std::string&) { return RawServer::Reply{"SSH-2.0-OpenSSH_9.2\r\n"}; });
  const auto answer = makeCurlHttpClient()->send(request(server.url() + "/x"), {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::Unavailable);
  EXPECT_NE(answer.error().what.find("does not speak HTTP"), std::string::npos) << describe(answer.error());
}

TEST(CurlHttpClient, RefusesHeadersThatWouldSmuggle) {
  LoopbackServer server([](const httplib::Request&, httplib::Response&) {});
  const auto client = makeCurlHttpClient();
  for (const auto& header :
       HttpHeaders{{"a", "b\r\nx: y"}, {"a\n", "b"}, {"", "b"}, {"a:b", "c"}, {"a", std::string("\0", 1)}}) {
    HttpRequest r = request(server.url() + "/x");
    r.headers.push_back(header);
    const auto answer = client->send(r, {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::InvalidArgument);
  }
  EXPECT_EQ(server.count(), 0U);
}

}  // namespace
}  // namespace lockstep
