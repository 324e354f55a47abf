// SPDX-License-Identifier: GPL-3.0-or-later
// The network step against a real region: what it says, what it changes, and what the region says of that.
#include <gtest/gtest.h>
#include <httplib.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "network_report.h"
#include "setup/network/network_step.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

constexpr const char* kBlock = "10.0.0.0/24";

json tcp(const char* key, const std::string& peer, int first = 0, int last = 0) {
  json rule{{key, peer}, {"protocol", "6"}};
  if (first > 0) rule["tcpOptions"] = {{"destinationPortRange", {{"min", first}, {"max", last}}}};
  return rule;
}
json tcpFrom(const std::string& peer, int first = 0, int last = 0) {
  return tcp("source", peer, first, last);
}
json tcpTo(const std::string& peer, int first = 0, int last = 0) {
  return tcp("destination", peer, first, last);
}
const json kEverythingOut = json::array({{{"destination", "0.0.0.0/0"}, {"protocol", "all"}}});

class NetworkStepTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { region_ = std::make_unique<RegionUnderTest>(); }
  static void TearDownTestSuite() { region_.reset(); }
  void SetUp() override {
    setup_.query = {region_->configFile(), "REHEARSAL"};
    setup_.choices.compartmentId = region_->place("compartmentId");
    setup_.choices.subnetId = region_->place("subnetId");
    setup_.spec = cluster(Framework::TensorFlow);
    setRules(json::array(), kEverythingOut);
  }

  static std::string listId() {
    return region_->caller()
        .get("/20160918/subnets/" + region_->place("subnetId"))
        .json()["securityListIds"][0];
  }
  static json list() { return region_->caller().get("/20160918/securityLists/" + listId()).json(); }
  static void setRules(const json& ingress, const json& egress) {
    const json body{{"ingressSecurityRules", ingress}, {"egressSecurityRules", egress}};
    const auto reply = region_->caller().send("PUT", "/20160918/securityLists/" + listId(), body.dump());
    ASSERT_EQ(reply.status, 200) << reply.body;
  }
  static json admin(const std::string& target) {
    std::ifstream file(region_->stateFolder() / "admin.token");
    const std::string token((std::istreambuf_iterator<char>(file)), {});
    httplib::Client client("127.0.0.1", region_->port());
    const auto reply = client.Get(target, {{"Authorization", "Bearer " + token}});
    return reply ? json::parse(reply->body, nullptr, false) : json();
  }
  /// What the region itself says.
  static bool isOpen(int first, int last, const std::string& from = kBlock) {
    const json answer =
        admin("/rehearsal/network/reachable?subnetId=" + region_->place("subnetId") +
              "&port=" + std::to_string(first) + "&toPort=" + std::to_string(last) + "&from=" + from);
    return answer.value("open", false);
  }
  static bool reachesServices() {
    return admin("/rehearsal/network/reachable?subnetId=" + region_->place("subnetId"))
        .value("services", false);
  }

  [[nodiscard]] std::unique_ptr<SetupStep> step() const {
    return makeNetworkStep(std::make_shared<const SetupContext>(setup_));
  }
  [[nodiscard]] StepReport check() const { return step()->check({}); }

  static std::unique_ptr<RegionUnderTest> region_;
  SetupContext::Setup setup_;
};

std::unique_ptr<RegionUnderTest> NetworkStepTest::region_;

TEST_F(NetworkStepTest, AnOpenNetworkIsReadyWithEvidenceAndATable) {
  setRules(json::array({tcpFrom(kBlock)}), kEverythingOut);
  const StepReport report = check();
  EXPECT_EQ(report.state, StepState::Ready) << shown(report);
  EXPECT_TRUE(report.fixes.empty()) << shown(report);
  EXPECT_EQ(report.facts.at("infrastructure.subnetId"), region_->place("subnetId"));
  EXPECT_NE(shown(report).find("GetSecurityList 200, opc-request-id "), std::string::npos) << shown(report);
  ASSERT_EQ(report.tables.size(), 1U);
  const ReportTable& table = report.tables.front();
  ASSERT_EQ(table.rows.size(), 2U) << shown(report);
  EXPECT_EQ(table.rows[0][0].text, "12345");
  EXPECT_EQ(table.rows[0][2].state, StepState::Ready);
  EXPECT_NE(table.rows[0][2].detail.find("ingress rule 1 (TCP from 10.0.0.0/24)"), std::string::npos)
      << table.rows[0][2].detail;
  EXPECT_EQ(table.rows[1][3].state, StepState::Ready) << "Object Storage";
}

