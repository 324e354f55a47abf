// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/url.h"

#include <gtest/gtest.h>

#include "http/http_client.h"

namespace lockstep {
namespace {

TEST(Url, KeepsTheTargetAsItIs) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"https://h.example/a/b?x=1", "h.example", "/a/b?x=1"},
      {"https://h.example", "h.example", "/"},
      {"https://h.example?x=%2f", "h.example", "/?x=%2f"},
      {"https://h.example/p?", "h.example", "/p?"},
      {"http://h:80/p", "h", "/p"},
      {"https://h:443/p", "h", "/p"},
      {"http://h:443/p", "h:443", "/p"},
      {"http://127.0.0.1:8080/a/../b/./c", "127.0.0.1:8080", "/a/../b/./c"},
      {"http://[::1]:8080/x", "[::1]:8080", "/x"},
      {"http://[::1]/x", "[::1]", "/x"},
      {"HTTPS://H/x#fragment?no", "H", "/x"},
      {"http://h/a+b%20c'd?q=a/b", "h", "/a+b%20c'd?q=a/b"},
  };
  for (const auto& [text, host, target] : cases) {
    const auto url = parseUrl(text);
    ASSERT_TRUE(url) << text << ": " << describe(url.error());
    EXPECT_EQ(url->hostHeader(), host) << text;
    EXPECT_EQ(url->target, target) << text;
  }
}

TEST(Url, RefusesWhatCannotGoOnTheWire) {
  for (const char* text :
       {"", "h/x", "ftp://h/x", "http://", "http:///x", "http://h/a b", "http://h/\xc3\xa9", "http://h/a\nb",
        "http://h:99999/", "http://h:/x", "http://h:8x/", "http://[::1/x", "http://[::1]x/",
        "http://1:[:]:80/", "http://127.0.0.1:80:80/", "http://a]b/", "http://[]/"}) {
    const auto url = parseUrl(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().code, ErrorCode::InvalidArgument);
  }
}

TEST(Url, DoesNotRepeatAPassword) {
  const auto url = parseUrl("https://me:hunter2@h/x");
  ASSERT_FALSE(url);
  EXPECT_EQ(describe(url.error()).find("hunter2"), std::string::npos) << describe(url.error());
}

TEST(Url, KnowsLoopback) {
  for (const char* text : {"http://127.0.0.1:1/", "http://localhost/", "http://[::1]:1/"}) {
    EXPECT_TRUE(parseUrl(text)->isLoopback()) << text;
  }
  EXPECT_TRUE(parseUrl("http://127.255.0.9:1/")->isLoopback());
  EXPECT_TRUE(parseUrl("http://[::ffff:127.0.0.1]/")->isLoopback());
  for (const char* text : {"http://10.0.0.1/", "http://127.evil.example/", "http://127.0.0.1.evil.example/",
                           "http://127.0.0.256/", "http://localhost.evil.example/", "http://[::2]/",
                           "http://[::ffff:10.0.0.1]/", "http://1270.0.0.1/"})
    EXPECT_FALSE(parseUrl(text)->isLoopback()) << text;
}

TEST(HttpHeaders, AreCaseInsensitive) {
  HttpHeaders headers = {{"ETag", "1"}, {"etag", "2"}, {"X", "3"}};
  EXPECT_EQ(headerValue(headers, "ETAG"), "1");
  EXPECT_EQ(headerValue(headers, "none"), "");
  setHeader(headers, "eTag", "4");
  EXPECT_EQ(headers.size(), 2U);
  EXPECT_EQ(headerValue(headers, "etag"), "4");
  EXPECT_FALSE(hasHeader(headers, "E"));
}

}  // namespace
}  // namespace lockstep
