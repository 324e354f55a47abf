// SPDX-License-Identifier: GPL-3.0-or-later
// Pass phrases, sessions that are renewed, instance principals and delegation tokens (oci-rest-contract 1.4,
// 1.5, 1.7).
#include <gtest/gtest.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "base/text/encoding.h"
#include "oci/services/data_science_client.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/credentials.h"
#include "oci/signing/session_token.h"
#include "oci_test_support.h"
#include "temp_dir.h"

namespace lockstep::oci {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

std::string jwt(TimePoint expiry, const std::string& mark) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(expiry.time_since_epoch()).count();
  return toBase64Url(R"({"alg":"RS256"})") + "." + toBase64Url(json{{"exp", seconds}}.dump()) + "." + mark;
}

/// Answers what it was given, and remembers what it was told.
class ScriptedPhrases final : public PassPhraseSource {
 public:
  explicit ScriptedPhrases(std::vector<std::string> phrases) : phrases_(std::move(phrases)) {}
  Result<Secret> ask(const PassPhraseQuestion& question) override {
    questions.push_back(question);
    if (phrases_.empty()) return failure(ErrorCode::Cancelled, "no pass phrase", "none was entered");
    Secret phrase(phrases_.front());
    phrases_.erase(phrases_.begin());
    return phrase;
  }
  void answered(const PassPhraseQuestion&, const Secret&, bool opened) override { told.push_back(opened); }
  std::vector<PassPhraseQuestion> questions;
  std::vector<bool> told;

 private:
  std::vector<std::string> phrases_;
};

class SignInTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(writeFileAtomically(dir_.path() / name, text, 0600));
    return (dir_.path() / name).string();
  }
  Profile profile(const std::string& pem) {
    Profile p;
    p.name = "P";
    p.tenancy = "T";
    p.user = "U";
    p.fingerprint = kSampleFingerprint;
    p.region = "us-ashburn-1";
    p.keyFile = write("key.pem", pem);
    return p;
  }
  SigningIn in(Environment environment = {{"HOME", "/nonexistent"}}) {
    return {makeCurlHttpClient(), clock_, nullptr, std::move(environment)};
  }
  TempDir dir_;
  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
};

TEST_F(SignInTest, APassPhraseIsAskedForOnlyWhenItIsNeeded) {
  const std::string locked = pemOf(sampleKey().get(), PemForm::EncryptedPkcs8, "right");
  auto phrases = std::make_shared<ScriptedPhrases>(std::vector<std::string>{"wrong", "right"});
  Profile p = profile(samplePem());
  p.passPhrases = phrases;
  EXPECT_TRUE(credentialsFor(p)) << "an open key needs none";
  p.keyFile = write("locked.pem", locked);
  p.passPhrase = Secret("right");
  EXPECT_TRUE(credentialsFor(p)) << "the profile has one";
  EXPECT_TRUE(phrases->questions.empty());
  p.passPhrase = Secret();
  const auto opened = credentialsFor(p);
  ASSERT_TRUE(opened) << describe(opened.error());
  ASSERT_EQ(phrases->questions.size(), 2U);
  EXPECT_EQ(phrases->questions[0].keyFile, p.keyFile);
  EXPECT_EQ(phrases->questions[0].profile, "P");
  EXPECT_EQ(phrases->questions[1].attempt, 2);
  EXPECT_EQ(phrases->told, (std::vector<bool>{false, true}));
}

TEST_F(SignInTest, ThreeWrongPassPhrasesOrNoneAreTheEnd) {
  Profile p = profile(pemOf(sampleKey().get(), PemForm::EncryptedTraditional, "right"));
  auto phrases = std::make_shared<ScriptedPhrases>(std::vector<std::string>{"a", "b", "c", "right"});
  p.passPhrases = phrases;
  const auto wrong = credentialsFor(p);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(phrases->questions.size(), 3U);
  EXPECT_NE(describe(wrong.error()).find("does not open it"), std::string::npos);
  p.passPhrases = std::make_shared<ScriptedPhrases>(std::vector<std::string>());
  const auto none = credentialsFor(p);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::Cancelled);
  EXPECT_NE(none.error().what.find("encrypted"), std::string::npos);
}

