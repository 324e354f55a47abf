// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <openssl/rsa.h>

#include <set>

#include "tests/app/rehearsal/iam/iam_region.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

class Iam : public IamSuite<Iam> {};

TEST_F(Iam, EveryOperationOfTheRegionHasItsRow) {
  const json operations = region().admin("GET", "/rehearsal/iam/operations").json();
  ASSERT_GT(operations.size(), 60U);
  for (const auto& [name, needs] : operations.items()) EXPECT_FALSE(needs.is_null()) << name << " has no row";
}

TEST_F(Iam, AUserWithoutGrantsIsToldNothing) {
  const IamRegion::User nobody = region().makeUser("nobody", json::array());
  const std::string place = region().place("compartmentId");
  EXPECT_EQ(nobody.caller.get("/n/").status, 200);  // the namespace needs no policy
  EXPECT_EQ(nobody.caller.get("/n/rehearsal/b/lockstep").code(), "BucketNotFound");
  EXPECT_EQ(nobody.caller.get("/n/rehearsal/b/lockstep/o").code(), "BucketNotFound");
  for (const std::string& target :
       {"/n/rehearsal/b?compartmentId=" + place, "/20190101/jobs?compartmentId=" + place,
        "/20190101/jobRuns?compartmentId=" + place, "/20160918/vcns?compartmentId=" + place,
        "/20200531/logGroups?compartmentId=" + place, "/20160918/users?compartmentId=" + IamRegion::tenancy(),
        "/20160918/policies?compartmentId=" + IamRegion::tenancy(),
        "/20160918/tenancies/" + IamRegion::tenancy(), "/20160918/subnets/" + region().place("subnetId"),
        "/20190101/projects/" + region().place("projectId")}) {
    const TestResponse response = nobody.caller.get(target);
    EXPECT_EQ(response.status, 404) << target;
    EXPECT_EQ(response.code(), "NotAuthorizedOrNotFound") << target;
  }
  EXPECT_EQ(nobody.caller.post("/20190101/jobs", region().region().jobBody()).code(),
            "NotAuthorizedOrNotFound");
  EXPECT_EQ(nobody.caller.get("/20160918/users/" + nobody.id).json()["name"], "nobody");  // oneself
}

TEST_F(Iam, AGroupReachesItsBucketAndNoOther) {
  const IamRegion::User writer = region().makeUser("writer", {"writers"});
  const TestCaller all = region().root();
  const json bucket{{"name", "private"}, {"compartmentId", region().place("compartmentId")}};
  ASSERT_EQ(all.post("/n/rehearsal/b", bucket).status, 200);
  all.send("PUT", "/n/rehearsal/b/private/o/x", "secret");
  const std::string id = region().policy(
      "writers", {"Allow group writers to manage objects in compartment lockstep where "
                  "all {target.bucket.name='lockstep', request.permission!='OBJECT_DELETE'}"});
  EXPECT_EQ(writer.caller.send("PUT", "/n/rehearsal/b/lockstep/o/w", "1").status, 200);
  EXPECT_EQ(writer.caller.get("/n/rehearsal/b/lockstep/o/w").body, "1");
  EXPECT_EQ(writer.caller.send("DELETE", "/n/rehearsal/b/lockstep/o/w").status, 404);
  EXPECT_EQ(writer.caller.get("/n/rehearsal/b/private/o/x").code(), "BucketNotFound");
  EXPECT_EQ(writer.caller.send("PUT", "/n/rehearsal/b/private/o/y", "1").status, 404);
  EXPECT_EQ(writer.caller.get("/n/rehearsal/b/lockstep").status, 404);  // objects, not the bucket
  EXPECT_EQ(all.send("DELETE", "/20160918/policies/" + id).status, 204);
  EXPECT_EQ(writer.caller.get("/n/rehearsal/b/lockstep/o/w").status, 404);
}

