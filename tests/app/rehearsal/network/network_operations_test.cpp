// SPDX-License-Identifier: GPL-3.0-or-later
// The network's operations over the wire (oci-rest-contract 4.2).
#include <gtest/gtest.h>

#include "tests/app/rehearsal/network/network_rule_text.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace {

using namespace lockstep::testing;
using nlohmann::json;

const std::string kRoot = "/20160918/";

class NetworkOperations : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { region_ = std::make_unique<RegionUnderTest>(); }
  static void TearDownTestSuite() { region_.reset(); }

  static TestResponse get(const std::string& target) { return region_->caller().get(kRoot + target); }
  static TestResponse post(const std::string& target, json body, const HeaderList& headers = {}) {
    if (target.find("/actions/") == std::string::npos)
      body["compartmentId"] = region_->place("compartmentId");
    return region_->caller().post(kRoot + target, body, headers);
  }
  static TestResponse put(const std::string& target, const json& body, const HeaderList& headers = {}) {
    return region_->caller().send("PUT", kRoot + target, body.dump(), headers);
  }
  static TestResponse erase(const std::string& target) {
    return region_->caller().send("DELETE", kRoot + target);
  }
  static json made(const std::string& target, const json& body) {
    const TestResponse response = post(target, body);
    EXPECT_EQ(response.status, 200) << target << ": " << response.body;
    EXPECT_NE(response.header("etag"), "");
    return response.json();
  }
  static std::string list(const std::string& what, const std::string& more = {}) {
    return what + "?compartmentId=" + region_->place("compartmentId") + more;
  }

  static std::unique_ptr<RegionUnderTest> region_;
};
std::unique_ptr<RegionUnderTest> NetworkOperations::region_;

TEST_F(NetworkOperations, TheReadyTenancyHasANetworkForACluster) {
  const json subnet = get("subnets/" + region_->place("subnetId")).json();
  EXPECT_EQ(subnet["cidrBlock"], "10.0.0.0/24");
  EXPECT_EQ(subnet["prohibitPublicIpOnVnic"], true);
  const json rules = get("securityLists/" + subnet["securityListIds"][0].get<std::string>()).json();
  EXPECT_EQ(rules["ingressSecurityRules"][0]["protocol"], "6");
  EXPECT_TRUE(rules["ingressSecurityRules"][0]["tcpOptions"].is_null());
  const json table = get("routeTables/" + subnet["routeTableId"].get<std::string>()).json();
  EXPECT_EQ(table["routeRules"][0]["destinationType"], "SERVICE_CIDR_BLOCK");
  EXPECT_EQ(get(list("vcns")).json().size(), 1U);
}

