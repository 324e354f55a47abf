// SPDX-License-Identifier: GPL-3.0-or-later
// Through a proxy, plain and by CONNECT; and what must never be said of it.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/text/encoding.h"
#include "http/curl_http_client.h"
#include "loopback_server.h"

namespace lockstep {
namespace {

const std::string kPassword = "CANARY-PASSWORD";

HttpRequest request(const std::string& url) {
  HttpRequest r;
  r.url = url;
  r.connectTimeout = std::chrono::seconds(20);
  return r;
}

CurlOptions through(const std::string& proxy, const std::string& noProxy = {}) {
  CurlOptions options;
  options.proxy = proxy;
  options.noProxy = noProxy;
  return options;
}

std::string withUser(const std::string& url) {
  return "http://user:" + kPassword + "@" + url.substr(7);
}

RawServer::Script answering(const std::string& body) {
  return [body](const std::string&) {
    return RawServer::Reply{"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                            body};
  };
}

TEST(Proxy, PlainRequestsGoThroughItAsTheyAre) {
  RawServer proxy(answering("by proxy"));
  HttpRequest r = request("http://region.example/n/a%2Fb?x=%2f");
  r.headers = {{"host", "region.example"}, {"authorization", "Signature version=\"1\""}};
  const auto answer = makeCurlHttpClient(through(withUser(proxy.url())))->send(r, {});
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->body, "by proxy");
  const std::string seen = proxy.seen().at(0);
  EXPECT_TRUE(seen.starts_with("GET http://region.example/n/a%2Fb?x=%2f HTTP/1.1\r\n")) << seen;
  EXPECT_NE(seen.find("Proxy-Authorization: Basic " + toBase64("user:" + kPassword)), std::string::npos)
      << seen;
}

TEST(Proxy, TlsGoesThroughATunnelThatSeesNoHeaderOfOurs) {
  RawServer proxy([](const std::string&) {
    return RawServer::Reply{"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"};
  });
  HttpRequest r = request("https://region.example/secret?query");
  r.headers = {{"authorization", "Signature version=\"1\""}, {"opc-obo-token", "t"}};
  r.freshConnection = true;
  HttpTrace trace;
  r.trace = &trace;
  const auto answer = makeCurlHttpClient(through(withUser(proxy.url())))->send(r, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::Unavailable);
  EXPECT_NE(answer.error().cause.find("the proxy answered HTTP 407"), std::string::npos)
      << describe(answer.error());
  EXPECT_NE(answer.error().remedy.find("HTTPS_PROXY"), std::string::npos);
  EXPECT_EQ(describe(answer.error()).find(kPassword), std::string::npos);
  EXPECT_FALSE(trace.sent) << "the service has not seen a byte";
  const std::string seen = proxy.seen().at(0);
  EXPECT_TRUE(seen.starts_with("CONNECT region.example:443 HTTP/1.1\r\n")) << seen;
  for (const char* ours : {"Signature", "opc-obo-token", "secret"})
    EXPECT_EQ(seen.find(ours), std::string::npos);
}

TEST(Proxy, ItsPasswordIsNeverSaid) {
  const std::string closed = "http://127.0.0.1:" + std::to_string(closedPort());
  for (const std::string& proxy :
       {withUser(closed), withUser("http://no-such-proxy.invalid:1"), "http://user:" + kPassword + "@",
        "http://user:" + kPassword + "@bad host:1", "nonsense://user:" + kPassword + "@h:1",
        "user:" + kPassword + "@127.0.0.1:99999999", "http://user:" + kPassword + "@[::1"}) {
    for (const char* url : {"http://region.example/x", "https://region.example/x"}) {
      const auto answer = makeCurlHttpClient(through(proxy))->send(request(url), {});
      ASSERT_FALSE(answer) << proxy;
      EXPECT_EQ(describe(answer.error()).find(kPassword), std::string::npos) << describe(answer.error());
    }
  }
}

TEST(Proxy, LoopbackAndNamedHostsGoStraight) {
  RawServer proxy(answering("by proxy"));
  LoopbackServer server(
      [](const httplib::Request&, httplib::Response& out) { out.set_content("straight", "text/plain"); });
  const auto straight = makeCurlHttpClient(through(proxy.url()))->send(request(server.url() + "/x"), {});
  ASSERT_TRUE(straight);
  EXPECT_EQ(straight->body, "straight");
  const auto named = makeCurlHttpClient(through(proxy.url(), "inside.invalid"))
                         ->send(request("http://h.inside.invalid/x"), {});
  EXPECT_FALSE(named) << "it was looked up, and there is no such name";
  EXPECT_TRUE(proxy.seen().empty());
}

TEST(Proxy, TheEnvironmentSaysWhenNothingElseDoes) {
  RawServer proxy(answering("by proxy"));
  ::setenv("http_proxy", proxy.url().c_str(), 1);
  ::setenv("no_proxy", "inside.invalid", 1);
  const auto asked = makeCurlHttpClient()->send(request("http://region.example/x"), {});
  const auto inside = makeCurlHttpClient()->send(request("http://h.inside.invalid/x"), {});
  const auto never = makeCurlHttpClient(through(""))->send(request("http://region.invalid/x"), {});
  ::unsetenv("http_proxy");
  ::unsetenv("no_proxy");
  ASSERT_TRUE(asked) << describe(asked.error());
  EXPECT_EQ(asked->body, "by proxy");
  EXPECT_FALSE(inside);
  EXPECT_FALSE(never);
  EXPECT_EQ(proxy.seen().size(), 1U);
}

}  // namespace
}  // namespace lockstep
