// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <httplib.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <fstream>

#include "region_under_test.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using KeyHandle = std::shared_ptr<EVP_PKEY>;

KeyHandle keyFrom(const std::string& pem) {
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  KeyHandle key(PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr), EVP_PKEY_free);
  BIO_free(bio);
  return key;
}

std::string publicPemOf(EVP_PKEY* key) {
  BIO* bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PUBKEY(bio, key);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  std::string pem(data, static_cast<std::size_t>(size));
  BIO_free(bio);
  return pem;
}

std::string withoutArmour(const std::string& pem) {
  std::istringstream lines(pem);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("-----")) text += line;
  return text;
}

/// One ready region for all tests of this file.
class Iam : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { region_ = new RegionUnderTest(); }
  static void TearDownTestSuite() { delete region_; }

  static TestReply admin(const std::string& method, const std::string& target, const json& body = {}) {
    std::ifstream file(region_->stateFolder() / "admin.token");
    const std::string token((std::istreambuf_iterator<char>(file)), {});
    return plain(method, target, {{"Authorization", "Bearer " + token}}, body.is_null() ? "" : body.dump());
  }
  static TestReply plain(const std::string& method, const std::string& target, const HeaderList& headers,
                         const std::string& body = {}) {
    httplib::Client client("127.0.0.1", region_->port());
    httplib::Request request;
    request.method = method;
    request.path = target;
    request.body = body;
    for (const auto& [name, value] : headers) request.headers.emplace(name, value);
    const auto result = client.send(request);
    TestReply reply;
    if (result) {
      reply.status = result->status;
      reply.body = result->body;
    }
    return reply;
  }

  struct User {
    std::string id, keyId;
    TestCaller caller;
  };
  static User makeUser(const std::string& name, const json& groups, const json& more = json::object()) {
    json body{{"name", name}, {"groups", groups}};
    body.update(more);
    const TestReply reply = admin("POST", "/rehearsal/users", body);
    EXPECT_EQ(reply.status, 200) << reply.body;
    const json user = reply.json();
    return {user["userId"], user["keyId"],
            TestCaller(region_->port(), user["keyId"], keyFrom(user["privateKey"].get<std::string>()))};
  }
  static std::string tenancy() {
    return region_->caller().get("/n/").status == 200 ? tenancyOf(region_->info()) : "";
  }
  static std::string tenancyOf(const json&) { return "ocid1.tenancy.oc1..aaaaaaaalockstep"; }
  static std::string policy(const std::string& name, const std::vector<std::string>& statements) {
    const TestReply reply = region_->caller().post(
        "/20160918/policies",
        {{"compartmentId", tenancy()}, {"name", name}, {"description", "test"}, {"statements", statements}});
    EXPECT_EQ(reply.status, 200) << reply.body;
    return reply.json().value("id", "");
  }

  static RegionUnderTest* region_;
};
RegionUnderTest* Iam::region_ = nullptr;

TEST_F(Iam, EveryOperationOfTheRegionHasItsRow) {
  const json operations = admin("GET", "/rehearsal/iam/operations").json();
  ASSERT_GT(operations.size(), 60U);
  for (const auto& [name, needs] : operations.items()) EXPECT_FALSE(needs.is_null()) << name << " has no row";
}

