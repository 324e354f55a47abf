// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of each kind, and changes that must not undo somebody else's.
#include "oci/calls/pages.h"

#include <gtest/gtest.h>

#include "oci/calls/json_calls.h"
#include "oci/calls/versioned.h"
#include "oci_test_support.h"

namespace lockstep::oci {
namespace {

using nlohmann::json;

ServiceCall listCall(const std::string& path) {
  ServiceCall call = getCall(path);
  call.operation = "ListJobs";
  return call;
}

std::vector<std::string> targets(const LoopbackServer& server) {
  std::vector<std::string> all;
  for (const auto& seen : server.seen()) all.push_back(seen.target);
  return all;
}

TEST(Pages, FollowsTheTokensOfArraysAndCollections) {
  for (const bool collection : {false, true}) {
    LoopbackServer server([&](const httplib::Request& in, httplib::Response& out) {
      const std::string page = in.get_param_value("page");
      if (page.empty()) out.set_header("opc-next-page", "p/1=");
      if (page == "p/1=") out.set_header("opc-next-page", "p2");
      const std::string items = page == "p/1=" ? "[]" : R"([{"id":")" + page + R"("}])";
      out.set_content(collection ? R"({"items":)" + items + "}" : items, "application/json");
    });
    const auto all = callForList(*TestService(server.url()).client, listCall("/x?limit=1&z="), {});
    ASSERT_TRUE(all) << describe(all.error());
    ASSERT_EQ(all->size(), 2U) << "an empty page is not the end";
    EXPECT_EQ((*all)[1]["id"], "p2");
    EXPECT_EQ(targets(server), (std::vector<std::string>{"/x?limit=1&z=", "/x?limit=1&z=&page=p%2F1%3D",
                                                         "/x?limit=1&z=&page=p2"}));
    EXPECT_EQ(server.seen().front().get_header_value("accept-encoding"), "gzip");
  }
}

TEST(Pages, AParameterIsPutInPlaceOfAnother) {
  EXPECT_EQ(withParameter("/x", "page", "a b"), "/x?page=a%20b");
  EXPECT_EQ(withParameter("/x?", "page", "1"), "/x?page=1");
  EXPECT_EQ(withParameter("/x?page=old&limit=%2f&pages=2&page", "page", "1"), "/x?limit=%2f&pages=2&page=1");
}

TEST(Pages, StopsWhenItIsEnough) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    out.set_header("opc-next-page", "more");
    out.set_content("[{}]", "application/json");
  });
  int pages = 0;
  const auto done = callForPages(*TestService(server.url()).client, listCall("/x"),
                                 [&](const std::vector<json>&) -> Result<bool> { return ++pages < 1; }, {});
  EXPECT_TRUE(done);
  EXPECT_EQ(server.count(), 1U);
  const auto failed = callForPages(
      *TestService(server.url()).client, listCall("/x"),
      [&](const std::vector<json>&) -> Result<bool> { return failure(ErrorCode::Io, "disk full"); }, {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().what, "disk full");
}

TEST(Pages, ACircleOfPagesIsNoticed) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    out.set_header("opc-next-page", in.get_param_value("page") == "a" ? "b" : "a");
    out.set_header("opc-request-id", "R/1");
    out.set_content("[]", "application/json");
  });
  const auto all = callForList(*TestService(server.url()).client, listCall("/x"), {});
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, ErrorCode::DataLoss);
  EXPECT_EQ(server.count(), 3U);
  EXPECT_EQ(all.error().service->requestId, "R/1");
}

TEST(Pages, ObjectsGoOnAtTheNextName) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    const std::string start = in.get_param_value("start");
    const json next = start.empty() ? json("b/é &") : start == "b/é &" ? json("c") : json(nullptr);
    out.set_content(json{{"objects", {{{"name", start}}}}, {"nextStartWith", next}}.dump(),
                    "application/json");
  });
  std::vector<std::string> names;
  const auto done = callForListing(*TestService(server.url()).client, listCall("/n/ns/b/b/o?prefix=x"),
                                   [&](const json& page) -> Result<bool> {
                                     names.push_back(page["objects"][0]["name"]);
                                     return true;
                                   },
                                   {});
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(names, (std::vector<std::string>{"", "b/é &", "c"}));
  EXPECT_EQ(targets(server)[1], "/n/ns/b/b/o?prefix=x&start=b%2F%C3%A9%20%26");
}

