// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/profile.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/text/encoding.h"
#include "oci/signin/profile_findings.h"
#include "oci/signin/sign_in.h"
#include "oci_test_support.h"
#include "temp_dir.h"

namespace lockstep::oci {
namespace {

class ProfileTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text, mode_t mode = 0600) {
    const auto path = dir_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    EXPECT_TRUE(writeFileAtomically(path, text, mode));
    return path.string();
  }
  Environment environment(Environment more = {}) {
    more.emplace("HOME", dir_.path().string());
    return more;
  }
  std::string full(const std::string& name) {
    return "[" + name +
           "]\nuser=ocid1.user.oc1..u\ntenancy=ocid1.tenancy.oc1..t\nfingerprint=" + kSampleFingerprint +
           "\nkey_file=~/key.pem\nregion=us-ashburn-1\n";
  }
  static std::vector<std::string> codes(const Profile& profile) {
    std::vector<std::string> all;
    for (const auto& issue : explainProfile(profile)) all.push_back(issue.code);
    return all;
  }
  static bool has(const std::vector<std::string>& all, const std::string& code) {
    return std::find(all.begin(), all.end(), code) != all.end();
  }
  TempDir dir_;
};

TEST_F(ProfileTest, ChoosesTheFileAndTheProfile) {
  const std::string home = dir_.path().string();
  const auto file = [&](const ProfileQuery& q, const Environment& e) {
    return resolved(q, environment(e)).configFile;
  };
  const auto name = [&](const ProfileQuery& q, const Environment& e) {
    return resolved(q, environment(e)).profile;
  };
  EXPECT_EQ(file({}, {}), home + "/.oci/config");
  EXPECT_EQ(file({}, {{"OCI_CONFIG_FILE", "/a"}}), "/a");
  EXPECT_EQ(file({}, {{"OCI_CONFIG_FILE", "/a"}, {"OCI_CLI_CONFIG_FILE", "~/b"}}), home + "/b");
  EXPECT_EQ(file({"/c", ""}, {{"OCI_CLI_CONFIG_FILE", "/b"}}), "/c");
  EXPECT_EQ(name({}, {}), "DEFAULT");
  EXPECT_EQ(name({}, {{"OCI_CLI_PROFILE", "A"}}), "A");
  EXPECT_EQ(name({"", "B"}, {{"OCI_CLI_PROFILE", "A"}}), "B");
  write(".oci/oci_cli_rc", "[OCI_CLI_SETTINGS]\ndefault_profile = RC\n");
  EXPECT_EQ(name({}, {}), "RC");
  EXPECT_EQ(name({}, {{"OCI_CLI_PROFILE", "A"}}), "A");
  write(".oraclebmc/config", full("DEFAULT"));
  EXPECT_EQ(file({}, {}), home + "/.oraclebmc/config");
  write(".oci/config", full("DEFAULT"));
  EXPECT_EQ(file({}, {}), home + "/.oci/config");
}

TEST_F(ProfileTest, LoadsAProfile) {
  write(".oci/config", full("DEFAULT") + "[R]\nregion=rehearsal\nlockstep_endpoint=http://127.0.0.1:8080/\n");
  const auto profile = loadProfile({"", "R"}, environment());
  ASSERT_TRUE(profile) << describe(profile.error());
  EXPECT_EQ(profile->name, "R");
  EXPECT_EQ(profile->user, "ocid1.user.oc1..u");
  EXPECT_EQ(profile->region, "rehearsal");
  EXPECT_EQ(profile->endpoint, "http://127.0.0.1:8080");
  EXPECT_EQ(profile->keyFile, dir_.path() / "key.pem");
  EXPECT_EQ(profile->configFile, dir_.path() / ".oci/config");
}

