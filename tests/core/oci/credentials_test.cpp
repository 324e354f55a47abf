// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/credentials.h"

#include <gtest/gtest.h>
#include <openssl/ec.h>

#include "base/text/encoding.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/session_token.h"
#include "oci_test_support.h"
#include "temp_dir.h"

namespace lockstep::oci {
namespace {

std::string jwt(std::int64_t exp, const std::string& mark) {
  return toBase64Url(R"({"alg":"RS256"})") + "." + toBase64Url(R"({"exp":)" + std::to_string(exp) + "}") +
         "." + mark;
}

class CredentialsTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(writeFileAtomically(dir_.path() / name, text, 0600));
    return (dir_.path() / name).string();
  }
  Profile profile(const std::string& pem) {
    Profile p;
    p.name = "P";
    p.configFile = dir_.path() / "config";
    p.tenancy = "T";
    p.user = "U";
    p.fingerprint = kSampleFingerprint;
    p.keyFile = write("key.pem", pem);
    return p;
  }
  TempDir dir_;
};

TEST(SessionToken, AnEndThatNoCalendarHoldsIsTheFarthestOne) {
  const auto endOf = [](const std::string& exp) {
    return expiryOfToken(toBase64Url("{}") + "." + toBase64Url(R"({"exp":)" + exp + "}") + ".s");
  };
  EXPECT_EQ(endOf("1000"), TimePoint(std::chrono::seconds(1000)));
  EXPECT_EQ(endOf("1000.9"), TimePoint(std::chrono::seconds(1000)));
  const TimePoint soon = TimePoint(std::chrono::sys_days(std::chrono::year(2100) / 1 / 1));
  for (const char* exp : {"99999999999", "9223372036854775807", "18446744073709551615", "1e300"})
    EXPECT_GT(endOf(exp).value(), soon) << exp;
  for (const char* exp : {"0", "-1", "-9223372036854775808", "-1e300"})
    EXPECT_EQ(endOf(exp), TimePoint()) << exp;
  for (const char* exp : {"\"1000\"", "null", "[]"}) EXPECT_FALSE(endOf(exp)) << exp;
}

TEST_F(CredentialsTest, ReadsEveryFormOfKey) {
  const auto key = sampleKey();
  std::string crlf;
  for (char c : samplePem()) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const std::tuple<const char*, std::string, std::string> cases[] = {
      {"PKCS#1", samplePem(), ""},
      {"PKCS#1 with a pass phrase that nobody asked for", samplePem(), "unused"},
      {"CRLF", crlf, ""},
      {"from the console", samplePem() + "OCI_API_KEY\n", ""},
      {"text before", "Bag Attributes\n  friendlyName: x\n" + samplePem(), ""},
      {"PKCS#8", pemOf(key.get(), PemForm::Pkcs8), ""},
      {"encrypted PKCS#8", pemOf(key.get(), PemForm::EncryptedPkcs8, "pass phrase"), "pass phrase"},
      {"encrypted PKCS#1", pemOf(key.get(), PemForm::EncryptedTraditional, "pass phrase"), "pass phrase"},
  };
  for (const auto& [why, pem, phrase] : cases) {
    Profile p = profile(pem);
    p.passPhrase = Secret(phrase);
    const auto credentials = credentialsFor(p);
    ASSERT_TRUE(credentials) << why << ": " << describe(credentials.error());
    const auto identity = (*credentials)->current();
    ASSERT_TRUE(identity);
    EXPECT_EQ(identity->keyId, "T/U/" + kSampleFingerprint);
    EXPECT_EQ(fingerprintOf(identity->key.get()), kSampleFingerprint) << why;
    EXPECT_EQ((*credentials)->doubts(), "");
  }
}

