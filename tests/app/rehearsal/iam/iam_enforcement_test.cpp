// SPDX-License-Identifier: GPL-3.0-or-later
// Every operation of a running region, asked for with all that it needs and with a little less.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "tests/app/rehearsal/iam/iam_stage.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json readRequests() {
  std::ifstream file(std::string(LOCKSTEP_TEST_DATA) + "/iam/requests.json");
  return ordered_json::parse(file);
}

using Needs = std::vector<std::string>;  // "use subnets"

// The same without one need, or with the next lesser verb.
Needs withLess(const Needs& needs, std::size_t which) {
  static const std::map<std::string, std::string> lesser{
      {"manage", "use"}, {"use", "read"}, {"read", "inspect"}};
  Needs less = needs;
  const std::size_t blank = needs[which].find(' ');
  const auto verb = lesser.find(needs[which].substr(0, blank));
  if (verb == lesser.end())
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(which));
  else
    less[which] = verb->second + needs[which].substr(blank);
  return less;
}

class Enforcement : public ::testing::Test {
 protected:
  Enforcement() : stage_(region_, requests_["makers"]) {}

  TestResponse ask(const TestCaller& who, const ordered_json& row) {
    const StagedRequest request = stage_.request(row);
    return who.send(request.method, request.target, request.body, request.headers);
  }
  TestResponse askUnsigned(const ordered_json& row) {
    StagedRequest request = stage_.request(row);
    if (request.headers.empty()) request.headers.emplace_back("content-type", "application/json");
    return region_.plain(request.method, request.target, request.headers, request.body);
  }
  TestResponse askWith(const Needs& grants, const ordered_json& row) {
    std::vector<std::string> statements;
    for (const std::string& grant : grants)
      statements.push_back("Allow group askers to " + grant + " in tenancy");
    if (statements.empty()) return ask(asker_.caller, row);
    const std::string policy = region_.policy("askers", statements);
    TestResponse response = ask(asker_.caller, row);
    region_.removePolicy(policy);
    return response;
  }

  void expectRefused(const ordered_json& row, const TestResponse& response, const std::string& how) {
    const std::string which = row["operation"].get<std::string>() + " " + how + ": " + response.body;
    EXPECT_EQ(response.status, 404) << which;
    if (row["method"] == "HEAD") return;
    EXPECT_EQ(response.code(), row.value("refusal", "NotAuthorizedOrNotFound")) << which;
  }
  void expectTaken(const ordered_json& row, const TestResponse& granted, const std::string& how) {
    EXPECT_EQ(granted.status, row.value("status", 200))
        << row["operation"] << " " << how << ": " << granted.body;
    EXPECT_NE(granted.code(), "NotAuthorizedOrNotFound") << row["operation"] << ": " << granted.body;
  }
  void expectAuthenticationAsked(const ordered_json& row) {
    const TestResponse response = askUnsigned(row);
    EXPECT_EQ(response.status, 401) << row["operation"] << " without a signature: " << response.body;
    if (row["method"] == "HEAD") return;
    EXPECT_EQ(response.code(), "NotAuthenticated") << row["operation"];
  }

  IamRegion region_;
  ordered_json requests_ = readRequests();
  IamStage stage_;
  IamRegion::User asker_ = region_.makeUser("asker", {"askers"});
};

TEST_F(Enforcement, EachOperationNeedsWhatTheDocumentsSayAndNoMore) {
  for (const ordered_json& row : requests_["rows"]) {
    const Needs needs = row["needs"];
    expectAuthenticationAsked(row);
    if (needs.empty()) {
      expectTaken(row, ask(asker_.caller, row), "with no policy");
      continue;
    }
    expectRefused(row, ask(asker_.caller, row), "with no policy");
    for (std::size_t i = 0; i < needs.size(); ++i)
      expectRefused(row, askWith(withLess(needs, i), row), "with less than " + needs[i]);
    expectTaken(row, askWith(needs, row), "with what it needs");
  }
}

// The copy is made by the service in its own name, whatever the caller may do.
TEST_F(Enforcement, ACopyNeedsTheServiceAsWellAsTheCaller) {
  const std::string seeded = "ocid1.policy.oc1..aaaaaaaalockstepservice";
  ASSERT_EQ(region_.root().send("DELETE", "/20160918/policies/" + seeded).status, 204);
  const auto copies = [](const ordered_json& row) { return row["operation"] == "CopyObject"; };
  const ordered_json row = *std::ranges::find_if(requests_["rows"], copies);
  const TestResponse refused = ask(region_.root(), row);
  EXPECT_EQ(refused.status, 400) << refused.body;
  EXPECT_EQ(refused.code(), "InsufficientServicePermissions");
  EXPECT_NE(refused.body.find("objectstorage-rehearsal"), std::string::npos) << refused.body;
  region_.policy("copies",
                 {"Allow service ObjectStorage-rehearsal to manage object-family in compartment lockstep"});
  EXPECT_EQ(ask(region_.root(), row).status, 202);
}

TEST_F(Enforcement, ASearchFindsWhatTheCallerMayInspect) {
  const json query{{"type", "Structured"}, {"query", "query all resources"}};
  const auto typesFound = [&](const TestCaller& who) {
    const json items = who.post("/20180409/resources", query).json()["items"];
    std::set<std::string> types;
    for (const json& item : items) types.insert(item["resourceType"].get<std::string>());
    return types;
  };
  EXPECT_EQ(typesFound(asker_.caller), std::set<std::string>{});
  region_.policy("askers", {"Allow group askers to inspect vcns in compartment lockstep",
                            "Allow group askers to inspect buckets in tenancy"});
  EXPECT_EQ(typesFound(asker_.caller), (std::set<std::string>{"Bucket", "Vcn"}));
  EXPECT_GT(typesFound(region_.root()).size(), 5U);
}

TEST_F(Enforcement, NoOperationIsForgotten) {
  // What no policy decides alone, so no row can say it: the first two ask for a session token or for the
  // certificate of an instance (iam_sign_in_test), docker asks for its token unsigned (registry_test), and
  // the others are about the card of a node, which not every machine can give a run (access.json has their
  // permissions).
  std::set<std::string> covered{"RefreshSessionToken", "FederateInstance", "GetDockerToken", "GetVnic",
                                "UpdateVnic",          "GetPrivateIp"};
  for (const ordered_json& row : requests_["rows"]) covered.insert(row["operation"].get<std::string>());
  const json operations = region_.admin("GET", "/rehearsal/iam/operations").json();
  ASSERT_GT(operations.size(), 60U);
  for (const auto& [name, needs] : operations.items()) EXPECT_TRUE(covered.contains(name)) << name;
}

}  // namespace
}  // namespace lockstep::testing
