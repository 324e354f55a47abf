// SPDX-License-Identifier: GPL-3.0-or-later
// Identity and networking, word for word (oci-rest-contract 4.1, 4.2).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "oci/services/identity_client.h"
#include "oci/services/network_client.h"
#include "oci_test_support.h"

namespace lockstep::oci {
namespace {

using nlohmann::json;

LoopbackServer::Handler answering(const std::string& body, const std::string& etag = {}) {
  return [=](const httplib::Request&, httplib::Response& out) {
    if (!etag.empty()) out.set_header("etag", etag);
    out.set_header("opc-request-id", "ID/1");
    out.set_content(body, "application/json");
  };
}

TEST(IdentityCalls, ReadWhatTheServiceSaysAndBearWhatItAdds) {
  LoopbackServer server(answering(
      R"({"id":"u","compartmentId":"t","name":"jane","description":null,"timeCreated":"2026-01-01T00:00:00Z",
          "lifecycleState":"A_STATE_OF_2030","isMfaActivated":true,"newField":{"x":[1]},
          "capabilities":{"canUseApiKeys":false,"canUseSmtpCredentials":true}})",
      "e1"));
  const auto user = IdentityClient(TestService(server.url()).client).getUser("u", {});
  ASSERT_TRUE(user) << describe(user.error());
  EXPECT_EQ(user->name, "jane");
  EXPECT_EQ(user->description, "");
  EXPECT_EQ(user->lifecycleState, "A_STATE_OF_2030");
  EXPECT_TRUE(user->isMfaActivated);
  EXPECT_FALSE(user->canUseApiKeys);
  EXPECT_TRUE(user->canUseAuthTokens) << "what is not said is not forbidden";
  EXPECT_EQ(user->etag, "e1");
}

TEST(IdentityCalls, SayWhereAnAnswerIsWrong) {
  const std::tuple<const char*, const char*> cases[] = {
      {R"([{"regionKey":"IAD","regionName":"us-ashburn-1"},{"regionKey":"PHX"}])",
       "[1].regionName is missing"},
      {R"([{"regionKey":7,"regionName":"x"}])", "[0].regionKey is no text"},
      {R"([{"regionKey":"a","regionName":"b","isHomeRegion":"yes"}])", "[0].isHomeRegion is no boolean"},
      {R"([null])", "[0] is no object"},
      {R"({"a":1})", "its body is no list"},
      {"<html>", "its body is not JSON"},
  };
  for (const auto& [body, reason] : cases) {
    LoopbackServer server(answering(body));
    const auto all = IdentityClient(TestService(server.url()).client).listRegionSubscriptions("t", {});
    ASSERT_FALSE(all) << body;
    EXPECT_EQ(all.error().code, ErrorCode::DataLoss);
    EXPECT_NE(describe(all.error()).find(reason), std::string::npos) << describe(all.error());
    EXPECT_EQ(all.error().service->operation, "ListRegionSubscriptions");
    EXPECT_EQ(all.error().service->requestId, "ID/1");
  }
}

TEST(IdentityCalls, WritesAreWhatTheContractSays) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    json answer{
        {"id", "new"}, {"name", "n"}, {"matchingRule", "r"}, {"fingerprint", "f"}, {"token", "s3cret"}};
    if (in.method == "GET") answer = json::array();
    out.set_content(answer.dump(), "application/json");
  });
  IdentityClient client(TestService(server.url()).client);
  ASSERT_TRUE(client.createPolicy({"c", "p", "d", {"Allow x"}}, "t1", {}));
  ASSERT_TRUE(client.createDynamicGroup({"t", "g", "d", "all {}"}, "t2", {}));
  const auto token = client.createAuthToken("u/1", "for docker", "t3", {});
  ASSERT_TRUE(token);
  EXPECT_EQ(token->token.reveal(), "s3cret");
  ASSERT_TRUE(client.uploadApiKey("u/1", "PEM", "t4", {}));
  ASSERT_TRUE(client.updatePolicy("p", {"a", "b"}, "e7", {}));
  ASSERT_TRUE(client.listUserGroupMemberships("t", "u", "", {}));
  ASSERT_TRUE(client.listAvailabilityDomains("c d", {}));
  ASSERT_TRUE(client.listPolicies("c", {}));
  const auto seen = server.seen();
  const std::tuple<const char*, const char*, const char*> expected[] = {
      {"POST /20160918/policies",
       R"({"compartmentId":"c","name":"p","description":"d","statements":["Allow x"]})", "t1"},
      {"POST /20160918/dynamicGroups",
       R"({"compartmentId":"t","name":"g","matchingRule":"all {}","description":"d"})", "t2"},
      {"POST /20160918/users/u%2F1/authTokens", R"({"description":"for docker"})", "t3"},
      {"POST /20160918/users/u%2F1/apiKeys", R"({"key":"PEM"})", "t4"},
      {"PUT /20160918/policies/p", R"({"statements":["a","b"]})", ""},
      {"GET /20160918/userGroupMemberships?compartmentId=t&userId=u&limit=1000", "", ""},
      {"GET /20160918/availabilityDomains?compartmentId=c%20d", "", ""},
      {"GET /20160918/policies?compartmentId=c&lifecycleState=ACTIVE&limit=1000", "", ""},
  };
  ASSERT_EQ(seen.size(), std::size(expected));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto& [line, body, retryToken] = expected[i];
    EXPECT_EQ(seen[i].method + " " + seen[i].target, line);
    EXPECT_EQ(seen[i].body, body);
    EXPECT_EQ(seen[i].get_header_value("opc-retry-token"), retryToken);
  }
  EXPECT_EQ(seen[4].get_header_value("if-match"), "e7");
}