TEST_F(CredentialsTest, ExplainsKeysThatCannotBeUsed) {
  const auto key = sampleKey();
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> ec(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  std::string damaged = samplePem();
  damaged.replace(200, 40, 40, 'A');
  const std::tuple<std::string, std::string, const char*> cases[] = {
      {pemOf(key.get(), PemForm::EncryptedPkcs8, "right"), "", "no pass phrase"},
      {pemOf(key.get(), PemForm::EncryptedTraditional, "right"), "", "no pass phrase"},
      {pemOf(key.get(), PemForm::EncryptedPkcs8, "right"), "wrong", "does not open it"},
      {pemOf(key.get(), PemForm::EncryptedTraditional, "right"), "wrong", "does not open it"},
      {pemOf(key.get(), PemForm::EncryptedPkcs8, "right"), std::string(5000, 'x'), "does not open it"},
      {pemOf(key.get(), PemForm::Public), "", "public key"},
      {pemOf(ec.get(), PemForm::Pkcs8), "", "not an RSA key"},
      {"-----BEGIN OPENSSH PRIVATE KEY-----\nxx\n-----END OPENSSH PRIVATE KEY-----\n", "", "OpenSSH"},
      {"hello", "", "no PEM key"},
      {"", "", "no PEM key"},
      {damaged, "", "damaged"},
  };
  for (const auto& [pem, phrase, reason] : cases) {
    Profile p = profile(pem);
    p.passPhrase = Secret(phrase);
    const auto credentials = credentialsFor(p);
    ASSERT_FALSE(credentials) << reason;
    EXPECT_EQ(credentials.error().code, ErrorCode::InvalidArgument);
    const std::string text = describe(credentials.error());
    EXPECT_NE(text.find(reason), std::string::npos) << text;
    EXPECT_NE(text.find("key.pem"), std::string::npos) << text;
    EXPECT_NE(text.find("[P]"), std::string::npos) << text;
  }
}

TEST_F(CredentialsTest, NamesAMissingKeyFile) {
  Profile p = profile("x");
  p.keyFile = dir_.path() / "gone.pem";
  const auto credentials = credentialsFor(p);
  ASSERT_FALSE(credentials);
  EXPECT_EQ(credentials.error().code, ErrorCode::NotFound);
  EXPECT_NE(credentials.error().what.find("gone.pem"), std::string::npos);
  EXPECT_NE(credentials.error().remedy.find("key_file"), std::string::npos);
}

TEST_F(CredentialsTest, AWrongFingerprintIsADoubtNotAFailure) {
  Profile p = profile(samplePem());
  p.fingerprint = "00:11";
  const auto credentials = credentialsFor(p);
  ASSERT_TRUE(credentials);
  EXPECT_EQ((*credentials)->current()->keyId, "T/U/00:11");
  EXPECT_NE((*credentials)->doubts().find(kSampleFingerprint), std::string::npos);
}

TEST_F(CredentialsTest, ASessionTokenIsReadAgainEachTime) {
  Profile p = profile(samplePem());
  const std::string first = jwt(99'999'999'999, "one");
  p.signIn = SignInKind::SecurityToken;
  p.securityTokenFile = write("token", first + "\r\n");
  const auto credentials = credentialsFor(p);
  ASSERT_TRUE(credentials) << describe(credentials.error());
  EXPECT_EQ((*credentials)->current()->keyId, "ST$" + first);
  EXPECT_FALSE((*credentials)->refresh("ST$" + first)) << "nothing has changed on disk";
  const std::string second = jwt(99'999'999'999, "two");
  write("token", second);
  EXPECT_TRUE((*credentials)->refresh("ST$" + first));
  EXPECT_EQ((*credentials)->current()->keyId, "ST$" + second);
}

TEST_F(CredentialsTest, AnEndedOrMissingSessionSaysHowToLogIn) {
  Profile p = profile(samplePem());
  p.signIn = SignInKind::SecurityToken;
  p.securityTokenFile = write("token", jwt(1000, "old"));
  const auto ended = credentialsFor(p);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::Unauthenticated);
  EXPECT_NE(describe(ended.error()).find("1970-01-01T00:16:40"), std::string::npos)
      << describe(ended.error());
  EXPECT_NE(ended.error().remedy.find("oci session authenticate --profile-name P"), std::string::npos);
  write("token", "\n");
  EXPECT_EQ(credentialsFor(p).error().code, ErrorCode::Unauthenticated);
  p.securityTokenFile = dir_.path() / "gone";
  const auto missing = credentialsFor(p);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().remedy.find("oci session authenticate"), std::string::npos);
}

class ResourcePrincipalTest : public CredentialsTest {
 protected:
  std::int64_t seconds(std::chrono::nanoseconds ahead) {
    return std::chrono::duration_cast<std::chrono::seconds>((clock_->now() + ahead).time_since_epoch())
        .count();
  }
  std::map<std::string, std::string> environment(const std::string& token, const std::string& key) {
    return {{"OCI_RESOURCE_PRINCIPAL_VERSION", "2.2"},
            {"OCI_RESOURCE_PRINCIPAL_RPST", token},
            {"OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM", key}};
  }
  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
};

TEST_F(ResourcePrincipalTest, TakesFilesAndLiterals) {
  const std::string token = jwt(seconds(std::chrono::hours(1)), "a");
  for (const auto& values :
       {environment(token, samplePem()), environment(write("rpst", token + "\n"), write("k", samplePem()))}) {
    const auto principal = resourcePrincipal(values, clock_);
    ASSERT_TRUE(principal) << describe(principal.error());
    EXPECT_EQ((*principal)->current()->keyId, "ST$" + token);
    EXPECT_EQ(fingerprintOf((*principal)->current()->key.get()), kSampleFingerprint);
  }
  auto encrypted =
      environment(write("rpst", token), write("k", pemOf(sampleKey().get(), PemForm::EncryptedPkcs8, "pp")));
  encrypted["OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM_PASSPHRASE"] = write("phrase", "pp\n");
  EXPECT_TRUE(resourcePrincipal(encrypted, clock_));
  encrypted["OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM_PASSPHRASE"] = "pp";
  EXPECT_NE(describe(resourcePrincipal(encrypted, clock_).error()).find("both"), std::string::npos);
}

TEST_F(ResourcePrincipalTest, ReadsTheFilesAgainBeforeTheTokenEnds) {
  const std::string first = jwt(seconds(std::chrono::minutes(30)), "one");
  const auto principal =
      resourcePrincipal(environment(write("rpst", first), write("k", samplePem())), clock_);
  ASSERT_TRUE(principal);
  const std::string second = jwt(seconds(std::chrono::hours(2)), "two");
  write("rpst", second);
  EXPECT_EQ((*principal)->current()->keyId, "ST$" + first) << "it is still good";
  clock_->advance(std::chrono::minutes(26));
  EXPECT_EQ((*principal)->current()->keyId, "ST$" + second) << "less than five minutes are left";
}

TEST_F(ResourcePrincipalTest, ReadsTheFilesAgainWhenRefused) {
  const std::string first = jwt(seconds(std::chrono::hours(1)), "one");
  const auto principal =
      resourcePrincipal(environment(write("rpst", first), write("k", samplePem())), clock_);
  ASSERT_TRUE(principal);
  EXPECT_FALSE((*principal)->refresh("ST$" + first));
  const std::string second = jwt(seconds(std::chrono::hours(1)), "two");
  write("rpst", second);
  EXPECT_TRUE((*principal)->refresh("ST$" + first));
  EXPECT_EQ((*principal)->current()->keyId, "ST$" + second);
}

TEST_F(ResourcePrincipalTest, SaysWhatIsMissing) {
  const auto reason = [&](const std::map<std::string, std::string>& values) {
    const auto principal = resourcePrincipal(values, clock_);
    return principal ? std::string("it worked") : describe(principal.error());
  };
  EXPECT_NE(reason({}).find("OCI_RESOURCE_PRINCIPAL_VERSION is not set"), std::string::npos);
  EXPECT_NE(reason({{"OCI_RESOURCE_PRINCIPAL_VERSION", "1.1"}}).find("'1.1' is not supported"),
            std::string::npos);
  EXPECT_NE(reason(environment("", "x")).find("OCI_RESOURCE_PRINCIPAL_RPST is not set"), std::string::npos);
  EXPECT_NE(reason(environment("x", "")).find("OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM is not set"),
            std::string::npos);
  EXPECT_NE(reason(environment("/none/rpst", "/none/key")).find("'/none/rpst' (OCI_RESOURCE_PRINCIPAL_RPST)"),
            std::string::npos);
}

}  // namespace
}  // namespace lockstep::oci