TEST_F(NetworkOperations, AWizardBuildsANetworkFromNothing) {
  const json vcn =
      made("vcns", {{"cidrBlocks", {"10.8.0.0/16"}}, {"displayName", "wizard"}, {"dnsLabel", "wiz"}});
  const std::string vcnId = vcn["id"];
  EXPECT_EQ(vcn["cidrBlock"], "10.8.0.0/16");
  EXPECT_EQ(vcn["vcnDomainName"], "wiz.oraclevcn.com");
  const json defaults = get("securityLists/" + vcn["defaultSecurityListId"].get<std::string>()).json();
  EXPECT_EQ(defaults["ingressSecurityRules"].size(), 3U);
  EXPECT_EQ(get("dhcps/" + vcn["defaultDhcpOptionsId"].get<std::string>()).status, 200);
  const json services = get("services").json();
  const json gateway =
      made("serviceGateways", {{"vcnId", vcnId}, {"services", {{{"serviceId", services[0]["id"]}}}}});
  EXPECT_EQ(gateway["services"][0]["serviceName"], services[0]["name"]);
  const json nat = made("natGateways", {{"vcnId", vcnId}});
  const json internet = made("internetGateways", {{"vcnId", vcnId}, {"isEnabled", true}});
  const json table =
      made("routeTables", {{"vcnId", vcnId},
                           {"routeRules",
                            {{{"destination", services[0]["cidrBlock"]},
                              {"destinationType", "SERVICE_CIDR_BLOCK"},
                              {"networkEntityId", gateway["id"]}},
                             {{"destination", "0.0.0.0/0"}, {"networkEntityId", nat["id"]}}}}});
  const RuleArrays rules = readRules("in tcp 10.8.1.0/24; out all 0.0.0.0/0");
  const json securityList = made("securityLists", {{"vcnId", vcnId},
                                                   {"displayName", "cluster"},
                                                   {"ingressSecurityRules", rules.ingress},
                                                   {"egressSecurityRules", rules.egress}});
  const json subnet = made("subnets", {{"vcnId", vcnId},
                                       {"cidrBlock", "10.8.1.0/24"},
                                       {"dnsLabel", "sub"},
                                       {"routeTableId", table["id"]},
                                       {"securityListIds", {securityList["id"]}},
                                       {"prohibitPublicIpOnVnic", true}});
  EXPECT_EQ(subnet["subnetDomainName"], "sub.wiz.oraclevcn.com");
  EXPECT_EQ(subnet["virtualRouterIp"], "10.8.1.1");
  EXPECT_EQ(get(list("subnets", "&vcnId=" + vcnId)).json().size(), 1U);
  EXPECT_EQ(get(list("securityLists", "&vcnId=" + vcnId + "&displayName=cluster")).json().size(), 1U);
  const auto id = [](const json& of) { return "/" + of["id"].get<std::string>(); };
  EXPECT_EQ(erase("vcns/" + vcnId).status, 409) << "it has a subnet";
  EXPECT_EQ(erase("securityLists" + id(securityList)).status, 409) << "the subnet has it";
  EXPECT_EQ(erase("routeTables" + id(table)).status, 409);
  EXPECT_EQ(erase("natGateways" + id(nat)).status, 409) << "a route leads there";
  EXPECT_EQ(erase("subnets" + id(subnet)).status, 204);
  EXPECT_EQ(erase("routeTables" + id(table)).status, 204);
  for (const auto& [path, gone] :
       {std::pair{"natGateways", &nat}, std::pair{"serviceGateways", &gateway},
        std::pair{"internetGateways", &internet}, std::pair{"securityLists", &securityList}})
    EXPECT_EQ(erase(path + id(*gone)).status, 204) << path;
  EXPECT_EQ(erase("vcns/" + vcnId).status, 204);
  EXPECT_EQ(get("vcns/" + vcnId).status, 404);
  EXPECT_EQ(get("securityLists/" + vcn["defaultSecurityListId"].get<std::string>()).status, 404);
}

TEST_F(NetworkOperations, UpdatesOfAListReplaceWhatIsSentUnderItsEtag) {
  const json vcn = made("vcns", {{"cidrBlock", "10.9.0.0/16"}});
  const std::string target = "securityLists/" + vcn["defaultSecurityListId"].get<std::string>();
  const TestResponse before = get(target);
  const RuleArrays rules = readRules("in tcp 10.9.0.0/16 29400");
  const TestResponse changed =
      put(target, {{"ingressSecurityRules", rules.ingress}}, {{"if-match", before.header("etag")}});
  ASSERT_EQ(changed.status, 200) << changed.body;
  EXPECT_NE(changed.header("etag"), before.header("etag"));
  EXPECT_EQ(changed.json()["ingressSecurityRules"].size(), 1U);
  EXPECT_EQ(changed.json()["egressSecurityRules"], before.json()["egressSecurityRules"]) << "left alone";
  const TestResponse late =
      put(target, {{"ingressSecurityRules", json::array()}}, {{"if-match", before.header("etag")}});
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(late.code(), "NoEtagMatch");
  const TestResponse bad =
      put(target,
          {{"ingressSecurityRules",
            {{{"protocol", "6"}, {"source", "10.9.0.0/16"}}, {{"protocol", "17"}, {"source", "nowhere"}}}}});
  EXPECT_EQ(bad.status, 400);
  EXPECT_NE(bad.body.find("ingressSecurityRules[1].source"), std::string::npos) << bad.body;
  EXPECT_EQ(get(target).json()["ingressSecurityRules"].size(), 1U) << "nothing of it was taken over";
}

TEST_F(NetworkOperations, CreatesAreRepeatedByToken) {
  const json body{{"cidrBlock", "10.10.0.0/16"}, {"displayName", "once"}};
  const HeaderList token{{"opc-retry-token", "network-token"}};
  const TestResponse first = post("vcns", body, token), second = post("vcns", body, token);
  EXPECT_EQ(first.json()["id"], second.json()["id"]);
  EXPECT_EQ(get(list("vcns", "&displayName=once")).json().size(), 1U);
  EXPECT_EQ(post("vcns", {{"cidrBlock", "10.11.0.0/16"}}, token).code(), "InvalidatedRetryToken");
}