class SessionTest : public SignInTest {
 protected:
  Profile session(const std::string& endpoint, const std::string& token) {
    Profile p = profile(samplePem());
    p.signIn = SignInKind::SecurityToken;
    p.endpoint = endpoint;
    p.securityTokenFile = write("token", token);
    return p;
  }
};

TEST_F(SessionTest, IsRenewedWhenFewMinutesAreLeft) {
  const std::string old = jwt(clock_->now() + 4min, "old");
  const std::string renewed = jwt(clock_->now() + 1h, "new");
  LoopbackServer server([&](const httplib::Request&, httplib::Response& out) {
    out.set_content(json{{"token", renewed}}.dump(), "application/json");
  });
  const Profile p = session(server.url(), old);
  const auto credentials = credentialsFor(p, in());
  ASSERT_TRUE(credentials) << describe(credentials.error());
  EXPECT_EQ((*credentials)->current()->keyId, "ST$" + renewed);
  EXPECT_EQ(*readFile(p.securityTokenFile), renewed);
  struct stat info {};
  ASSERT_EQ(::stat(p.securityTokenFile.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  ASSERT_EQ(server.count(), 1U);
  const auto seen = server.seen()[0];
  EXPECT_EQ(seen.method + " " + seen.target, "POST /v1/authentication/refresh");
  EXPECT_EQ(json::parse(seen.body), (json{{"currentToken", old}}));
  EXPECT_NE(seen.get_header_value("Authorization").find("keyId=\"ST$" + old + "\""), std::string::npos);
}

TEST_F(SessionTest, IsLeftAloneWhileItIsGood) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) { out.status = 500; });
  const auto credentials = credentialsFor(session(server.url(), jwt(clock_->now() + 10min, "a")), in());
  ASSERT_TRUE(credentials);
  EXPECT_EQ(server.count(), 0U);
}

TEST_F(SessionTest, ThatIsRenewedNoMoreIsUsedToItsEndAndThenExplained) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    refuseWith(out, 401, "NotAuthenticated", "no");
  });
  const std::string old = jwt(clock_->now() + 4min, "old");
  const auto credentials = credentialsFor(session(server.url(), old), in());
  ASSERT_TRUE(credentials);
  EXPECT_EQ((*credentials)->current()->keyId, "ST$" + old);
  EXPECT_EQ(server.count(), 1U) << "not with every request";
  clock_->advance(2min);
  EXPECT_TRUE((*credentials)->current());
  EXPECT_EQ(server.count(), 2U);
  EXPECT_NE((*credentials)->doubts().find("renews it no more"), std::string::npos);
  clock_->advance(3min);
  const auto ended = (*credentials)->current();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::Unauthenticated);
  EXPECT_NE(ended.error().cause.find("renews it no more"), std::string::npos) << describe(ended.error());
  EXPECT_NE(ended.error().remedy.find("oci session authenticate --profile-name P"), std::string::npos);
}