TEST_F(ProfileTest, ReadsTheEndpointOfEarlierVersionsAndLeavesOraclesMeaningOfItAlone) {
  write("c", full("OLD") + "endpoint=https://127.0.0.1:8443\n" + full("BOTH") +
                 "endpoint=oraclecloud.com\nlockstep_endpoint=http://127.0.0.1:1\n" + full("ORACLE") +
                 "endpoint=oraclecloud.com\n" + full("ELSEWHERE") + "endpoint=https://example.com\n");
  const auto endpoint = [&](const char* profile) {
    const auto loaded = loadProfile({(dir_.path() / "c").string(), profile}, environment());
    return loaded ? loaded->endpoint : describe(loaded.error());
  };
  EXPECT_EQ(endpoint("OLD"), "https://127.0.0.1:8443");
  EXPECT_EQ(endpoint("BOTH"), "http://127.0.0.1:1");
  EXPECT_EQ(endpoint("ORACLE"), "");
  EXPECT_EQ(endpoint("ELSEWHERE"), "");
}

TEST_F(ProfileTest, TheEnvironmentOverridesTheFile) {
  write(".oci/config", full("DEFAULT"));
  const auto profile = loadProfile({}, environment({{"OCI_CLI_USER", "U"},
                                                    {"OCI_CLI_TENANCY", "T"},
                                                    {"OCI_CLI_FINGERPRINT", "F"},
                                                    {"OCI_CLI_KEY_FILE", "/k"},
                                                    {"OCI_CLI_PASSPHRASE", "phrase"},
                                                    {"OCI_CLI_REGION", "eu-frankfurt-1"},
                                                    {"OCI_REGION", "ignored"},
                                                    {"OCI_CLI_ENDPOINT", "http://127.0.0.1:1"},
                                                    {"OCI_CLI_CERT_BUNDLE", "~/ca.pem"}}));
  ASSERT_TRUE(profile) << describe(profile.error());
  EXPECT_EQ(profile->user, "U");
  EXPECT_EQ(profile->tenancy, "T");
  EXPECT_EQ(profile->fingerprint, "F");
  EXPECT_EQ(profile->keyFile, "/k");
  EXPECT_EQ(profile->passPhrase.reveal(), "phrase");
  EXPECT_EQ(profile->region, "eu-frankfurt-1");
  EXPECT_EQ(profile->endpoint, "http://127.0.0.1:1");
  EXPECT_EQ(profile->certificateBundle, (dir_.path() / "ca.pem").string());
}

TEST_F(ProfileTest, TheEnvironmentAloneIsEnough) {
  const auto profile = loadProfile({}, environment({{"OCI_CLI_USER", "U"},
                                                    {"OCI_CLI_TENANCY", "T"},
                                                    {"OCI_CLI_FINGERPRINT", "F"},
                                                    {"OCI_CLI_KEY_CONTENT", "PEM"},
                                                    {"OCI_REGION", "iad"}}));
  ASSERT_TRUE(profile) << describe(profile.error());
  EXPECT_EQ(profile->keyContent.reveal(), "PEM");
  EXPECT_EQ(profile->region, "iad");
}

TEST_F(ProfileTest, SaysWhatIsMissing) {
  const std::string config = write(".oci/config", "[DEFAULT]\nuser=u\n[T]\nsecurity_token_file=~/token\n");
  const auto noKey = loadProfile({}, environment());
  ASSERT_FALSE(noKey);
  EXPECT_EQ(noKey.error().code, ErrorCode::InvalidArgument);
  for (const std::string& part :
       {std::string("'DEFAULT'"), config, std::string("tenancy, key_file, fingerprint, region")}) {
    EXPECT_NE(describe(noKey.error()).find(part), std::string::npos) << describe(noKey.error());
  }
  const auto token = loadProfile({"", "T"}, environment());
  ASSERT_FALSE(token);
  EXPECT_EQ(token.error().cause, "missing: tenancy, key_file, region") << "a session needs no fingerprint";
}

TEST_F(ProfileTest, SaysThatThereIsNoFile) {
  const auto none = loadProfile({}, environment());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
  EXPECT_NE(none.error().what.find(".oci/config"), std::string::npos);
  EXPECT_NE(none.error().remedy.find("lockstep rehearsal start"), std::string::npos);
  EXPECT_FALSE(loadProfile({"", "X"}, environment({{"OCI_CLI_TENANCY", "T"}})))
      << "a named profile needs its file";
}

