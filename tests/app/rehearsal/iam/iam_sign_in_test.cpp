// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of sessions, instances and job runs as the wire has them (oci-rest-contract 1.5 to 1.7).
#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "tests/app/rehearsal/iam/iam_region.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

class IamSignIn : public IamSuite<IamSignIn> {};

TEST_F(IamSignIn, ASessionIsRenewedWithItsOwnToken) {
  const TestResponse begun = region().admin("POST", "/rehearsal/sessions", {{"minutes", 5}});
  ASSERT_EQ(begun.status, 200) << begun.body;
  const KeyHandle key = keyFrom(begun.json()["privateKey"].get<std::string>());
  const std::string token = begun.json()["token"];
  const TestCaller caller(region().port(), "ST$" + token, key);
  EXPECT_EQ(caller.get("/20190101/jobs?compartmentId=" + region().place("compartmentId")).status, 200);
  const TestResponse refreshed = caller.post("/v1/authentication/refresh", {{"currentToken", token}});
  ASSERT_EQ(refreshed.status, 200) << refreshed.body;
  const std::string next = refreshed.json()["token"];
  EXPECT_NE(next, token);
  EXPECT_EQ(TestCaller(region().port(), "ST$" + next, key).get("/n/").status, 200);
  EXPECT_EQ(caller.post("/v1/authentication/refresh", {{"currentToken", "no token"}}).status, 401);
  const IamRegion::User other = region().makeUser("other", json::array());
  EXPECT_EQ(other.caller.post("/v1/authentication/refresh", {{"currentToken", token}}).status, 401);
}

// A token is refused as soon as it is over, changed, or its user gone; each time with the same words.
TEST_F(IamSignIn, ATokenThatIsOverChangedOrWithoutItsUserIsNotAuthenticated) {
  const IamRegion::User user = region().makeUser("short-lived", json::array());
  const json begun =
      region().admin("POST", "/rehearsal/sessions", {{"minutes", 5}, {"userId", user.id}}).json();
  const KeyHandle key = keyFrom(begun["privateKey"].get<std::string>());
  const std::string token = begun["token"];
  TestCaller caller(region().port(), "ST$" + token, key);
  EXPECT_EQ(caller.get("/n/").status, 200);
  const auto expectRefused = [&](const TestCaller& who, const char* why) {
    const TestResponse response = who.get("/n/");
    EXPECT_EQ(response.status, 401) << why;
    EXPECT_EQ(response.code(), "NotAuthenticated") << why;
    EXPECT_EQ(response.json()["message"],
              "The required information to complete authentication was not provided or was incorrect.");
  };
  std::string changed = token;
  const std::size_t claim = changed.find('.') + 20;
  changed[claim] = changed[claim] == 'A' ? 'B' : 'A';
  expectRefused(TestCaller(region().port(), "ST$" + changed, key), "its claims were changed");
  const KeyHandle stranger(EVP_RSA_gen(2048), EVP_PKEY_free);
  expectRefused(TestCaller(region().port(), "ST$" + token, stranger), "another key signs");
  const auto setAhead = [&](const json& faults) {
    const json plan{{"seed", 1}, {"faults", faults}};
    ASSERT_EQ(region().admin("PUT", "/rehearsal/faults", plan).status, 200);
  };
  json skew = json::array();
  skew.push_back({{"kind", "clock-skew"}, {"delay", 301}});
  setAhead(skew);
  caller.clockError = std::chrono::seconds(301);
  expectRefused(caller, "its five minutes are over");
  setAhead(json::array());
  caller.clockError = std::chrono::seconds(0);
  EXPECT_EQ(caller.get("/n/").status, 200);
  EXPECT_EQ(region().root().send("DELETE", "/20160918/users/" + user.id).status, 204);
  expectRefused(caller, "its user was deleted");
}

/// What a compute instance finds at its metadata service.
struct InstanceParts {
  std::string id, path, certificate, intermediate;
  KeyHandle leaf;
};

class IamInstance : public IamSuite<IamInstance> {
 protected:
  static TestResponse metadata(const std::string& target) {
    return region().plain("GET", target, {{"Authorization", "Bearer Oracle"}});
  }
  static InstanceParts makeInstance() {
    const json body{{"compartmentId", region().place("compartmentId")}};
    const json made = region().admin("POST", "/rehearsal/instances", body).json();
    const std::string path = made["metadataPath"].get<std::string>() + "/identity/";
    return {made["instanceId"], made["metadataPath"], metadata(path + "cert.pem").body,
            metadata(path + "intermediate.pem").body, keyFrom(metadata(path + "key.pem").body)};
  }
  static TestResponse signIn(const InstanceParts& parts, const std::string& keyId, EVP_PKEY* session) {
    const json request{{"certificate", withoutArmour(parts.certificate)},
                       {"publicKey", withoutArmour(publicPemOf(session))},
                       {"intermediateCertificates", {withoutArmour(parts.intermediate)}},
                       {"purpose", "DEFAULT"}};
    return TestCaller(region().port(), keyId, parts.leaf).post("/v1/x509", request);
  }
};