TEST_F(Iam, TheGuidesPoliciesLetATrainerLaunch) {
  const IamRegion::User trainer = region().makeUser("trainer", {"lockstep-trainers"});
  const TestResponse job = trainer.caller.post("/20190101/jobs", region().region().jobBody());
  ASSERT_EQ(job.status, 200) << job.body;
  EXPECT_EQ(
      trainer.caller.post("/20190101/projects", {{"compartmentId", region().place("compartmentId")}}).status,
      404);
  EXPECT_EQ(trainer.caller.get("/20160918/policies?compartmentId=" + IamRegion::tenancy()).status, 404);
}

// The statements of both guide pages as they stand there, but for "use read metrics" (ads-contract 4.5).
TEST_F(Iam, EachGuidePageIsEnoughToLaunch) {
  const std::vector<std::string> both{"manage data-science-jobs",   "manage data-science-job-runs",
                                      "use virtual-network-family", "manage log-groups",
                                      "use logging-family",         "read metrics"};
  const std::string bucket = " where all {target.bucket.name='lockstep'}";
  int page = 0;
  for (const std::vector<std::string>& more :
       {std::vector<std::string>(), std::vector<std::string>{"manage repos", "manage objects"}}) {
    const std::string group = "guide-" + std::to_string(++page);
    const IamRegion::User user = region().makeUser(group, {group});
    std::vector<std::string> statements;
    for (const auto& grants : {both, more})
      for (const std::string& grant : grants)
        statements.push_back("Allow group " + group + " to " + grant + " in compartment lockstep" +
                             (grant == "manage objects" ? bucket : ""));
    region().policy(group, statements);
    const TestResponse job = user.caller.post("/20190101/jobs", region().region().jobBody());
    ASSERT_EQ(job.status, 200) << group << ": " << job.body;
    const TestResponse run =
        user.caller.post("/20190101/jobRuns", region().region().runBody(job.json()["id"]));
    ASSERT_EQ(run.status, 200) << group << ": " << run.body;
    const bool mayPut = user.caller.send("PUT", "/n/rehearsal/b/lockstep/o/" + group, "1").status == 200;
    EXPECT_EQ(mayPut, !more.empty()) << group;
    EXPECT_EQ(user.caller.get("/20160918/users?compartmentId=" + IamRegion::tenancy()).status, 404) << group;
  }
}

TEST_F(Iam, AWrongStatementIsRefusedWithItsPlace) {
  const auto create = [&](const std::string& statement) {
    return region().root().post("/20160918/policies", {{"compartmentId", IamRegion::tenancy()},
                                                       {"name", "wrong"},
                                                       {"description", "test"},
                                                       {"statements", json::array({statement})}});
  };
  const TestResponse twoVerbs =
      create("Allow group lockstep-trainers to use read metrics in compartment lockstep");
  EXPECT_EQ(twoVerbs.status, 400);
  EXPECT_EQ(twoVerbs.code(), "InvalidParameter");
  EXPECT_NE(twoVerbs.body.find("'read metrics' or 'use metrics' is meant"), std::string::npos)
      << twoVerbs.body;
  EXPECT_NE(create("Allow group nobody-has-this to read metrics in tenancy")
                .body.find("does not exist under current"),
            std::string::npos);
  EXPECT_NE(
      create("Allow group lockstep-trainers to read metrics in compartment nowhere")
          .body.find("Compartment {nowhere} does not exist or is not part of the policy compartment subtree"),
      std::string::npos);
}