TEST(Pages, AListingThatStandsStillIsNoticed) {
  for (const char* page : {R"({"nextStartWith":"same"})", R"({"nextStartWith":7})", "[]", "not json"}) {
    LoopbackServer server(
        [&](const httplib::Request&, httplib::Response& out) { out.set_content(page, "application/json"); });
    const auto done = callForListing(*TestService(server.url()).client, listCall("/o"),
                                     [](const json&) -> Result<bool> { return true; }, {});
    ASSERT_FALSE(done) << page;
    EXPECT_EQ(done.error().code, ErrorCode::DataLoss);
    EXPECT_LE(server.count(), 2U);
  }
}

/// A list of rules that anybody may replace who knows its etag.
class RuleServer {
 public:
  RuleServer() : server_([this](const httplib::Request& in, httplib::Response& out) { serve(in, out); }) {}
  [[nodiscard]] std::string url() const { return server_.url(); }
  [[nodiscard]] json rules() const { return rules_; }

  std::atomic<int> others{0};  // how many times somebody else is faster
  std::atomic<int> lost{0};    // how many answers to a write get lost
  std::atomic<int> writes{0};

 private:
  void serve(const httplib::Request& in, httplib::Response& out) {
    if (in.method == "GET") {
      out.set_header("etag", "e" + std::to_string(version_));
      out.set_content(json{{"rules", rules_}}.dump(), "application/json");
      if (others > 0) {
        --others;
        rules_.push_back("other" + std::to_string(++version_));
      }
      return;
    }
    if (in.get_header_value("if-match") != "e" + std::to_string(version_))
      return refuseWith(out, 412, "NoEtagMatch", "changed");
    rules_ = json::parse(in.body)["rules"];
    ++version_;
    ++writes;
    if (lost-- > 0) return refuseWith(out, 503, "ServiceUnavailable", "it was done, but you will not know");
    out.set_header("etag", "e" + std::to_string(version_));
    out.set_content(in.body, "application/json");
  }
  json rules_ = json::array({"first"});
  int version_ = 1;
  LoopbackServer server_;
};

Result<Versioned> addOurs(const std::string& url) {
  ServiceCall put = getCall("/securityLists/s");
  put.method = "PUT";
  put.operation = "UpdateSecurityList";
  return readModifyWrite(*TestService(url).client, getCall("/securityLists/s"), put,
                         [](const json& current) -> Result<std::optional<json>> {
                           json rules = current["rules"];
                           for (const auto& rule : rules)
                             if (rule == "ours") return std::nullopt;
                           rules.push_back("ours");
                           return json{{"rules", rules}};
                         },
                         {});
}

TEST(ReadModifyWrite, LosesNothingThatOthersWroteMeanwhile) {
  RuleServer server;
  server.others = 2;
  const auto done = addOurs(server.url());
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(server.rules(), json::array({"first", "other2", "other3", "ours"}));
  EXPECT_EQ(done->etag, "e4");
  EXPECT_EQ(server.writes, 1);
  EXPECT_TRUE(addOurs(server.url()));
  EXPECT_EQ(server.writes, 1) << "it is there already";
}

TEST(ReadModifyWrite, AWriteWhoseAnswerWasLostIsNotDoneTwice) {
  RuleServer server;
  server.lost = 1;
  const auto done = addOurs(server.url());
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(server.rules(), json::array({"first", "ours"}));
  EXPECT_EQ(server.writes, 1);
}

TEST(ReadModifyWrite, GivesUpWhenOthersAreAlwaysFaster) {
  RuleServer server;
  server.others = 1000;
  const auto done = addOurs(server.url());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::FailedPrecondition);
  EXPECT_NE(done.error().cause.find("5 times in a row"), std::string::npos) << describe(done.error());
  EXPECT_EQ(server.writes, 0);
}

TEST(ReadModifyWrite, WantsAnEtag) {
  LoopbackServer server(
      [](const httplib::Request&, httplib::Response& out) { out.set_content("{}", "application/json"); });
  const auto got = callForVersioned(*TestService(server.url()).client, getCall(), {});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::DataLoss);
}

}  // namespace
}  // namespace lockstep::oci