TEST_F(SessionTest, ThatTheServiceEndsBeforeItsTimeIsNamedWithTheWayOut) {
  LoopbackServer server([](const httplib::Request&, httplib::Response& out) {
    refuseWith(out, 401, "NotAuthenticated", "no");
  });
  ServiceClient::Setup setup;
  setup.endpoint = server.url();
  setup.credentials = *credentialsFor(session(server.url(), jwt(clock_->now() + 1h, "a")), in());
  setup.http = makeCurlHttpClient();
  setup.clock = clock_;
  const auto refused = DataScienceClient(std::make_shared<ServiceClient>(setup)).getJob("j", {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().cause.find("the session of the profile 'P'"), std::string::npos)
      << describe(refused.error());
  EXPECT_EQ(refused.error().remedy.find("fingerprint"), std::string::npos) << "there is no API key";
  EXPECT_NE(refused.error().remedy.find("oci session authenticate --profile-name P"), std::string::npos);
}

/// An instance's metadata service and the authentication service in one.
class Instance {
 public:
  explicit Instance(std::shared_ptr<FakeClock> clock)
      : clock_(std::move(clock)), key_(EVP_RSA_gen(2048), &EVP_PKEY_free) {
    rotate("ocid1.tenancy.oc1..t");
  }
  void rotate(const std::string& tenancy) { certificate_ = certificateOf(tenancy); }
  void answer(const httplib::Request& in, httplib::Response& out) {
    if (in.target == "/v1/x509") {
      if (failures-- > 0) return refuseWith(out, status, "InternalServerError", "not now");
      out.set_content(json{{"token", jwt(clock_->now() + 20min, std::to_string(++tokens))}}.dump(),
                      "application/json");
      return;
    }
    if (in.get_header_value("Authorization") != "Bearer Oracle") return refuseWith(out, 401, "x", "no");
    if (in.target == "/opc/v2/instance/region") return out.set_content("phx\n", "text/plain");
    if (in.target == "/opc/v2/identity/cert.pem" || in.target == "/opc/v2/identity/intermediate.pem")
      return out.set_content(certificate_, "text/plain");
    if (in.target == "/opc/v2/identity/key.pem")
      return out.set_content(pemOf(key_.get(), PemForm::Pkcs8), "text/plain");
    out.status = 404;
  }
  std::atomic<int> failures{0};
  int status = 500;
  std::atomic<int> tokens{0};

 private:
  std::string certificateOf(const std::string& tenancy) {
    const std::unique_ptr<X509, decltype(&X509_free)> leaf(X509_new(), &X509_free);
    X509_gmtime_adj(X509_getm_notBefore(leaf.get()), 0);
    X509_gmtime_adj(X509_getm_notAfter(leaf.get()), 3600);
    X509_set_pubkey(leaf.get(), key_.get());
    X509_NAME* name = X509_get_subject_name(leaf.get());
    const auto add = [&](const char* field, const std::string& value) {
      X509_NAME_add_entry_by_txt(name, field, MBSTRING_ASC,
                                 reinterpret_cast<const unsigned char*>(value.c_str()), -1, -1, 0);
    };
    add("OU", "opc-certtype:instance");
    add("OU", "opc-tenant:" + tenancy);
    X509_sign(leaf.get(), key_.get(), EVP_sha256());
    const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), &BIO_free);
    PEM_write_bio_X509(bio.get(), leaf.get());
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<std::size_t>(size)};
  }
  std::shared_ptr<FakeClock> clock_;
  std::shared_ptr<EVP_PKEY> key_;
  std::string certificate_;
};

class InstancePrincipalTest : public SignInTest {
 protected:
  Profile instanceProfile() {
    Profile p;
    p.name = "I";
    p.signIn = SignInKind::InstancePrincipal;
    p.endpoint = server_.url();
    return p;
  }
  SigningIn onInstance() {
    return in({{"OCI_METADATA_BASE_URL", server_.url() + "/opc/v2/"}, {"HOME", "/nonexistent"}});
  }
  std::vector<httplib::Request> federations() {
    std::vector<httplib::Request> all;
    for (const auto& one : server_.seen()) {
      if (one.target == "/v1/x509") all.push_back(one);
    }
    return all;
  }
  Instance instance_{clock_};
  LoopbackServer server_{[this](const auto& in, auto& out) { instance_.answer(in, out); }};
};

TEST_F(InstancePrincipalTest, SignsInWithItsCertificate) {
  const auto principal = credentialsFor(instanceProfile(), onInstance());
  ASSERT_TRUE(principal) << describe(principal.error());
  const auto identity = (*principal)->current();
  ASSERT_TRUE(identity);
  EXPECT_TRUE(identity->keyId.starts_with("ST$")) << identity->keyId;
  EXPECT_EQ((*principal)->region(), "phx");
  ASSERT_EQ(federations().size(), 1U);
  const auto seen = federations()[0];
  const std::string authorization = seen.get_header_value("Authorization");
  EXPECT_NE(authorization.find("keyId=\"ocid1.tenancy.oc1..t/fed-x509-sha256/"), std::string::npos);
  EXPECT_NE(
      authorization.find("headers=\"date (request-target) content-length content-type x-content-sha256\""),
      std::string::npos);
  const json body = json::parse(seen.body);
  EXPECT_EQ(body["fingerprintAlgorithm"], "SHA256");
  for (const char* field : {"certificate", "publicKey"}) {
    EXPECT_EQ(body[field].get<std::string>().find_first_of("-\n"), std::string::npos) << field;
    EXPECT_TRUE(fromBase64(body[field].get<std::string>())) << field;
  }
  EXPECT_EQ(body["intermediateCertificates"].size(), 1U);
}