TEST_F(NetworkStepTest, WhatItAddsTheRegionOpensAndWhatIsTakenBackItCloses) {
  setRules(json::array({tcpFrom("10.0.5.0/24", 22, 22)}), kEverythingOut);
  ASSERT_FALSE(isOpen(12345, 12345));
  const StepReport before = check();
  EXPECT_EQ(before.state, StepState::Blocked);
  ASSERT_NE(withCode(before, "port-closed"), nullptr) << shown(before);
  const ProposedFix* fix = fixOf(before, "open-ports");
  ASSERT_NE(fix, nullptr) << shown(before);
  EXPECT_EQ(fix->title, "open TCP 12345 within 10.0.0.0/24");
  EXPECT_FALSE(fix->isUnsafe);
  EXPECT_EQ(fix->before.find("12345"), std::string::npos);
  EXPECT_NE(fix->after.find("TCP 12345 from 10.0.0.0/24"), std::string::npos) << fix->after;

  const auto changes = fix->apply({});
  ASSERT_TRUE(changes) << describe(changes.error());
  ASSERT_EQ(changes->size(), 1U);
  EXPECT_TRUE(isOpen(12345, 12345));
  EXPECT_FALSE(isOpen(12344, 12344));
  EXPECT_FALSE(isOpen(12346, 12346));
  EXPECT_FALSE(isOpen(12345, 12345, "10.0.1.0/24")) << "it must not be wider than the subnet";
  EXPECT_EQ(check().state, StepState::Ready) << shown(check());

  // Somebody else adds a rule; the undo of a later process has nothing but the journal's JSON.
  json rules = list();
  rules["ingressSecurityRules"].push_back(tcpFrom("10.0.9.0/24", 80, 80));
  setRules(rules["ingressSecurityRules"], rules["egressSecurityRules"]);
  AppliedChange change = changes->front();
  change.undo = json::parse(change.undo.dump());
  const auto back = step()->takeBack(change, {});
  ASSERT_TRUE(back) << describe(back.error());
  EXPECT_FALSE(isOpen(12345, 12345));
  const json left = list()["ingressSecurityRules"];
  ASSERT_EQ(left.size(), 2U) << left.dump(1);
  EXPECT_EQ(left[0]["source"], "10.0.5.0/24");
  EXPECT_EQ(left[1]["source"], "10.0.9.0/24");
  EXPECT_TRUE(step()->takeBack(change, {})) << "what is gone is taken back";
}

TEST_F(NetworkStepTest, AListThatHasMovedOnIsNotChanged) {
  const StepReport report = check();
  const ProposedFix* fix = fixOf(report, "open-ports");
  ASSERT_NE(fix, nullptr) << shown(report);
  setRules(json::array({tcpFrom("10.0.9.0/24", 80, 80)}), kEverythingOut);
  const auto changes = fix->apply({});
  ASSERT_FALSE(changes);
  EXPECT_EQ(changes.error().code, ErrorCode::FailedPrecondition) << describe(changes.error());
  EXPECT_FALSE(isOpen(12345, 12345));
  EXPECT_EQ(list()["ingressSecurityRules"].size(), 1U) << "somebody else's change is kept";
}