std::string fingerprintOf(const std::string& pem, const EVP_MD* method, const char* format,
                          const char* colon) {
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  X509_digest(certificate, method, digest, &size);
  X509_free(certificate);
  BIO_free(bio);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    char pair[4];
    std::snprintf(pair, sizeof pair, format, digest[i]);
    text += (i == 0 ? "" : colon) + std::string(pair);
  }
  return text;
}

TEST_F(IamInstance, FindsItselfAtTheMetadataService) {
  const InstanceParts parts = makeInstance();
  const std::string& path = parts.path;
  EXPECT_EQ(path.find(parts.id), std::string::npos) << "an id is no secret";
  EXPECT_EQ(metadata("/metadata/" + parts.id + "/opc/v2/instance/id").status, 404);
  EXPECT_EQ(region().plain("GET", path + "/instance/id", {}).status, 401) << "without Bearer Oracle";
  EXPECT_EQ(metadata(path + "/instance/id").body, parts.id);
  EXPECT_EQ(metadata("/opc/v2/instance/region").body, "rehearsal");
  EXPECT_EQ(metadata(path + "/instance/regionInfo").json()["regionIdentifier"], "rehearsal");
  EXPECT_EQ(metadata(path + "/identity/cert.pem").body, parts.certificate) << "it does not rotate at once";
}

TEST_F(IamInstance, SignsInWithItsCertificateAsEachSdkNamesIt) {
  const InstanceParts parts = makeInstance();
  const KeyHandle session(EVP_RSA_gen(2048), EVP_PKEY_free);
  const std::string names[] = {
      "/fed-x509/" + fingerprintOf(parts.certificate, EVP_sha1(), "%02X", ":"),          // Python
      "/fed-x509/" + fingerprintOf(parts.certificate, EVP_sha1(), "%02x", ""),           // TypeScript
      "/fed-x509-sha256/" + fingerprintOf(parts.certificate, EVP_sha256(), "%02x", ":")  // Go
  };
  for (const std::string& name : names) {
    const TestResponse answer = signIn(parts, IamRegion::tenancy() + name, session.get());
    ASSERT_EQ(answer.status, 200) << name << ": " << answer.body;
    const TestCaller instance(region().port(), "ST$" + answer.json()["token"].get<std::string>(), session);
    EXPECT_EQ(instance.get("/n/").status, 200) << name;
    const TestCaller bare(region().port(), IamRegion::tenancy() + name, parts.leaf);
    EXPECT_EQ(bare.get("/n/").status, 401) << "the certificate opens nothing but the sign-in";
  }
  EXPECT_EQ(signIn(parts, IamRegion::tenancy() + "/fed-x509/00:11", session.get()).status, 401);
  const InstanceParts other = makeInstance();
  InstanceParts mixed = parts;
  mixed.certificate = other.certificate;
  EXPECT_EQ(signIn(mixed, IamRegion::tenancy() + names[0], session.get()).status, 401)
      << "the certificate is another's";
}

TEST_F(IamInstance, MayWhatItsDynamicGroupMay) {
  const InstanceParts parts = makeInstance();
  const KeyHandle session(EVP_RSA_gen(2048), EVP_PKEY_free);
  const std::string name = "/fed-x509/" + fingerprintOf(parts.certificate, EVP_sha1(), "%02X", ":");
  const json answer = signIn(parts, IamRegion::tenancy() + name, session.get()).json();
  const TestCaller instance(region().port(), "ST$" + answer["token"].get<std::string>(), session);
  EXPECT_EQ(instance.get("/n/rehearsal/b/lockstep/o").status, 404);
  const json group{{"compartmentId", IamRegion::tenancy()},
                   {"name", "machines"},
                   {"description", "d"},
                   {"matchingRule", "instance.compartment.id = '" + region().place("compartmentId") + "'"}};
  ASSERT_EQ(region().root().post("/20160918/dynamicGroups", group).status, 200);
  region().policy("machines", {"Allow dynamic-group machines to read objects in compartment lockstep"});
  EXPECT_EQ(instance.get("/n/rehearsal/b/lockstep/o").status, 200);
  EXPECT_EQ(instance.send("PUT", "/n/rehearsal/b/lockstep/o/x", "1").status, 404);
}

}  // namespace
}  // namespace lockstep::testing
