// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of sessions, instances and job runs as the wire has them (oci-rest-contract 1.5 to 1.7).
#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "iam_region.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

class IamSignIn : public IamSuite<IamSignIn> {};

TEST_F(IamSignIn, ASessionIsRenewedWithItsOwnToken) {
  const TestReply begun = region().admin("POST", "/rehearsal/sessions", {{"minutes", 5}});
  ASSERT_EQ(begun.status, 200) << begun.body;
  const KeyHandle key = keyFrom(begun.json()["privateKey"].get<std::string>());
  const std::string token = begun.json()["token"];
  const TestCaller caller(region().port(), "ST$" + token, key);
  EXPECT_EQ(caller.get("/20190101/jobs?compartmentId=" + region().place("compartmentId")).status, 200);
  const TestReply refreshed = caller.post("/v1/authentication/refresh", {{"currentToken", token}});
  ASSERT_EQ(refreshed.status, 200) << refreshed.body;
  const std::string next = refreshed.json()["token"];
  EXPECT_NE(next, token);
  EXPECT_EQ(TestCaller(region().port(), "ST$" + next, key).get("/n/").status, 200);
  EXPECT_EQ(caller.post("/v1/authentication/refresh", {{"currentToken", "no token"}}).status, 401);
  const IamRegion::User other = region().makeUser("other", json::array());
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

TEST_F(IamSignIn, AnInstanceSignsInWithItsCertificate) {
  const TestReply made =
      region().admin("POST", "/rehearsal/instances", {{"compartmentId", region().place("compartmentId")}});
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string path = made.json()["metadataPath"];
  const HeaderList bearer{{"Authorization", "Bearer Oracle"}};
  EXPECT_EQ(region().plain("GET", path + "/instance/id", {}).status, 401);
  EXPECT_EQ(region().plain("GET", path + "/instance/id", bearer).body, made.json()["instanceId"]);
  EXPECT_EQ(region().plain("GET", "/opc/v2/instance/region", bearer).body, "rehearsal");
  EXPECT_EQ(region().plain("GET", path + "/instance/regionInfo", bearer).json()["regionIdentifier"],
            "rehearsal");
  const std::string certificate = region().plain("GET", path + "/identity/cert.pem", bearer).body;
  const KeyHandle leaf = keyFrom(region().plain("GET", path + "/identity/key.pem", bearer).body);
  const std::string intermediate = region().plain("GET", path + "/identity/intermediate.pem", bearer).body;
  ASSERT_TRUE(leaf);
  EXPECT_EQ(region().plain("GET", path + "/identity/cert.pem", bearer).body, certificate);
  const KeyHandle session(EVP_RSA_gen(2048), EVP_PKEY_free);
  const TestCaller federation(region().port(), IamRegion::tenancy() + "/fed-x509/" + sha1Of(certificate),
                              leaf);
  const json request{{"certificate", withoutArmour(certificate)},
                     {"publicKey", withoutArmour(publicPemOf(session.get()))},
                     {"intermediateCertificates", {withoutArmour(intermediate)}},
                     {"purpose", "DEFAULT"}};
  const TestReply answer = federation.post("/v1/x509", request);
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(federation.get("/n/").status, 401);  // the certificate opens nothing else
  const TestCaller instance(region().port(), "ST$" + answer.json()["token"].get<std::string>(), session);
  EXPECT_EQ(instance.get("/n/").status, 200);
  EXPECT_EQ(instance.get("/n/rehearsal/b/lockstep/o").status, 404);
  const TestReply group = region().root().post(
      "/20160918/dynamicGroups",
      {{"compartmentId", IamRegion::tenancy()},
       {"name", "machines"},
       {"description", "d"},
       {"matchingRule", "instance.compartment.id = '" + region().place("compartmentId") + "'"}});
  ASSERT_EQ(group.status, 200) << group.body;
  region().policy("machines", {"Allow dynamic-group machines to read objects in compartment lockstep"});
  EXPECT_EQ(instance.get("/n/rehearsal/b/lockstep/o").status, 200);
  EXPECT_EQ(TestCaller(region().port(), IamRegion::tenancy() + "/fed-x509/00:11", leaf)
                .post("/v1/x509", request)
                .status,
            401);
}

}  // namespace
}  // namespace lockstep::testing