TEST_F(Iam, AUserWithoutGrantsIsToldNothing) {
  const User nobody = makeUser("nobody", json::array());
  const std::string place = region_->place("compartmentId");
  EXPECT_EQ(nobody.caller.get("/n/").status, 200);  // the namespace needs no policy
  EXPECT_EQ(nobody.caller.get("/n/rehearsal/b/lockstep").code(), "BucketNotFound");
  EXPECT_EQ(nobody.caller.get("/n/rehearsal/b/lockstep/o").code(), "BucketNotFound");
  for (const std::string& target :
       {"/n/rehearsal/b?compartmentId=" + place, "/20190101/jobs?compartmentId=" + place,
        "/20190101/jobRuns?compartmentId=" + place, "/20160918/vcns?compartmentId=" + place,
        "/20200531/logGroups?compartmentId=" + place, "/20160918/users?compartmentId=" + tenancy(),
        "/20160918/policies?compartmentId=" + tenancy(), "/20160918/tenancies/" + tenancy(),
        "/20160918/subnets/" + region_->place("subnetId"),
        "/20190101/projects/" + region_->place("projectId")}) {
    const TestReply reply = nobody.caller.get(target);
    EXPECT_EQ(reply.status, 404) << target;
    EXPECT_EQ(reply.code(), "NotAuthorizedOrNotFound") << target;
  }
  EXPECT_EQ(nobody.caller.post("/20190101/jobs", region_->jobBody()).code(), "NotAuthorizedOrNotFound");
  EXPECT_EQ(nobody.caller.get("/20160918/users/" + nobody.id).json()["name"], "nobody");  // oneself
}