TEST_F(NetworkOperations, WhatIsWrongIsNamed) {
  const std::string vcnId = made("vcns", {{"cidrBlock", "10.12.0.0/16"}})["id"];
  struct Case {
    const char* path;
    json body;
    int status;
    const char* named;
  };
  const Case cases[] = {
      {"vcns", json::object(), 400, "cidrBlocks"},
      {"vcns", {{"cidrBlock", "10.0.0.0/8"}}, 400, "cidrBlocks"},
      {"vcns", {{"cidrBlock", "10.0.0.1/16"}}, 400, "cidrBlocks"},
      {"vcns", {{"cidrBlocks", {"10.0.0.0/16", "10.0.1.0/24"}}}, 400, "overlap"},
      {"vcns", {{"cidrBlock", "10.0.0.0/16"}, {"dnsLabel", "1x"}}, 400, "dnsLabel"},
      {"subnets", {{"cidrBlock", "10.12.0.0/24"}}, 400, "vcnId"},
      {"subnets", {{"vcnId", vcnId}, {"cidrBlock", "10.13.0.0/24"}}, 400, "cidrBlock"},
      {"subnets",
       {{"vcnId", "ocid1.vcn.none"}, {"cidrBlock", "10.12.0.0/24"}},
       404,
       "NotAuthorizedOrNotFound"},
      {"subnets", {{"vcnId", vcnId}, {"cidrBlock", "10.12.0.0/24"}, {"routeTableId", "ocid1.none"}}, 404, ""},
      {"securityLists",
       {{"vcnId", vcnId}, {"egressSecurityRules", json::array()}},
       400,
       "ingressSecurityRules"},
      {"internetGateways", {{"vcnId", vcnId}}, 400, "isEnabled"},
      {"serviceGateways", {{"vcnId", vcnId}}, 400, "services"},
      {"serviceGateways",
       {{"vcnId", vcnId}, {"services", {{{"serviceId", "x"}}}}},
       400,
       "services[0].serviceId"},
      {"routeTables",
       {{"vcnId", vcnId}, {"routeRules", {{{"destination", "0.0.0.0/0"}}}}},
       400,
       "routeRules[0].networkEntityId"},
  };
  for (const Case& row : cases) {
    const TestResponse response = post(row.path, row.body);
    EXPECT_EQ(response.status, row.status) << row.path << " " << row.body.dump() << ": " << response.body;
    EXPECT_NE(response.body.find(row.named), std::string::npos) << response.body;
  }
}

TEST_F(NetworkOperations, GroupsHaveRulesOfTheirOwn) {
  const std::string vcnId = made("vcns", {{"cidrBlock", "10.14.0.0/16"}})["id"];
  const json group = made("networkSecurityGroups", {{"vcnId", vcnId}, {"displayName", "nodes"}});
  const std::string one = "networkSecurityGroups/" + group["id"].get<std::string>();
  const json ingress{{"direction", "INGRESS"},
                     {"protocol", "6"},
                     {"source", group["id"]},
                     {"sourceType", "NETWORK_SECURITY_GROUP"}};
  const json egress{{"direction", "EGRESS"}, {"protocol", "all"}, {"destination", "0.0.0.0/0"}};
  const TestResponse added = post(one + "/actions/addSecurityRules", {{"securityRules", {ingress, egress}}});
  ASSERT_EQ(added.status, 200) << added.body;
  json rule = added.json()["securityRules"][0];
  EXPECT_EQ(rule["isValid"], true);
  EXPECT_EQ(get(one + "/securityRules?direction=INGRESS").json().size(), 1U);
  rule["protocol"] = "17";
  EXPECT_EQ(post(one + "/actions/updateSecurityRules", {{"securityRules", {rule}}}).status, 200);
  EXPECT_EQ(get(one + "/securityRules?direction=INGRESS").json()[0]["protocol"], "17");
  EXPECT_EQ(post(one + "/actions/removeSecurityRules", {{"securityRuleIds", {rule["id"]}}}).status, 204);
  EXPECT_EQ(get(one + "/securityRules").json().size(), 1U);
  EXPECT_EQ(post(one + "/actions/removeSecurityRules", {{"securityRuleIds", {rule["id"]}}}).status, 400);
  json many = json::array();
  for (int i = 0; i < 26; ++i) many.push_back(egress);
  EXPECT_EQ(post(one + "/actions/addSecurityRules", {{"securityRules", many}}).status, 400);
  const TestResponse bad =
      post(one + "/actions/addSecurityRules", {{"securityRules", {{{"protocol", "6"}}}}});
  EXPECT_NE(bad.body.find("securityRules[0].direction"), std::string::npos) << bad.body;
  EXPECT_EQ(erase(one).status, 204);
}

}  // namespace
