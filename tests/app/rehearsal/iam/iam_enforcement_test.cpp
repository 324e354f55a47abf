// SPDX-License-Identifier: GPL-3.0-or-later
// Every operation of a running region, asked for with all that it needs and with a little less.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "iam_stage.h"

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

  TestReply ask(const TestCaller& who, const ordered_json& row) {
    const StagedRequest request = stage_.request(row);
    return who.send(request.method, request.target, request.body, request.headers);
  }
  TestReply askUnsigned(const ordered_json& row) {
    StagedRequest request = stage_.request(row);
    if (request.headers.empty()) request.headers.emplace_back("content-type", "application/json");
    return region_.plain(request.method, request.target, request.headers, request.body);
  }
  TestReply askWith(const Needs& grants, const ordered_json& row) {
    std::vector<std::string> statements;
    for (const std::string& grant : grants)
      statements.push_back("Allow group askers to " + grant + " in tenancy");
    if (statements.empty()) return ask(asker_.caller, row);
    const std::string policy = region_.policy("askers", statements);
    TestReply reply = ask(asker_.caller, row);
    region_.removePolicy(policy);
    return reply;
  }

  void expectRefused(const ordered_json& row, const TestReply& reply, const std::string& how) {
    const std::string which = row["operation"].get<std::string>() + " " + how + ": " + reply.body;
    EXPECT_EQ(reply.status, 404) << which;
    if (row["method"] == "HEAD") return;
    EXPECT_EQ(reply.code(), row.value("refusal", "NotAuthorizedOrNotFound")) << which;
  }
  void expectAuthenticationAsked(const ordered_json& row) {
    const TestReply reply = askUnsigned(row);
    EXPECT_EQ(reply.status, 401) << row["operation"] << " without a signature: " << reply.body;
    if (row["method"] == "HEAD") return;
    EXPECT_EQ(reply.code(), "NotAuthenticated") << row["operation"];
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
    expectRefused(row, ask(asker_.caller, row), "with no policy");
    for (std::size_t i = 0; i < needs.size(); ++i)
      expectRefused(row, askWith(withLess(needs, i), row), "with less than " + needs[i]);
    const TestReply granted = askWith(needs, row);
    EXPECT_EQ(granted.status, row.value("status", 200))
        << row["operation"] << " with what it needs: " << granted.body;
    EXPECT_NE(granted.code(), "NotAuthorizedOrNotFound") << row["operation"] << ": " << granted.body;
  }
}

TEST_F(Enforcement, NoOperationIsForgotten) {
  // These have no row yet that says what each needs at least. python_clients_test asks for most of them, with all rights.
  const std::set<std::string> withoutRow{
      "CopyObject",          "CreateTag",   "CreateTagNamespace", "DeleteTagNamespace", "GenerateUpst",
      "GetResourceType",     "GetTag",      "GetTagNamespace",    "ListResourceTypes",  "ListTagDefaults",
      "ListTagNamespaces",   "ListTags",    "SearchResources",    "UpdateProject",      "UpdateTag",
      "UpdateTagNamespace"};
  // These need no policy, or a node that runs.
  std::set<std::string> covered{"GetNamespace", "GetDockerToken", "FederateInstance", "RefreshSessionToken",
                                "GetService",   "GetVnic",        "UpdateVnic",       "GetPrivateIp"};
  covered.insert(withoutRow.begin(), withoutRow.end());
  for (const ordered_json& row : requests_["rows"]) covered.insert(row["operation"].get<std::string>());
  const json operations = region_.admin("GET", "/rehearsal/iam/operations").json();
  ASSERT_GT(operations.size(), 60U);
  for (const auto& [name, needs] : operations.items()) EXPECT_TRUE(covered.contains(name)) << name;
}

}  // namespace
}  // namespace lockstep::testing
