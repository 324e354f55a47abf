// SPDX-License-Identifier: GPL-3.0-or-later
// Walks every way of failing that has a secret at hand, and looks for the secret in what is said.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text/encoding.h"
#include "oci/services/data_science_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/signin/profile_findings.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/config_file.h"
#include "oci_test_support.h"
#include "temp_dir.h"

namespace lockstep::oci {
namespace {

constexpr const char* kPhrase = "canary-pass-phrase";
constexpr const char* kToken = "canary-session-token";

class SecretsTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(writeFileAtomically(dir_.path() / name, text, 0600));
    return (dir_.path() / name).string();
  }

  void expectSilent(const std::string& text) {
    ++checked_;
    EXPECT_EQ(text.find("canary"), std::string::npos) << text;
    // Any line of the key will do: whoever prints some of it prints a line.
    for (const char* line :
         {"MIICXgIBAAKBgQDCFENGw33yGihy92pDjZQhl0C36rPJj", "gIT7aFOYBFwGgQAQkWNKLvySgKbAZRTeLBacpHMuQdl1"}) {
      EXPECT_EQ(text.find(line), std::string::npos) << text;
    }
  }
  template <class T>
  void expectSilentFailure(const Result<T>& result) {
    ASSERT_FALSE(result);
    expectSilent(describe(result.error()));
  }

  Profile profile(const std::string& pem) {
    Profile p;
    p.name = "P";
    p.configFile = write("config", "x");
    p.tenancy = "T";
    p.user = "U";
    p.fingerprint = "00:11";
    p.region = "iad";
    p.keyFile = write("key.pem", pem);
    p.passPhrase = Secret(kPhrase);
    return p;
  }

  TempDir dir_;
  int checked_ = 0;
};

TEST_F(SecretsTest, ConfigFilesThatCannotBeRead) {
  const std::string phrase = std::string("pass_phrase=") + kPhrase + "\n";
  for (const std::string& text : {phrase, "[P]\n" + phrase + phrase, "[P]\n" + std::string(kPhrase) + "\n",
                                  "[P]\n" + phrase + "[P\n"}) {
    expectSilentFailure(ConfigFile::parse(text, "/c"));
  }
  const std::string file = write("c", "[P]\n" + phrase);
  expectSilentFailure(loadProfile({file, "P"}, {{"HOME", dir_.path().string()}}));
  expectSilentFailure(
      loadProfile({file, "Q"}, {{"HOME", dir_.path().string()}, {"OCI_CLI_PASSPHRASE", kPhrase}}));
  EXPECT_EQ(checked_, 6);
}

TEST_F(SecretsTest, KeysThatCannotBeUsed) {
  std::string damaged = samplePem();
  damaged.replace(400, 30, 30, 'A');
  for (const std::string& pem :
       {damaged, samplePem().substr(20), pemOf(sampleKey().get(), PemForm::EncryptedPkcs8, "other"),
        pemOf(sampleKey().get(), PemForm::EncryptedTraditional, "other")}) {
    const Profile p = profile(pem);
    expectSilentFailure(credentialsFor(p));
    for (const auto& issue : explainProfile(p)) expectSilent(describe(issue, "config"));
    Profile literal = p;
    literal.keyContent = Secret(pem);
    expectSilentFailure(credentialsFor(literal));
    expectSilentFailure(resourcePrincipal({{"OCI_RESOURCE_PRINCIPAL_VERSION", "2.2"},
                                           {"OCI_RESOURCE_PRINCIPAL_RPST", kToken},
                                           {"OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM", pem},
                                           {"OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM_PASSPHRASE", kPhrase}},
                                          std::make_shared<FakeClock>()));
  }
  EXPECT_GT(checked_, 12);
}

TEST_F(SecretsTest, EndedSessions) {
  Profile p = profile(samplePem());
  p.signIn = SignInKind::SecurityToken;
  p.securityTokenFile =
      write("token", std::string(kToken) + "." + toBase64Url(R"({"exp":1})") + "." + kToken);
  expectSilentFailure(credentialsFor(p));
  for (const auto& issue : explainProfile(p)) expectSilent(describe(issue, "config"));
}

TEST_F(SecretsTest, RefusedAndFailedRequests) {
  std::atomic<int> status{401};
  LoopbackServer server([&](const httplib::Request&, httplib::Response& out) {
    refuseWith(out, status, status == 401 ? "NotAuthenticated" : "InvalidParameter", "refused");
  });
  Profile p = profile(pemOf(sampleKey().get(), PemForm::EncryptedPkcs8, kPhrase));
  p.endpoint = server.url();
  for (const bool session : {false, true}) {
    if (session) p.signIn = SignInKind::SecurityToken;
    if (session) p.securityTokenFile = write("token", kToken);
    const auto services = openServiceClient(p);
    ASSERT_TRUE(services) << describe(services.error());
    DataScienceClient client(*services);
    for (const int code : {401, 400}) {
      status = code;
      expectSilentFailure(client.getJob("j", {}));
      expectSilentFailure(client.createJob({{"a", kToken}}, "retry", {}));
    }
  }
  p.endpoint = "http://127.0.0.1:" + std::to_string(closedPort());
  ServiceClient::Setup setup;
  setup.endpoint = p.endpoint;
  setup.credentials = *credentialsFor(p);
  setup.http = makeCurlHttpClient();
  setup.clock = std::make_shared<FakeClock>();
  expectSilentFailure(DataScienceClient(std::make_shared<ServiceClient>(setup)).getJob("j", {}));
}

}  // namespace
}  // namespace lockstep::oci