TEST_F(Iam, PoliciesAreChangedUnderTheirEtag) {
  const TestCaller all = region().root();
  const std::string id =
      region().policy("changing", {"Allow group lockstep-trainers to inspect metrics in tenancy"});
  const TestResponse got = all.get("/20160918/policies/" + id);
  const json change{{"statements", {"Allow group lockstep-trainers to read metrics in tenancy"}}};
  EXPECT_EQ(all.send("PUT", "/20160918/policies/" + id, change.dump(), {{"if-match", "other"}}).status, 412);
  EXPECT_EQ(
      all.send("PUT", "/20160918/policies/" + id, change.dump(), {{"if-match", got.header("etag")}}).status,
      200);
  EXPECT_EQ(
      all.send("PUT", "/20160918/policies/" + id, change.dump(), {{"if-match", got.header("etag")}}).status,
      412);
  const json body{{"compartmentId", IamRegion::tenancy()},
                  {"name", "CHANGING"},
                  {"description", "d"},
                  {"statements", {"Allow group lockstep-trainers to inspect metrics in tenancy"}}};
  EXPECT_EQ(all.post("/20160918/policies", body).status, 409);
  const json fresh{{"compartmentId", IamRegion::tenancy()},
                   {"name", "retried"},
                   {"description", "d"},
                   {"statements", {"Allow group lockstep-trainers to inspect metrics in tenancy"}}};
  const TestResponse first = all.post("/20160918/policies", fresh, {{"opc-retry-token", "t-1"}});
  EXPECT_EQ(all.post("/20160918/policies", fresh, {{"opc-retry-token", "t-1"}}).json()["id"],
            first.json()["id"]);
}

TEST_F(Iam, GroupsAndMembershipsComeAndGo) {
  const TestCaller all = region().root();
  const IamRegion::User user = region().makeUser("joiner", json::array());
  const TestResponse group =
      all.post("/20160918/groups",
               {{"compartmentId", IamRegion::tenancy()}, {"name", "joiners"}, {"description", "d"}});
  ASSERT_EQ(group.status, 200) << group.body;
  const std::string id = group.json()["id"];
  region().policy("joiners", {"Allow group joiners to inspect vcns in tenancy"});
  const std::string vcns = "/20160918/vcns?compartmentId=" + region().place("compartmentId");
  EXPECT_EQ(user.caller.get(vcns).status, 404);
  const TestResponse member =
      all.post("/20160918/userGroupMemberships", {{"userId", user.id}, {"groupId", id}});
  ASSERT_EQ(member.status, 200) << member.body;
  EXPECT_EQ(user.caller.get(vcns).status, 200);
  const std::string list = "/20160918/userGroupMemberships?compartmentId=" + IamRegion::tenancy();
  EXPECT_EQ(all.get(list).code(), "MissingParameter");
  EXPECT_EQ(all.get(list + "&userId=" + user.id).json().size(), 1U);
  EXPECT_EQ(all.get(list + "&groupId=" + id + "&userId=" + user.id).json()[0]["groupId"], id);
  EXPECT_EQ(all.send("DELETE", "/20160918/groups/" + id).status, 409);
  EXPECT_EQ(
      all.send("DELETE", "/20160918/userGroupMemberships/" + member.json()["id"].get<std::string>()).status,
      204);
  EXPECT_EQ(user.caller.get(vcns).status, 404);
  EXPECT_EQ(all.send("DELETE", "/20160918/groups/" + id).status, 204);
  const TestResponse rule =
      all.post("/20160918/dynamicGroups", {{"compartmentId", IamRegion::tenancy()},
                                           {"name", "bad-rule"},
                                           {"description", "d"},
                                           {"matchingRule", "resource.type=datasciencejobrun"}});
  EXPECT_EQ(rule.code(), "InvalidParameter");
}