TEST(IdentityCalls, AddingStatementsKeepsSomebodyElsesChange) {
  std::vector<std::string> statements{"Allow group A to read repos in tenancy"};
  int version = 1;
  LoopbackServer server([&](const httplib::Request& in, httplib::Response& out) {
    if (in.method == "PUT") {
      if (version == 1) {  // somebody was faster
        statements.emplace_back("Allow group B to read repos in tenancy");
        ++version;
      }
      if (in.get_header_value("if-match") != "v" + std::to_string(version))
        return refuseWith(out, 412, "NoEtagMatch", "changed");
      statements = json::parse(in.body)["statements"].get<std::vector<std::string>>();
      ++version;
    }
    out.set_header("etag", "v" + std::to_string(version));
    out.set_content(json{{"id", "p"}, {"name", "n"}, {"statements", statements}}.dump(), "application/json");
  });
  IdentityClient client(TestService(server.url()).client);
  const auto done = client.addStatements(
      "p", {"allow group a to  read repos in TENANCY ", "Allow group C to read repos in tenancy"}, {});
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(statements, (std::vector<std::string>{"Allow group A to read repos in tenancy",
                                                  "Allow group B to read repos in tenancy",
                                                  "Allow group C to read repos in tenancy"}));
  const std::size_t before = server.count();
  ASSERT_TRUE(client.addStatements("p", {"Allow group B to read repos in tenancy"}, {}));
  EXPECT_EQ(server.count(), before + 1) << "nothing to add, nothing to write";
}

TEST(IdentityCalls, WritesGoToTheHomeRegion) {
  LoopbackServer server(answering(
      R"([{"regionKey":"PHX","regionName":"us-phoenix-1","status":"READY","isHomeRegion":false},
          {"regionKey":"IAD","regionName":"us-ashburn-1","status":"READY","isHomeRegion":true}])"));
  TestService service(server.url());
  EXPECT_EQ(*inHomeRegion(service.client, "t", {}), service.client) << "one endpoint for everything";
  EXPECT_EQ(server.count(), 0U);
  ServiceClient::Setup setup = service.client->setup();
  setup.endpoint.clear();
  setup.region = "phx";
  /// Sends everything to the test's server, whatever its host.
  class Redirected final : public HttpClient {
   public:
    Redirected(std::shared_ptr<HttpClient> inner, std::string url)
        : inner_(std::move(inner)), url_(std::move(url)) {}
    Result<HttpResponse> send(const HttpRequest& request, const std::stop_token& stop) override {
      HttpRequest moved = request;
      moved.url = url_ + request.url.substr(request.url.find('/', 8));
      return inner_->send(moved, stop);
    }

   private:
    std::shared_ptr<HttpClient> inner_;
    std::string url_;
  };
  setup.http = std::make_shared<Redirected>(setup.http, server.url());
  const auto phoenix = std::make_shared<ServiceClient>(setup);
  const auto home = inHomeRegion(phoenix, "t", {});
  ASSERT_TRUE(home) << describe(home.error());
  EXPECT_EQ((*home)->baseUrl(Service::Identity), "https://identity.us-ashburn-1.oci.oraclecloud.com");
  EXPECT_EQ(server.seen()[0].target, "/20160918/tenancies/t/regionSubscriptions");
  EXPECT_EQ(*inHomeRegion(*home, "t", {}), *home);
}