TEST_F(NetworkStepTest, ARuleThatSomebodyAlteredIsTheirs) {
  const StepReport report = check();
  ASSERT_NE(fixOf(report, "open-ports"), nullptr) << shown(report);
  const auto changes = fixOf(report, "open-ports")->apply({});
  ASSERT_TRUE(changes);
  json rules = list();
  rules["ingressSecurityRules"][0]["source"] = "10.0.0.0/25";
  setRules(rules["ingressSecurityRules"], rules["egressSecurityRules"]);
  const auto back = step()->takeBack(changes->front(), {});
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().code, ErrorCode::FailedPrecondition);
  EXPECT_NE(describe(back.error()).find("10.0.0.0/25"), std::string::npos) << describe(back.error());
  EXPECT_EQ(list()["ingressSecurityRules"].size(), 1U);
}

TEST_F(NetworkStepTest, EverythingIsOpenedOnlyAsTheUnsafeVariant) {
  const StepReport report = check();
  const ProposedFix* fix = fixOf(report, "open-everything");
  ASSERT_NE(fix, nullptr) << shown(report);
  EXPECT_TRUE(fix->isUnsafe);
  const auto changes = fix->apply({});
  ASSERT_TRUE(changes) << describe(changes.error());
  EXPECT_TRUE(isOpen(1, 65535, "192.168.0.0/16"));
  ASSERT_TRUE(step()->takeBack(changes->front(), {}));
  EXPECT_FALSE(isOpen(12345, 12345));
}

struct RulesCase {
  const char* name;
  json ingress, egress;
  const char* code;
  const char* says;
};

TEST_F(NetworkStepTest, EveryWayOfBeingClosedHasACodeAndIsMended) {
  json statelessIn = tcpFrom(kBlock, 12345, 12345);
  statelessIn["isStateless"] = true;
  json fewSources = tcpFrom(kBlock);
  fewSources["tcpOptions"]["sourcePortRange"] = {{"min", 1}, {"max", 1023}};
  const json storageOnly = json::array({tcpTo("0.0.0.0/0", 443, 443)});
  const RulesCase cases[] = {
      {"closed", json::array(), kEverythingOut, "port-closed", "no ingress rule"},
      {"half of the subnet", json::array({tcpFrom("10.0.0.0/25")}), kEverythingOut, "wrong-cidr",
       "128 of the 256 addresses"},
      {"another subnet", json::array({tcpFrom("10.0.1.0/24")}), kEverythingOut, "wrong-cidr", "10.0.1.0/24"},
      {"low source ports", json::array({fewSources}), kEverythingOut, "source-ports", "1-1023"},
      {"no way out", json::array({tcpFrom(kBlock)}), storageOnly, "egress-closed", "no egress rule"},
      {"no way back", json::array({statelessIn}), json::array({tcpTo(kBlock, 12345, 12345), storageOnly[0]}),
       "stateless-without-return", "stateless"},
  };
  for (const RulesCase& row : cases) {
    SCOPED_TRACE(row.name);
    setRules(row.ingress, row.egress);
    ASSERT_FALSE(isOpen(12345, 12345));
    const StepReport report = check();
    EXPECT_EQ(report.state, StepState::Blocked);
    const Finding* finding = withCode(report, row.code);
    ASSERT_NE(finding, nullptr) << shown(report);
    EXPECT_NE(finding->cause.find(row.says), std::string::npos) << finding->cause;
    EXPECT_FALSE(finding->evidence.empty());
    const ProposedFix* fix = fixOf(report, "open-ports");
    ASSERT_NE(fix, nullptr) << shown(report);
    ASSERT_TRUE(fix->apply({}));
    EXPECT_TRUE(isOpen(12345, 12345)) << fix->after;
    EXPECT_EQ(check().state, StepState::Ready) << shown(check());
  }
}

json drawRule(std::mt19937& random, const char* key) {
  static const std::vector<std::string> kPeers{kBlock,        kBlock,      "10.0.0.0/25", "10.0.0.128/25",
                                               "10.0.0.0/16", "0.0.0.0/0", "10.0.1.0/24"};
  static const std::vector<std::pair<int, int>> kRanges{{0, 0},         {12345, 12345}, {12000, 12345},
                                                        {12346, 20000}, {1, 65535},     {32768, 60999}};
  const auto [first, last] = kRanges[random() % kRanges.size()];
  json rule = tcp(key, kPeers[random() % kPeers.size()], first, last);
  rule["isStateless"] = random() % 3 == 0;
  if (random() % 3 == 0) {
    const auto [low, high] = kRanges[1 + random() % (kRanges.size() - 1)];
    rule["tcpOptions"]["sourcePortRange"] = {{"min", low}, {"max", high}};
  }
  return rule;
}