TEST_F(Iam, CompartmentsNestAndAreListedAsATree) {
  const TestCaller all = region().root();
  const auto make = [&](const std::string& parent, const std::string& name) {
    return all.post("/20160918/compartments",
                    {{"compartmentId", parent}, {"name", name}, {"description", "d"}});
  };
  const TestResponse outer = make(IamRegion::tenancy(), "outer");
  ASSERT_EQ(outer.status, 200) << outer.body;
  const std::string outerId = outer.json()["id"];
  const TestResponse inner = make(outerId, "inner");
  ASSERT_EQ(inner.status, 200);
  EXPECT_EQ(make(outerId, "INNER").status, 409);
  const auto namesAt = [&](const TestCaller& caller, const std::string& query) {
    std::set<std::string> names;
    for (const json& c : caller.get("/20160918/compartments?" + query).json()) names.insert(c["name"]);
    return names;
  };
  EXPECT_FALSE(namesAt(all, "compartmentId=" + IamRegion::tenancy()).contains("inner"));
  EXPECT_TRUE(namesAt(all, "compartmentId=" + IamRegion::tenancy() + "&compartmentIdInSubtree=true")
                  .contains("inner"));
  EXPECT_EQ(namesAt(all, "compartmentId=" + outerId), (std::set<std::string>{"inner"}));
  const IamRegion::User seer = region().makeUser("seer", {"seers"});
  region().policy("seers", {"Allow group seers to read objects in compartment outer:inner"});
  EXPECT_EQ(namesAt(seer.caller, "compartmentId=" + IamRegion::tenancy() +
                                     "&accessLevel=ACCESSIBLE&compartmentIdInSubtree=true"),
            (std::set<std::string>{"outer", "inner"}));
  EXPECT_EQ(seer.caller.get("/20160918/compartments?compartmentId=" + IamRegion::tenancy()).status, 404);
}

TEST_F(Iam, KeysAndTokensHaveTheirLimitsAndAreRefusedAtOnceWhenDeleted) {
  const IamRegion::User user = region().makeUser("keyholder", json::array());
  const std::string mine = "/20160918/users/" + user.id;
  EXPECT_EQ(user.caller.get("/n/").status, 200);
  std::vector<KeyHandle> keys;
  for (int i = 0; i < 2; ++i) {
    keys.emplace_back(EVP_RSA_gen(2048), EVP_PKEY_free);
    EXPECT_EQ(user.caller.post(mine + "/apiKeys", {{"key", publicPemOf(keys.back().get())}}).status, 200);
  }
  const KeyHandle fourth(EVP_RSA_gen(2048), EVP_PKEY_free);
  EXPECT_EQ(user.caller.post(mine + "/apiKeys", {{"key", publicPemOf(fourth.get())}}).code(),
            "LimitExceeded");
  const json listed = user.caller.get(mine + "/apiKeys").json();
  ASSERT_EQ(listed.size(), 3U);
  EXPECT_EQ(
      user.caller.send("DELETE", mine + "/apiKeys/" + user.keyId.substr(user.keyId.rfind('/') + 1)).status,
      204);
  EXPECT_EQ(user.caller.get("/n/").status, 401);
  std::string other;
  for (const json& key : listed)
    if (key["keyId"] != user.keyId && key["keyValue"] == publicPemOf(keys[0].get())) other = key["keyId"];
  const TestCaller next(region().port(), other, keys[0]);
  const TestResponse token = next.post(mine + "/authTokens", {{"description", "registry"}});
  ASSERT_EQ(token.status, 200) << token.body;
  EXPECT_EQ(token.json()["token"].get<std::string>().size(), 20U);
  EXPECT_EQ(next.post(mine + "/authTokens", {{"description", "second"}}).status, 200);
  EXPECT_EQ(next.post(mine + "/authTokens", {{"description", "third"}}).code(), "LimitExceeded");
  const TestResponse tokens = next.get(mine + "/authTokens");
  EXPECT_EQ(tokens.json().size(), 2U);
  EXPECT_EQ(tokens.body.find("\"token\""), std::string::npos);
  EXPECT_EQ(region().root().send("DELETE", mine).status, 204);
  EXPECT_EQ(next.get("/n/").status, 401);
}