TEST_F(ProfileTest, RefusesWhatItCannotDo) {
  write(".oci/config", full("A") + "authentication_type=oke_workload_identity\n" + full("B") +
                           "lockstep_endpoint=ftp://x\n" + full("C") +
                           "lockstep_endpoint=http://127.0.0.1:1/20190101\n");
  EXPECT_NE(describe(loadProfile({"", "A"}, environment()).error()).find("oke_workload_identity"),
            std::string::npos);
  EXPECT_NE(describe(loadProfile({"", "B"}, environment()).error()).find("neither http nor https"),
            std::string::npos);
  EXPECT_NE(describe(loadProfile({"", "C"}, environment()).error()).find("after the host and the port"),
            std::string::npos);
}

TEST_F(ProfileTest, ListsProfiles) {
  const std::string config = write("c", full("A") + full("B"));
  EXPECT_EQ(*profileNames({config, ""}), (std::vector<std::string>{"A", "B"}));
  EXPECT_TRUE(hasAnyProfile({config, ""}));
  EXPECT_FALSE(hasAnyProfile({config + ".none", ""}));
  EXPECT_FALSE(hasAnyProfile({write("empty", "# nothing yet\n"), ""}));
}

class FindingsTest : public ProfileTest {
 protected:
  Profile good() {
    Profile p;
    p.name = "P";
    p.configFile = write("config", "x");
    p.tenancy = "ocid1.tenancy.oc1..t";
    p.user = "ocid1.user.oc1..u";
    p.fingerprint = kSampleFingerprint;
    p.region = "us-ashburn-1";
    p.keyFile = write("key.pem", samplePem());
    return p;
  }
  Issue find(const Profile& profile, const std::string& code) {
    for (const auto& issue : explainProfile(profile)) {
      if (issue.code == code) return issue;
    }
    ADD_FAILURE() << "no finding " << code;
    return {};
  }
};

TEST_F(FindingsTest, NothingButTheShortSampleKey) {
  EXPECT_EQ(codes(good()), std::vector<std::string>{"short-key"});
}

TEST_F(FindingsTest, ComputesTheFingerprint) {
  Profile p = good();
  p.fingerprint = "20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34";
  const Issue issue = find(p, "fingerprint-mismatch");
  EXPECT_EQ(issue.severity, Severity::Error);
  EXPECT_NE(issue.message.find(kSampleFingerprint), std::string::npos) << issue.message;
  p.fingerprint = "20:3B";
  EXPECT_NE(find(p, "malformed-fingerprint").remedy.find(kSampleFingerprint), std::string::npos);
}

TEST_F(FindingsTest, MentionsFilesThatOthersCanRead) {
  Profile p = good();
  p.keyFile = write("open.pem", samplePem(), 0644);
  p.configFile = write("open-config", "x", 0640);
  const Issue key = find(p, "readable-key");
  EXPECT_EQ(key.severity, Severity::Warning);
  EXPECT_NE(key.remedy.find("chmod 600"), std::string::npos);
  find(p, "readable-config");
  EXPECT_TRUE(credentialsFor(p)) << "a warning refuses nothing";
}

TEST_F(FindingsTest, ExplainsTheKey) {
  Profile p = good();
  p.keyFile = dir_.path() / "none.pem";
  EXPECT_EQ(find(p, "missing-key").severity, Severity::Error);
  p.keyFile = write("public.pem", pemOf(sampleKey().get(), PemForm::Public));
  EXPECT_NE(find(p, "public-key").message.find("public key"), std::string::npos);
  p.keyFile = write("locked.pem", pemOf(sampleKey().get(), PemForm::EncryptedPkcs8, "pass"));
  EXPECT_NE(find(p, "pass-phrase-needed").message.find("no pass phrase"), std::string::npos);
  p.passPhrase = Secret("wrong");
  EXPECT_NE(find(p, "wrong-pass-phrase").message.find("does not open it"), std::string::npos);
}