TEST_F(InstancePrincipalTest, TakesANewTokenBeforeTheOldOneEndsAndWhenRefused) {
  const auto principal = credentialsFor(instanceProfile(), onInstance());
  ASSERT_TRUE(principal);
  const auto first = (*principal)->current();
  clock_->advance(10min);
  EXPECT_EQ((*principal)->current()->keyId, first->keyId);
  clock_->advance(6min);
  const auto second = (*principal)->current();
  EXPECT_NE(second->keyId, first->keyId);
  EXPECT_NE(second->key, first->key) << "a session key of its own";
  EXPECT_TRUE((*principal)->refresh(second->keyId));
  EXPECT_NE((*principal)->current()->keyId, second->keyId);
}

TEST_F(InstancePrincipalTest, RefusesACertificateOfAnotherTenancy) {
  const auto principal = credentialsFor(instanceProfile(), onInstance());
  ASSERT_TRUE(principal);
  instance_.rotate("ocid1.tenancy.oc1..other");
  clock_->advance(30min);
  const auto identity = (*principal)->current();
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error().code, ErrorCode::PermissionDenied);
  EXPECT_NE(identity.error().cause.find("other"), std::string::npos);
}

TEST_F(InstancePrincipalTest, TriesThreeTimesButNotAfterARefusal) {
  instance_.failures = 2;
  EXPECT_TRUE(credentialsFor(instanceProfile(), onInstance()));
  EXPECT_EQ(federations().size(), 3U);
  instance_.failures = 3;
  EXPECT_FALSE(credentialsFor(instanceProfile(), onInstance()));
  EXPECT_EQ(federations().size(), 6U);
  instance_.failures = 1;
  instance_.status = 404;
  const auto refused = credentialsFor(instanceProfile(), onInstance());
  ASSERT_FALSE(refused);
  EXPECT_EQ(federations().size(), 7U);
  ASSERT_TRUE(refused.error().service);
  EXPECT_EQ(refused.error().service->requestId, "SERVER/ID/1");
}

TEST_F(InstancePrincipalTest, SaysThatThisIsNoInstance) {
  const auto none = credentialsFor(
      instanceProfile(),
      in({{"OCI_METADATA_BASE_URL", "http://127.0.0.1:" + std::to_string(closedPort()) + "/opc/v2"}}));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::FailedPrecondition);
  EXPECT_NE(none.error().remedy.find("compute instance"), std::string::npos);
  EXPECT_FALSE(credentialsFor(instanceProfile(), {nullptr, clock_, nullptr, {{"A", "b"}}}))
      << "nothing may be sent";
}

TEST_F(InstancePrincipalTest, ADelegationTokenIsSignedWithEachRequest) {
  Profile p = instanceProfile();
  p.signIn = SignInKind::InstanceDelegation;
  p.delegationTokenFile = write("obo", "user-token\n");
  const auto credentials = credentialsFor(p, onInstance());
  ASSERT_TRUE(credentials) << describe(credentials.error());
  HttpRequest request{"GET", "http://127.0.0.1:1/n", {}, {}};
  ASSERT_TRUE(signRequest(request, *(*credentials)->current(), clock_->now(), BodySigning::Signed));
  EXPECT_EQ(headerValue(request.headers, "opc-obo-token"), "user-token");
  EXPECT_NE(headerValue(request.headers, "authorization").find("host opc-obo-token\""), std::string::npos);
  write("obo", "another");
  EXPECT_EQ((*credentials)->current()->headers[0].second, "another") << "read again each time";
  p.delegationTokenFile = dir_.path() / "gone";
  EXPECT_NE(describe(credentialsFor(p, onInstance()).error()).find("delegation_token_file"),
            std::string::npos);
}

}  // namespace
}  // namespace lockstep::oci