TEST_F(Iam, TenanciesSeeNothingOfEachOtherAndWriteAtHome) {
  const TestResponse made =
      region().admin("POST", "/rehearsal/tenancies", {{"name", "second"}, {"homeRegionKey", "PHX"}});
  ASSERT_EQ(made.status, 200) << made.body;
  const json boss = made.json()["administrator"];
  const TestCaller caller(region().port(), boss["keyId"], keyFrom(boss["privateKey"].get<std::string>()));
  const std::string second = made.json()["tenancyId"];
  EXPECT_EQ(caller.get("/20160918/tenancies/" + second).json()["homeRegionKey"], "PHX");
  EXPECT_EQ(caller.get("/n/").json(), made.json()["namespace"]);
  EXPECT_EQ(caller.get("/n/rehearsal/b/lockstep").code(), "BucketNotFound");
  EXPECT_EQ(caller.get("/20190101/jobs?compartmentId=" + region().place("compartmentId")).status, 404);
  EXPECT_EQ(caller.get("/20160918/users?compartmentId=" + IamRegion::tenancy()).status, 404);
  EXPECT_EQ(region().root().get("/20160918/users?compartmentId=" + second).status, 404);
  const TestResponse group =
      caller.post("/20160918/groups", {{"compartmentId", second}, {"name", "g"}, {"description", "d"}});
  EXPECT_EQ(group.status, 403);
  EXPECT_EQ(group.code(), "NotAllowed");
  EXPECT_EQ(caller.get("/20160918/tenancies/" + second + "/regionSubscriptions").json().size(), 2U);
}

TEST_F(Iam, EveryRequestIsAuditedAndEveryDecisionExplained) {
  const IamRegion::User user = region().makeUser("audited", json::array());
  const std::uint64_t before = region().admin("GET", "/rehearsal/audit?limit=10000").json()["last"];
  EXPECT_EQ(user.caller.get("/20190101/jobs?compartmentId=" + region().place("compartmentId")).status, 404);
  EXPECT_EQ(user.caller.post("/20190101/jobs", region().region().jobBody()).status, 404);
  const json audit = region().admin("GET", "/rehearsal/audit?since=" + std::to_string(before)).json();
  std::vector<json> mine;
  for (const json& entry : audit["entries"])
    if (entry["principal"] == user.id) mine.push_back(entry);
  ASSERT_EQ(mine.size(), 2U) << audit.dump(1);
  EXPECT_EQ(mine[0]["operation"], "ListJobs");
  EXPECT_EQ(mine[0]["status"], 404);
  EXPECT_FALSE(mine[0]["isMutating"].get<bool>());
  EXPECT_EQ(mine[1]["operation"], "CreateJob");
  EXPECT_TRUE(mine[1]["isMutating"].get<bool>());
  const std::string question =
      "/rehearsal/iam/explain?operation=CreateJob&compartmentId=" + region().place("compartmentId");
  const json denied = region().admin("GET", question + "&principal=" + user.id).json();
  EXPECT_FALSE(denied["isAllowed"].get<bool>());
  EXPECT_FALSE(denied["needs"][0]["nearMisses"].empty());
  const json allowed = region().admin("GET", question).json();
  EXPECT_EQ(allowed["needs"][0]["granted"]["statement"],
            "Allow group Administrators to manage all-resources in tenancy");
}

TEST(IamEmpty, TheEmptyTenancyHasItsAdministratorAndNothingElse) {
  const RegionUnderTest region({}, {"--empty"});
  const std::string tenancy = "ocid1.tenancy.oc1..aaaaaaaalockstep";
  const TestCaller all = region.caller();
  EXPECT_TRUE(all.get("/20160918/compartments?compartmentId=" + tenancy).json().empty());
  EXPECT_EQ(all.get("/20160918/policies?compartmentId=" + tenancy).json().size(), 1U);
  EXPECT_EQ(all.get("/20160918/groups?compartmentId=" + tenancy).json()[0]["name"], "Administrators");
  EXPECT_TRUE(all.get("/20160918/dynamicGroups?compartmentId=" + tenancy).json().empty());
}

}  // namespace
}  // namespace lockstep::testing