TEST_F(FindingsTest, ExplainsPlaceAndOwner) {
  Profile p = good();
  p.tenancy = "mytenancy";
  p.user = "ocid1.tenancy.oc1..t";
  p.region = "us-ashburn-9";
  EXPECT_TRUE(has(codes(p), "odd-ocid"));
  EXPECT_TRUE(has(codes(p), "unknown-region"));
  p.endpoint = "http://127.0.0.1:8080";
  EXPECT_FALSE(has(codes(p), "unknown-region")) << "an endpoint needs no region";
  p.endpoint = "http://10.0.0.1:8080";
  EXPECT_TRUE(has(codes(p), "plain-http"));
}

TEST_F(FindingsTest, ExplainsTheSession) {
  Profile p = good();
  p.signIn = SignInKind::SecurityToken;
  p.securityTokenFile = dir_.path() / "token";
  EXPECT_TRUE(has(codes(p), "missing-token"));
  EXPECT_TRUE(has(codes(p), "user-and-token"));
  p.fingerprint.clear();
  p.user.clear();
  write("token", "h." + toBase64Url(R"({"exp":1000})") + ".s\n");
  EXPECT_NE(find(p, "expired-token").remedy.find("oci session authenticate"), std::string::npos);
  write("token", "h." + toBase64Url(R"({"exp":99999999999})") + ".s\n", 0600);
  EXPECT_EQ(codes(p), std::vector<std::string>{"short-key"});
}

TEST_F(FindingsTest, ExplainsOddKeyFiles) {
  Profile p = good();
  p.keyFile = dir_.path();
  EXPECT_NE(find(p, "key-is-folder").remedy.find(".pem"), std::string::npos);
  p.keyFile = write("console.pem", samplePem() + "OCI_API_KEY\n");
  EXPECT_EQ(find(p, "key-trailer").severity, Severity::Info);
  std::string crlf;
  for (char c : samplePem()) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  p.keyFile = write("windows.pem", crlf);
  EXPECT_EQ(find(p, "key-line-ends").severity, Severity::Info);
  EXPECT_FALSE(has(codes(p), "key-trailer")) << "a line end is none";
  p.keyFile = write("text.pem", "hello");
  EXPECT_NE(find(p, "unusable-key").message.find("no PEM key"), std::string::npos);
}

/// Nobody may be asked while a profile is only looked at.
class NobodyAsks final : public PassPhraseSource {
 public:
  Result<Secret> ask(const PassPhraseQuestion&) override {
    ADD_FAILURE() << "asked";
    return Secret();
  }
};

TEST_F(FindingsTest, AsksNobodyForAPassPhrase) {
  Profile p = good();
  p.passPhrases = std::make_shared<NobodyAsks>();
  p.keyFile = write("locked.pem", pemOf(sampleKey().get(), PemForm::EncryptedPkcs8, "pass"));
  EXPECT_EQ(find(p, "pass-phrase-asked").severity, Severity::Info);
  p.passPhrase = Secret("wrong");
  EXPECT_EQ(find(p, "wrong-pass-phrase").severity, Severity::Error);
  p.passPhrase = Secret("pass");
  EXPECT_FALSE(hasErrors(explainProfile(p)));
}