TEST_F(Iam, AGroupReachesItsBucketAndNoOther) {
  const User writer = makeUser("writer", {"writers"});
  const TestCaller all = region_->caller();
  all.post("/n/rehearsal/b", {{"name", "private"}, {"compartmentId", region_->place("compartmentId")}});
  all.send("PUT", "/n/rehearsal/b/private/o/x", "secret");
  const std::string id =
      policy("writers", {"Allow group writers to manage objects in compartment lockstep where "
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
  const User trainer = makeUser("trainer", {"lockstep-trainers"});
  const TestReply job = trainer.caller.post("/20190101/jobs", region_->jobBody());
  ASSERT_EQ(job.status, 200) << job.body;
  EXPECT_EQ(
      trainer.caller.post("/20190101/projects", {{"compartmentId", region_->place("compartmentId")}}).status,
      404);
  EXPECT_EQ(trainer.caller.get("/20160918/policies?compartmentId=" + tenancy()).status, 404);
}

TEST_F(Iam, AWrongStatementIsRefusedWithItsPlace) {
  const auto create = [&](const std::string& statement) {
    return region_->caller().post("/20160918/policies", {{"compartmentId", tenancy()},
                                                         {"name", "wrong"},
                                                         {"description", "test"},
                                                         {"statements", json::array({statement})}});
  };
  const TestReply twoVerbs =
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
  const TestCaller all = region_->caller();
  const std::string id = policy("changing", {"Allow any-user to inspect metrics in tenancy"});
  const TestReply got = all.get("/20160918/policies/" + id);
  const json change{{"statements", {"Allow any-user to read metrics in tenancy"}}};
  EXPECT_EQ(all.send("PUT", "/20160918/policies/" + id, change.dump(), {{"if-match", "other"}}).status, 412);
  EXPECT_EQ(
      all.send("PUT", "/20160918/policies/" + id, change.dump(), {{"if-match", got.header("etag")}}).status,
      200);
  EXPECT_EQ(
      all.send("PUT", "/20160918/policies/" + id, change.dump(), {{"if-match", got.header("etag")}}).status,
      412);
  const json body{{"compartmentId", tenancy()},
                  {"name", "CHANGING"},
                  {"description", "d"},
                  {"statements", {"Allow any-user to inspect metrics in tenancy"}}};
  EXPECT_EQ(all.post("/20160918/policies", body).status, 409);
  const json fresh{{"compartmentId", tenancy()},
                   {"name", "retried"},
                   {"description", "d"},
                   {"statements", {"Allow any-user to inspect metrics in tenancy"}}};
  const TestReply first = all.post("/20160918/policies", fresh, {{"opc-retry-token", "t-1"}});
  EXPECT_EQ(all.post("/20160918/policies", fresh, {{"opc-retry-token", "t-1"}}).json()["id"],
            first.json()["id"]);
}

TEST_F(Iam, GroupsAndMembershipsComeAndGo) {
  const TestCaller all = region_->caller();
  const User user = makeUser("joiner", json::array());
  const TestReply group =
      all.post("/20160918/groups", {{"compartmentId", tenancy()}, {"name", "joiners"}, {"description", "d"}});
  ASSERT_EQ(group.status, 200) << group.body;
  const std::string id = group.json()["id"];
  policy("joiners", {"Allow group joiners to inspect vcns in tenancy"});
  const std::string vcns = "/20160918/vcns?compartmentId=" + region_->place("compartmentId");
  EXPECT_EQ(user.caller.get(vcns).status, 404);
  const TestReply member = all.post("/20160918/userGroupMemberships", {{"userId", user.id}, {"groupId", id}});
  ASSERT_EQ(member.status, 200) << member.body;
  EXPECT_EQ(user.caller.get(vcns).status, 200);
  const std::string list = "/20160918/userGroupMemberships?compartmentId=" + tenancy();
  EXPECT_EQ(all.get(list).code(), "MissingParameter");
  EXPECT_EQ(all.get(list + "&userId=" + user.id).json().size(), 1U);
  EXPECT_EQ(all.get(list + "&groupId=" + id + "&userId=" + user.id).json()[0]["groupId"], id);
  EXPECT_EQ(all.send("DELETE", "/20160918/groups/" + id).status, 409);
  EXPECT_EQ(
      all.send("DELETE", "/20160918/userGroupMemberships/" + member.json()["id"].get<std::string>()).status,
      204);
  EXPECT_EQ(user.caller.get(vcns).status, 404);
  EXPECT_EQ(all.send("DELETE", "/20160918/groups/" + id).status, 204);
  const TestReply rule =
      all.post("/20160918/dynamicGroups", {{"compartmentId", tenancy()},
                                           {"name", "bad-rule"},
                                           {"description", "d"},
                                           {"matchingRule", "resource.type=datasciencejobrun"}});
  EXPECT_EQ(rule.code(), "InvalidParameter");
}

TEST_F(Iam, CompartmentsNestAndAreListedAsATree) {
  const TestCaller all = region_->caller();
  const auto make = [&](const std::string& parent, const std::string& name) {
    return all.post("/20160918/compartments",
                    {{"compartmentId", parent}, {"name", name}, {"description", "d"}});
  };
  const TestReply outer = make(tenancy(), "outer");
  ASSERT_EQ(outer.status, 200) << outer.body;
  const std::string outerId = outer.json()["id"];
  const TestReply inner = make(outerId, "inner");
  ASSERT_EQ(inner.status, 200);
  EXPECT_EQ(make(outerId, "INNER").status, 409);
  const auto namesAt = [&](const TestCaller& caller, const std::string& query) {
    std::set<std::string> names;
    for (const json& c : caller.get("/20160918/compartments?" + query).json()) names.insert(c["name"]);
    return names;
  };
  EXPECT_FALSE(namesAt(all, "compartmentId=" + tenancy()).contains("inner"));
  EXPECT_TRUE(namesAt(all, "compartmentId=" + tenancy() + "&compartmentIdInSubtree=true").contains("inner"));
  EXPECT_EQ(namesAt(all, "compartmentId=" + outerId), (std::set<std::string>{"inner"}));
  const User seer = makeUser("seer", {"seers"});
  policy("seers", {"Allow group seers to read objects in compartment outer:inner"});
  EXPECT_EQ(namesAt(seer.caller,
                    "compartmentId=" + tenancy() + "&accessLevel=ACCESSIBLE&compartmentIdInSubtree=true"),
            (std::set<std::string>{"outer", "inner"}));
  EXPECT_EQ(seer.caller.get("/20160918/compartments?compartmentId=" + tenancy()).status, 404);
}

TEST_F(Iam, KeysAndTokensHaveTheirLimitsAndAreRefusedAtOnceWhenDeleted) {
  const User user = makeUser("keyholder", json::array());
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
  const TestCaller next(region_->port(), other, keys[0]);
  const TestReply token = next.post(mine + "/authTokens", {{"description", "registry"}});
  ASSERT_EQ(token.status, 200) << token.body;
  EXPECT_EQ(token.json()["token"].get<std::string>().size(), 20U);
  EXPECT_EQ(next.post(mine + "/authTokens", {{"description", "second"}}).status, 200);
  EXPECT_EQ(next.post(mine + "/authTokens", {{"description", "third"}}).code(), "LimitExceeded");
  const TestReply tokens = next.get(mine + "/authTokens");
  EXPECT_EQ(tokens.json().size(), 2U);
  EXPECT_EQ(tokens.body.find("\"token\""), std::string::npos);
  EXPECT_EQ(region_->caller().send("DELETE", mine).status, 204);
  EXPECT_EQ(next.get("/n/").status, 401);
}

TEST_F(Iam, TenanciesSeeNothingOfEachOtherAndWriteAtHome) {
  const TestReply made =
      admin("POST", "/rehearsal/tenancies", {{"name", "second"}, {"homeRegionKey", "PHX"}});
  ASSERT_EQ(made.status, 200) << made.body;
  const json boss = made.json()["administrator"];
  const TestCaller caller(region_->port(), boss["keyId"], keyFrom(boss["privateKey"].get<std::string>()));
  const std::string second = made.json()["tenancyId"];
  EXPECT_EQ(caller.get("/20160918/tenancies/" + second).json()["homeRegionKey"], "PHX");
  EXPECT_EQ(caller.get("/n/").json(), made.json()["namespace"]);
  EXPECT_EQ(caller.get("/n/rehearsal/b/lockstep").code(), "BucketNotFound");
  EXPECT_EQ(caller.get("/20190101/jobs?compartmentId=" + region_->place("compartmentId")).status, 404);
  EXPECT_EQ(caller.get("/20160918/users?compartmentId=" + tenancy()).status, 404);
  EXPECT_EQ(region_->caller().get("/20160918/users?compartmentId=" + second).status, 404);
  const TestReply group =
      caller.post("/20160918/groups", {{"compartmentId", second}, {"name", "g"}, {"description", "d"}});
  EXPECT_EQ(group.status, 403);
  EXPECT_EQ(group.code(), "NotAllowed");
  EXPECT_EQ(caller.get("/20160918/tenancies/" + second + "/regionSubscriptions").json().size(), 2U);
}

TEST_F(Iam, ASessionIsRenewedWithItsOwnToken) {
  const TestReply begun = admin("POST", "/rehearsal/sessions", {{"minutes", 5}});
  ASSERT_EQ(begun.status, 200) << begun.body;
  const KeyHandle key = keyFrom(begun.json()["privateKey"].get<std::string>());
  const std::string token = begun.json()["token"];
  const TestCaller caller(region_->port(), "ST$" + token, key);
  EXPECT_EQ(caller.get("/20190101/jobs?compartmentId=" + region_->place("compartmentId")).status, 200);
  const TestReply refreshed = caller.post("/v1/authentication/refresh", {{"currentToken", token}});
  ASSERT_EQ(refreshed.status, 200) << refreshed.body;
  const std::string next = refreshed.json()["token"];
  EXPECT_NE(next, token);
  EXPECT_EQ(TestCaller(region_->port(), "ST$" + next, key).get("/n/").status, 200);
  EXPECT_EQ(caller.post("/v1/authentication/refresh", {{"currentToken", "no token"}}).status, 401);
  const User other = makeUser("other", json::array());
  EXPECT_EQ(other.caller.post("/v1/authentication/refresh", {{"currentToken", token}}).status, 401);
}

std::string sha1Of(const std::string& pem) {
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  unsigned char digest[32];
  unsigned int size = 0;
  X509_digest(certificate, EVP_sha1(), digest, &size);
  X509_free(certificate);
  BIO_free(bio);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    char pair[4];
    std::snprintf(pair, sizeof pair, i == 0 ? "%02X" : ":%02X", digest[i]);
    text += pair;
  }
  return text;
}

TEST_F(Iam, AnInstanceSignsInWithItsCertificate) {
  const TestReply made =
      admin("POST", "/rehearsal/instances", {{"compartmentId", region_->place("compartmentId")}});
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string path = made.json()["metadataPath"];
  const HeaderList bearer{{"Authorization", "Bearer Oracle"}};
  EXPECT_EQ(plain("GET", path + "/instance/id", {}).status, 401);
  EXPECT_EQ(plain("GET", path + "/instance/id", bearer).body, made.json()["instanceId"]);
  EXPECT_EQ(plain("GET", "/opc/v2/instance/region", bearer).body, "rehearsal");
  EXPECT_EQ(plain("GET", path + "/instance/regionInfo", bearer).json()["regionIdentifier"], "rehearsal");
  const std::string certificate = plain("GET", path + "/identity/cert.pem", bearer).body;
  const KeyHandle leaf = keyFrom(plain("GET", path + "/identity/key.pem", bearer).body);
  const std::string intermediate = plain("GET", path + "/identity/intermediate.pem", bearer).body;
  ASSERT_TRUE(leaf);
  EXPECT_EQ(plain("GET", path + "/identity/cert.pem", bearer).body, certificate);
  const KeyHandle session(EVP_RSA_gen(2048), EVP_PKEY_free);
  const TestCaller federation(region_->port(), tenancy() + "/fed-x509/" + sha1Of(certificate), leaf);
  const json request{{"certificate", withoutArmour(certificate)},
                     {"publicKey", withoutArmour(publicPemOf(session.get()))},
                     {"intermediateCertificates", {withoutArmour(intermediate)}},
                     {"purpose", "DEFAULT"}};
  const TestReply answer = federation.post("/v1/x509", request);
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(federation.get("/n/").status, 401);  // the certificate opens nothing else
  const TestCaller instance(region_->port(), "ST$" + answer.json()["token"].get<std::string>(), session);
  EXPECT_EQ(instance.get("/n/").status, 200);
  EXPECT_EQ(instance.get("/n/rehearsal/b/lockstep/o").status, 404);
  const TestReply group = region_->caller().post(
      "/20160918/dynamicGroups",
      {{"compartmentId", tenancy()},
       {"name", "machines"},
       {"description", "d"},
       {"matchingRule", "instance.compartment.id = '" + region_->place("compartmentId") + "'"}});
  ASSERT_EQ(group.status, 200) << group.body;
  policy("machines", {"Allow dynamic-group machines to read objects in compartment lockstep"});
  EXPECT_EQ(instance.get("/n/rehearsal/b/lockstep/o").status, 200);
  EXPECT_EQ(TestCaller(region_->port(), tenancy() + "/fed-x509/00:11", leaf).post("/v1/x509", request).status,
            401);
}

TEST_F(Iam, EveryRequestIsAuditedAndEveryVerdictExplained) {
  const User user = makeUser("audited", json::array());
  const std::uint64_t before = admin("GET", "/rehearsal/audit?limit=10000").json()["last"];
  EXPECT_EQ(user.caller.get("/20190101/jobs?compartmentId=" + region_->place("compartmentId")).status, 404);
  EXPECT_EQ(user.caller.post("/20190101/jobs", region_->jobBody()).status, 404);
  const json audit = admin("GET", "/rehearsal/audit?since=" + std::to_string(before)).json();
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
      "/rehearsal/iam/explain?operation=CreateJob&compartmentId=" + region_->place("compartmentId");
  const json denied = admin("GET", question + "&principal=" + user.id).json();
  EXPECT_FALSE(denied["isAllowed"].get<bool>());
  EXPECT_FALSE(denied["needs"][0]["nearMisses"].empty());
  const json allowed = admin("GET", question).json();
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