TEST(NetworkCalls, RulesComeBackAsTheyWent) {
  const json rules = json::parse(R"([
    {"source":"10.0.0.0/24","sourceType":"CIDR_BLOCK","protocol":"6","isStateless":false,"description":"ssh",
     "tcpOptions":{"destinationPortRange":{"min":22,"max":22}},"somethingNew":"kept"},
    {"source":"0.0.0.0/0","protocol":"1","icmpOptions":{"type":3,"code":4},"udpOptions":null},
    {"source":"10.0.0.0/16","protocol":"17","udpOptions":{"sourcePortRange":{"min":1,"max":53}}},
    {"source":"10.0.0.0/16","protocol":"all"}])");
  json sent;
  LoopbackServer server([&](const httplib::Request& in, httplib::Response& out) {
    if (in.method == "PUT") sent = json::parse(in.body);
    out.set_header("etag", "e1");
    out.set_content(json{{"id", "l"},
                         {"ingressSecurityRules", rules},
                         {"egressSecurityRules", {{{"destination", "0.0.0.0/0"}, {"protocol", "all"}}}}}
                        .dump(),
                    "application/json");
  });
  NetworkClient client(TestService(server.url()).client);
  const auto done =
      client.changeSecurityList("l",
                                [](SecurityList& list) {
                                  EXPECT_EQ(list.ingress[0].destinationPorts, (PortRange{22, 22}));
                                  EXPECT_EQ(list.ingress[1].icmpCode, 4);
                                  EXPECT_EQ(list.ingress[2].sourcePorts, (PortRange{1, 53}));
                                  EXPECT_EQ(list.egress[0].peer, "0.0.0.0/0");
                                  SecurityRule added;
                                  added.peer = "10.0.0.0/24";
                                  added.destinationPorts = PortRange{29400, 29400};
                                  list.ingress.push_back(added);
                                  return true;
                                },
                                {});
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(server.seen()[1].get_header_value("if-match"), "e1");
  ASSERT_EQ(sent["ingressSecurityRules"].size(), 5U);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    json before = rules[i];
    before.erase("udpOptions");
    json after = sent["ingressSecurityRules"][i];
    for (const char* usual : {"sourceType", "isStateless"}) before.emplace(usual, after[usual]);
    if (rules[i].contains("udpOptions") && !rules[i]["udpOptions"].is_null())
      before["udpOptions"] = rules[i]["udpOptions"];
    EXPECT_EQ(after, before) << i;
  }
  EXPECT_EQ(sent["ingressSecurityRules"][4]["tcpOptions"],
            json::parse(R"({"destinationPortRange":{"min":29400,"max":29400}})"));
  EXPECT_EQ(sent["egressSecurityRules"][0]["destinationType"], "CIDR_BLOCK");
}

TEST(NetworkCalls, GroupRulesGoInPortionsOfTwentyFive) {
  LoopbackServer server([](const httplib::Request& in, httplib::Response& out) {
    if (in.target.ends_with("removeSecurityRules")) {
      out.status = 204;
      return;
    }
    json answer = json::parse(in.body);
    for (json& rule : answer["securityRules"])
      rule["id"] = "r" + std::to_string(rule["tcpOptions"]["destinationPortRange"]["min"].get<int>());
    out.set_content(answer.dump(), "application/json");
  });
  NetworkClient client(TestService(server.url()).client);
  std::vector<SecurityRule> rules(60);
  std::vector<std::string> ids;
  for (int i = 0; i < 60; ++i) {
    rules[i].direction = i % 2 == 0 ? SecurityRule::Direction::Ingress : SecurityRule::Direction::Egress;
    rules[i].destinationPorts = PortRange{100 + i, 100 + i};
  }
  const auto added = client.addRules("g", rules, {});
  ASSERT_TRUE(added) << describe(added.error());
  ASSERT_EQ(added->size(), 60U);
  for (const SecurityRule& rule : *added) ids.push_back(rule.id);
  EXPECT_EQ(ids[59], "r159");
  ASSERT_TRUE(client.removeRules("g", ids, {}));
  const auto seen = server.seen();
  ASSERT_EQ(seen.size(), 6U);
  EXPECT_EQ(seen[0].target, "/20160918/networkSecurityGroups/g/actions/addSecurityRules");
  EXPECT_EQ(json::parse(seen[0].body)["securityRules"].size(), 25U);
  EXPECT_EQ(json::parse(seen[0].body)["securityRules"][1]["direction"], "EGRESS");
  EXPECT_EQ(json::parse(seen[5].body)["securityRuleIds"].size(), 10U);
}

}  // namespace
}  // namespace lockstep::oci