// The region evaluates rules with code of its own, which has nothing in common with ours but the documents.
TEST_F(NetworkStepTest, OfDrawnRulesItSaysWhatTheRegionSays) {
  std::mt19937 random(5);
  int open = 0, fixed = 0;
  for (int round = 0; round < 60; ++round) {
    json in = json::array(), out = json::array();
    for (unsigned i = random() % 4; i > 0; --i) in.push_back(drawRule(random, "source"));
    for (unsigned i = random() % 4; i > 0; --i) out.push_back(drawRule(random, "destination"));
    SCOPED_TRACE("round " + std::to_string(round) + " in " + in.dump() + " out " + out.dump());
    setRules(in, out);
    const StepReport report = check();
    const bool isReady = fixOf(report, "open-ports") == nullptr;
    ASSERT_EQ(isReady, isOpen(12345, 12345)) << shown(report);
    open += isReady;
    if (isReady) continue;
    const bool lowOpen = isOpen(12344, 12344), highOpen = isOpen(12346, 12346);
    ASSERT_TRUE(fixOf(report, "open-ports")->apply({}));
    ASSERT_TRUE(isOpen(12345, 12345)) << fixOf(report, "open-ports")->after;
    ASSERT_EQ(isOpen(12344, 12344), lowOpen) << fixOf(report, "open-ports")->after;
    ASSERT_EQ(isOpen(12346, 12346), highOpen) << fixOf(report, "open-ports")->after;
    ++fixed;
  }
  EXPECT_GT(open, 5);
  EXPECT_GT(fixed, 20);
}

TEST_F(NetworkStepTest, ObjectStorageNeedsAnEgressRule) {
  setRules(json::array({tcpFrom(kBlock)}), json::array({tcpTo(kBlock)}));
  ASSERT_FALSE(reachesServices());
  const StepReport report = check();
  ASSERT_NE(withCode(report, "storage-egress-closed"), nullptr) << shown(report);
  const ProposedFix* fix = fixOf(report, "open-storage");
  ASSERT_NE(fix, nullptr) << shown(report);
  ASSERT_TRUE(fix->apply({}));
  EXPECT_TRUE(reachesServices());
  EXPECT_EQ(check().state, StepState::Ready) << shown(check());
}

TEST_F(NetworkStepTest, AGroupIsNoHelp) {
  const json subnet = region_->caller().get("/20160918/subnets/" + region_->place("subnetId")).json();
  const json group = region_->caller()
                         .post("/20160918/networkSecurityGroups",
                               {{"compartmentId", subnet["compartmentId"]}, {"vcnId", subnet["vcnId"]}})
                         .json();
  json rule = tcpFrom(group["id"], 12345, 12345);
  rule["sourceType"] = "NETWORK_SECURITY_GROUP";
  rule["direction"] = "INGRESS";
  const std::string path = "/20160918/networkSecurityGroups/" + group["id"].get<std::string>();
  ASSERT_EQ(region_->caller()
                .post(path + "/actions/addSecurityRules", {{"securityRules", json::array({rule})}})
                .status,
            200);
  const StepReport report = check();
  EXPECT_NE(withCode(report, "nsg-only"), nullptr) << shown(report);
  (void)region_->caller().send("DELETE", path);
}

