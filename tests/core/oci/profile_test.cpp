// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/profile.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/encoding.h"
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
  write(".oci/config", full("DEFAULT") + "[R]\nregion=rehearsal\nendpoint=http://127.0.0.1:8080/\n");
  const auto profile = loadProfile({"", "R"}, environment());
  ASSERT_TRUE(profile) << describe(profile.error());
  EXPECT_EQ(profile->name, "R");
  EXPECT_EQ(profile->user, "ocid1.user.oc1..u");
  EXPECT_EQ(profile->region, "rehearsal");
  EXPECT_EQ(profile->endpoint, "http://127.0.0.1:8080");
  EXPECT_EQ(profile->keyFile, dir_.path() / "key.pem");
  EXPECT_EQ(profile->configFile, dir_.path() / ".oci/config");
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
  EXPECT_EQ(noKey.error().code, StatusCode::InvalidArgument);
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
  EXPECT_EQ(none.error().code, StatusCode::NotFound);
  EXPECT_NE(none.error().what.find(".oci/config"), std::string::npos);
  EXPECT_NE(none.error().remedy.find("lockstep rehearsal start"), std::string::npos);
  EXPECT_FALSE(loadProfile({"", "X"}, environment({{"OCI_CLI_TENANCY", "T"}})))
      << "a named profile needs its file";
}

TEST_F(ProfileTest, RefusesWhatItCannotDo) {
  write(".oci/config", full("A") + "authentication_type=instance_principal\n" + full("B") +
                           "endpoint=ftp://x\n" + full("C") + "endpoint=http://127.0.0.1:1/20190101\n");
  EXPECT_NE(describe(loadProfile({"", "A"}, environment()).error()).find("instance_principal"),
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
  EXPECT_NE(find(p, "unusable-key").message.find("public key"), std::string::npos);
  p.keyFile = write("locked.pem", pemOf(sampleKey().get(), PemForm::EncryptedPkcs8, "pass"));
  EXPECT_NE(find(p, "unusable-key").message.find("no pass phrase"), std::string::npos);
  p.passPhrase = Secret("wrong");
  EXPECT_NE(find(p, "unusable-key").message.find("does not open it"), std::string::npos);
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
  p.securityTokenFile = dir_.path() / "token";
  EXPECT_TRUE(has(codes(p), "missing-token"));
  p.fingerprint.clear();
  write("token", "h." + toBase64Url(R"({"exp":1000})") + ".s\n");
  EXPECT_NE(find(p, "expired-token").remedy.find("oci session authenticate"), std::string::npos);
  write("token", "h." + toBase64Url(R"({"exp":99999999999})") + ".s\n", 0600);
  EXPECT_EQ(codes(p), std::vector<std::string>{"short-key"});
}

}  // namespace
}  // namespace lockstep::oci