TEST_F(FindingsTest, ExplainsTokensAndBundles) {
  Profile p = good();
  p.certificateBundle = (dir_.path() / "none.pem").string();
  EXPECT_NE(find(p, "missing-cert-bundle").message.find("none.pem"), std::string::npos);
  p = good();
  p.signIn = SignInKind::SecurityToken;
  p.user.clear();
  p.securityTokenFile = write("token", "no jwt");
  EXPECT_EQ(find(p, "odd-token").severity, Severity::Error);
  write("token", "h." + toBase64Url(R"({"exp":99999999999,"tenant":"ocid1.tenancy.oc1..x"})") + ".s");
  EXPECT_NE(find(p, "token-of-other-tenancy").message.find("ocid1.tenancy.oc1..x"), std::string::npos);
  p = good();
  p.signIn = SignInKind::InstanceDelegation;
  p.delegationTokenFile = dir_.path() / "none";
  EXPECT_EQ(find(p, "missing-delegation-token").severity, Severity::Error);
  p.signIn = SignInKind::InstancePrincipal;
  p.delegationTokenFile.clear();
  p.keyFile.clear();
  EXPECT_EQ(codes(p), std::vector<std::string>()) << "an instance needs nothing on disk";
}

TEST_F(ProfileTest, ExplainsWhatCannotEvenBeLoaded) {
  const auto codesOf = [&](const ProfileQuery& query, const Environment& more = {}) {
    std::vector<std::string> all;
    for (const auto& issue : explainProfile(query, environment(more))) {
      all.push_back(issue.code);
      EXPECT_FALSE(issue.message.empty());
      EXPECT_TRUE(issue.severity != Severity::Error || !issue.remedy.empty()) << issue.message;
    }
    return all;
  };
  EXPECT_EQ(codesOf({}), std::vector<std::string>{"missing-profile"});
  write(".oci/config",
        "[DEFAULT]\nuser=ocid1.user.oc1..u\n[S]\nauthentication_type=security_token\n[B]\nauthentication_"
        "type=magic\n");
  EXPECT_EQ(codesOf({}), (std::vector<std::string>{"missing-tenancy", "missing-key_file",
                                                   "missing-fingerprint", "missing-region"}));
  EXPECT_TRUE(has(codesOf({"", "S"}), "missing-security_token_file"));
  EXPECT_EQ(codesOf({"", "B"}), std::vector<std::string>{"unusable-profile"});
  EXPECT_EQ(codesOf({"", "X"}), std::vector<std::string>{"missing-profile"});
  EXPECT_EQ(codesOf({"", "DEFAULT"}, {{"OCI_CLI_AUTH", "instance_principal"}}), std::vector<std::string>());
}

TEST_F(ProfileTest, ChoosesHowToSignIn) {
  write(".oci/config", full("A") + full("T") + "security_token_file=~/token\n" + full("K") +
                           "security_token_file=~/token\nauthentication_type=api_key\n");
  const auto kindOf = [&](const char* name, const Environment& more = {}) {
    const auto profile = loadProfile({"", name}, environment(more));
    return profile ? std::string(toString(profile->signIn)) : describe(profile.error());
  };
  EXPECT_EQ(kindOf("A"), "api_key");
  EXPECT_EQ(kindOf("T"), "security_token") << "a token beats a user";
  EXPECT_EQ(kindOf("K"), "api_key");
  EXPECT_EQ(kindOf("A", {{"OCI_CLI_AUTH", "resource_principal"}}), "resource_principal");
  const auto instance =
      loadProfile({}, Environment{{"HOME", "/nonexistent"}, {"OCI_CLI_AUTH", "instance_principal"}});
  ASSERT_TRUE(instance) << describe(instance.error());
  EXPECT_EQ(instance->signIn, SignInKind::InstancePrincipal);
  EXPECT_FALSE(loadProfile({"", "A"}, environment({{"OCI_CLI_AUTH", "instance_obo_user"}})))
      << "it needs a delegation token";
  const auto delegated = loadProfile({"", "A"}, environment({{"OCI_CLI_AUTH", "instance_obo_user"},
                                                             {"OCI_CLI_DELEGATION_TOKEN_FILE", "~/obo"},
                                                             {"OCI_CLI_FEDERATION_ENDPOINT", "http://a"}}));
  ASSERT_TRUE(delegated);
  EXPECT_EQ(delegated->delegationTokenFile, dir_.path() / "obo");
  EXPECT_EQ(delegated->federationEndpoint, "http://a");
}

}  // namespace
}  // namespace lockstep::oci