TEST_F(NetworkStepTest, ASharedListIsNotOpenedUnasked) {
  const json own = region_->caller().get("/20160918/subnets/" + region_->place("subnetId")).json();
  const json other = region_->caller()
                         .post("/20160918/subnets", {{"compartmentId", own["compartmentId"]},
                                                     {"vcnId", own["vcnId"]},
                                                     {"cidrBlock", "10.0.7.0/24"},
                                                     {"displayName", "neighbour"},
                                                     {"securityListIds", own["securityListIds"]}})
                         .json();
  ASSERT_TRUE(other.contains("id")) << other.dump();
  StepReport report = check();
  const ProposedFix* fix = fixOf(report, "open-ports");
  ASSERT_NE(fix, nullptr) << shown(report);
  EXPECT_TRUE(fix->isUnsafe);
  EXPECT_NE(fix->title.find("neighbour"), std::string::npos) << fix->title;

  setup_.choices.subnetId.clear();  // there are two now
  report = check();
  const Finding* finding = withCode(report, "subnet-not-chosen");
  ASSERT_NE(finding, nullptr) << shown(report);
  EXPECT_NE(finding->text.find(region_->place("subnetId")), std::string::npos) << finding->text;
  EXPECT_NE(finding->text.find(other["id"].get<std::string>()), std::string::npos) << finding->text;
  ASSERT_EQ(report.tables.size(), 1U);
  EXPECT_EQ(report.tables.front().rows.size(), 2U);
  EXPECT_FALSE(report.facts.contains("infrastructure.subnetId"));

  setup_.choices.subnetId = other["id"];
  EXPECT_NE(withCode(check(), "public-subnet"), nullptr);
  ASSERT_LT(region_->caller().send("DELETE", "/20160918/subnets/" + other["id"].get<std::string>()).status,
            300);
}

TEST_F(NetworkStepTest, TheOnlySubnetIsTaken) {
  setup_.choices.subnetId.clear();
  setRules(json::array({tcpFrom(kBlock)}), kEverythingOut);
  const StepReport report = check();
  EXPECT_EQ(report.state, StepState::Ready) << shown(report);
  EXPECT_EQ(report.facts.at("infrastructure.subnetId"), region_->place("subnetId"));
}

TEST_F(NetworkStepTest, SubnetsThatAreNotThere) {
  setup_.choices.subnetId = "ocid1.subnet.oc1.rehearsal.aaaaaaaagone";
  const StepReport gone = check();
  const Finding* finding = withCode(gone, "subnet-gone");
  ASSERT_NE(finding, nullptr) << shown(gone);
  EXPECT_NE(finding->evidence.find("GetSubnet 404"), std::string::npos) << finding->evidence;
  setup_.choices.subnetId = "ocid1.subnet.oc1.phx.aaaaaaaafar";
  EXPECT_NE(withCode(check(), "subnet-in-other-region"), nullptr) << shown(check());
}

TEST_F(NetworkStepTest, AManagedNetworkNeedsNone) {
  setup_.spec->multiNode = MultiNodeSpec();
  setup_.spec->multiNode->network = "managed";
  const StepReport report = check();
  EXPECT_EQ(report.state, StepState::NotApplicable) << shown(report);
  EXPECT_NE(report.findings.front().text.find("manages"), std::string::npos);
}

TEST_F(NetworkStepTest, NoRouteToObjectStorage) {
  const json own = region_->caller().get("/20160918/subnets/" + region_->place("subnetId")).json();
  const std::string path = "/20160918/routeTables/" + own["routeTableId"].get<std::string>();
  const json routes = region_->caller().get(path).json()["routeRules"];
  ASSERT_EQ(region_->caller().send("PUT", path, json{{"routeRules", json::array()}}.dump()).status, 200);
  EXPECT_NE(withCode(check(), "no-route-to-storage"), nullptr) << shown(check());
  ASSERT_EQ(region_->caller().send("PUT", path, json{{"routeRules", routes}}.dump()).status, 200);
}

TEST_F(NetworkStepTest, AProfileThatDoesNotWorkIsNamedAsTheCause) {
  setup_.query.profile = "NOBODY";
  const StepReport report = check();
  EXPECT_EQ(report.state, StepState::Blocked);
  ASSERT_NE(withCode(report, "needs-auth"), nullptr) << shown(report);
}

}  // namespace
}  // namespace lockstep::testing
