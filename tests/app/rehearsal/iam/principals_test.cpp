// SPDX-License-Identifier: GPL-3.0-or-later
// Our own credentials against a region whose clock moves on: who signs in by token goes on working, for as
// long as the service renews it (oci-rest-contract 1.5 to 1.7).
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>

#include "base/atomic_file.h"
#include "http/curl_http_client.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/profile.h"
#include "oci/storage/object_storage_client.h"
#include "tests/app/rehearsal/iam/iam_region.h"

namespace lockstep::testing {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

/// The machine's clock, ahead by what the test says; a region is kept at the same time.
class ShiftedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return SystemClock().now() + ahead.load(); }
  [[nodiscard]] SteadyPoint steady() const override { return SystemClock().steady() + ahead.load(); }
  bool sleepFor(std::chrono::nanoseconds duration, const std::stop_token& stop) override {
    return SystemClock().sleepFor(duration, stop);
  }
  std::atomic<std::chrono::seconds> ahead{0s};
};

class Remembered final : public oci::CallAudit {
 public:
  void record(oci::CallRecord record) override {
    const std::scoped_lock lock(mutex_);
    records_.push_back(std::move(record));
  }
  [[nodiscard]] int count(const std::string& operation, int status) const {
    const std::scoped_lock lock(mutex_);
    return static_cast<int>(std::count_if(records_.begin(), records_.end(), [&](const auto& r) {
      return r.operation == operation && r.httpStatus == status;
    }));
  }

 private:
  mutable std::mutex mutex_;
  std::vector<oci::CallRecord> records_;
};

const json kExpired{{"kind", "expired-token"}, {"operation", "ListObjects"}, {"times", 1}};

class Principals : public ::testing::Test {
 protected:
  explicit Principals(std::vector<std::string> options = {}) : region_(std::move(options)) {}

  /// Moves the clocks of both sides; other faults may come along.
  void setTime(std::chrono::seconds ahead, std::vector<json> faults = {}) {
    if (ahead != 0s) faults.push_back({{"kind", "clock-skew"}, {"delay", ahead.count()}});
    const TestResponse response =
        region_.admin("PUT", "/rehearsal/faults", {{"seed", 1}, {"faults", faults}});
    ASSERT_EQ(response.status, 200) << response.body;
    clock_->ahead = ahead;
  }
  [[nodiscard]] std::string endpoint() const { return region_.region().info()["endpoint"]; }
  std::string write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(writeFileAtomically(folder_.path() / name, text, 0600));
    return (folder_.path() / name).string();
  }
  [[nodiscard]] oci::SigningIn signingIn(oci::Environment environment = {}) const {
    environment.emplace("HOME", folder_.path().string());
    return {makeCurlHttpClient(), clock_, audit_, std::move(environment)};
  }
  [[nodiscard]] oci::ObjectStorageClient storage(std::shared_ptr<oci::Credentials> credentials) const {
    oci::ServiceClient::Setup setup;
    setup.endpoint = endpoint();
    setup.credentials = std::move(credentials);
    setup.http = makeCurlHttpClient();
    setup.clock = clock_;
    setup.audit = audit_;
    return oci::ObjectStorageClient(std::make_shared<oci::ServiceClient>(std::move(setup)));
  }
  /// What the region says to somebody who still uses an old token.
  [[nodiscard]] TestResponse askWith(const oci::SigningIdentity& identity) const {
    TestCaller caller(region_.port(), identity.keyId, identity.key);
    caller.clockError = clock_->ahead;
    return caller.get("/n/");
  }

  IamRegion region_;
  TempDir folder_;
  std::shared_ptr<ShiftedClock> clock_ = std::make_shared<ShiftedClock>();
  std::shared_ptr<Remembered> audit_ = std::make_shared<Remembered>();
};

std::string explained(const auto& result) {
  return result ? "" : describe(result.error());
}

// --- sessions
// -----------------------------------------------------------------------------------------------

class SessionPrincipal : public Principals {
 protected:
  /// What `oci session authenticate` leaves behind, as a profile.
  oci::Profile logIn(int minutes) {
    const TestResponse begun = region_.admin("POST", "/rehearsal/sessions", {{"minutes", minutes}});
    EXPECT_EQ(begun.status, 200) << begun.body;
    const json session = begun.json();
    tokenFile_ = write("token", session["token"]);
    const std::string key = write("oci_api_key.pem", session["privateKey"]);
    write("config", "[SESSION]\nfingerprint=" + session["fingerprint"].get<std::string>() +
                        "\nkey_file=" + key + "\ntenancy=" + session["tenancyId"].get<std::string>() +
                        "\nregion=rehearsal\nsecurity_token_file=" + tokenFile_ +
                        "\nlockstep_endpoint=" + endpoint() + "\n");
    const auto profile = oci::loadProfile({(folder_.path() / "config").string(), "SESSION"}, {});
    EXPECT_TRUE(profile) << explained(profile);
    return *profile;
  }
  std::string tokenFile_;
};

TEST_F(SessionPrincipal, IsRenewedBeforeItEndsAndTheOldTokenIsRefused) {
  const auto credentials = oci::credentialsFor(logIn(10), signingIn());
  ASSERT_TRUE(credentials) << explained(credentials);
  auto client = storage(*credentials);
  ASSERT_EQ(client.getNamespace({}), "rehearsal");
  const oci::SigningIdentity first = *(*credentials)->current();
  EXPECT_EQ(audit_->count("RefreshSessionToken", 200), 0) << "ten minutes are left";
  setTime(6min);
  ASSERT_EQ(client.getNamespace({}), "rehearsal");
  EXPECT_EQ(audit_->count("RefreshSessionToken", 200), 1);
  const oci::SigningIdentity second = *(*credentials)->current();
  EXPECT_NE(second.keyId, first.keyId);
  EXPECT_EQ("ST$" + *readFile(tokenFile_), second.keyId);
  struct stat info {};
  ASSERT_EQ(::stat(tokenFile_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  EXPECT_EQ(askWith(first).status, 200) << "its ten minutes are not over";
  setTime(11min);
  const TestResponse over = askWith(first);
  EXPECT_EQ(over.status, 401);
  EXPECT_EQ(over.code(), "NotAuthenticated");
  EXPECT_EQ(askWith(second).status, 200);
  EXPECT_EQ(client.getNamespace({}), "rehearsal");
}

TEST_F(SessionPrincipal, ThatEndedUnusedIsExplainedAndANewLogInIsPickedUp) {
  const auto credentials = oci::credentialsFor(logIn(10), signingIn());
  ASSERT_TRUE(credentials) << explained(credentials);
  auto client = storage(*credentials);
  ASSERT_EQ(client.getNamespace({}), "rehearsal");
  const oci::SigningIdentity ended = *(*credentials)->current();
  setTime(2h);
  const auto refused = client.getNamespace({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unauthenticated) << explained(refused);
  EXPECT_NE(explained(refused).find("oci session authenticate --profile-name SESSION"), std::string::npos)
      << explained(refused);
  TestCaller late(region_.port(), ended.keyId, ended.key);
  late.clockError = clock_->ahead;
  const TestResponse renewal =
      late.post("/v1/authentication/refresh", {{"currentToken", ended.keyId.substr(3)}});
  EXPECT_EQ(renewal.status, 401) << "a token that has ended is not renewed";
  logIn(60);
  EXPECT_EQ(client.getNamespace({}), "rehearsal") << "another log-in wrote the same files";
}

TEST_F(SessionPrincipal, IsRenewedForADayAndNoLonger) {
  setTime(-12h);
  const auto credentials = oci::credentialsFor(logIn(60), signingIn());
  ASSERT_TRUE(credentials) << explained(credentials);
  auto client = storage(*credentials);
  std::chrono::seconds passed = 0s;
  for (; passed < 24h; passed += 56min) {  // the last at 23 h 20 min
    setTime(-12h + passed);
    const auto space = client.getNamespace({});
    ASSERT_EQ(space, "rehearsal") << passed.count() << " s after the log-in: " << explained(space);
  }
  EXPECT_GE(audit_->count("RefreshSessionToken", 200), 20);
  EXPECT_EQ(audit_->count("RefreshSessionToken", 401), 0);
  setTime(-12h + 24h + 17min);
  EXPECT_EQ(client.getNamespace({}), "rehearsal") << "the last token is good for three minutes yet";
  EXPECT_EQ(audit_->count("RefreshSessionToken", 401), 1);
  setTime(-12h + 24h + 21min);
  const auto over = client.getNamespace({});
  ASSERT_FALSE(over);
  EXPECT_NE(explained(over).find("renews it no more"), std::string::npos) << explained(over);
}

// --- job runs
// -----------------------------------------------------------------------------------------------

/// A job run that tells what it was started with and stays.
class RunPrincipal : public Principals {
 protected:
  RunPrincipal() : Principals({"--isolate", "off", "--entrypoint", entrypoint()}) {}

  static std::string entrypoint() {
    static const TempDir folder;
    const auto file = folder.path() / "stay";
    std::ofstream(file) << "#!/bin/bash\nenv > \"$TOLD.part\" && mv \"$TOLD.part\" \"$TOLD\"\n"
                           "while true; do sleep 0.2; done\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }
  oci::Environment environmentOfRun() {
    const std::filesystem::path told = folder_.path() / "told";
    region_.region().launch({{"TOLD", told.string()}});
    EXPECT_TRUE(eventually([&] { return std::filesystem::exists(told); }));
    oci::Environment environment;
    std::ifstream lines(told);
    for (std::string line; std::getline(lines, line);)
      if (const auto equals = line.find('='); equals != std::string::npos)
        environment[line.substr(0, equals)] = line.substr(equals + 1);
    return environment;
  }
};

TEST_F(RunPrincipal, IsReadAgainBeforeItEndsAndWhenItIsRefused) {
  const oci::Environment environment = environmentOfRun();
  const std::string tokenFile = environment.at("OCI_RESOURCE_PRINCIPAL_RPST");
  const auto credentials = oci::resourcePrincipal(environment, clock_);
  ASSERT_TRUE(credentials) << explained(credentials);
  auto client = storage(*credentials);
  const auto list = [&] { return client.listObjects("rehearsal", "lockstep", "", "", {}); };
  ASSERT_TRUE(list()) << explained(list());
  EXPECT_FALSE(client.listObjects("rehearsal", "none-such", "", "", {}));
  const oci::SigningIdentity first = *(*credentials)->current();
  const auto isRenewed = [&](const oci::SigningIdentity& than) {
    return eventually([&] { return "ST$" + *readFile(tokenFile) != than.keyId; });
  };
  setTime(16min);
  ASSERT_TRUE(isRenewed(first)) << "the region renews at half time";
  ASSERT_TRUE(list());
  EXPECT_EQ((*credentials)->current()->keyId, first.keyId) << "14 minutes are left";
  setTime(26min);
  ASSERT_TRUE(list()) << explained(list());
  const oci::SigningIdentity second = *(*credentials)->current();
  EXPECT_NE(second.keyId, first.keyId) << "4 minutes were left";
  setTime(31min);
  EXPECT_EQ(askWith(first).status, 401);
  EXPECT_EQ(askWith(first).code(), "NotAuthenticated");
  ASSERT_TRUE(list());
  setTime(36min);
  ASSERT_TRUE(isRenewed(second));
  setTime(36min, {kExpired});
  ASSERT_TRUE(list()) << explained(list());
  EXPECT_EQ(audit_->count("ListObjects", 401), 1) << "refused once, then with what the file had";
  EXPECT_NE((*credentials)->current()->keyId, second.keyId);
}

// --- instances
// ----------------------------------------------------------------------------------------------

class InstancePrincipal : public Principals {
 protected:
  void SetUp() override {
    const TestResponse made =
        region_.admin("POST", "/rehearsal/instances", {{"compartmentId", region_.place("compartmentId")}});
    ASSERT_EQ(made.status, 200) << made.body;
    metadata_ = endpoint() + made.json()["metadataPath"].get<std::string>();
    const json group{
        {"compartmentId", IamRegion::tenancy()},
        {"name", "machines"},
        {"description", "d"},
        {"matchingRule", "instance.id = '" + made.json()["instanceId"].get<std::string>() + "'"}};
    ASSERT_EQ(region_.root().post("/20160918/dynamicGroups", group).status, 200);
    region_.policy("machines", {"Allow dynamic-group machines to read objects in compartment lockstep"});
  }
  /// A profile without a file, as on a compute instance: all is said by the environment.
  [[nodiscard]] Result<std::shared_ptr<oci::Credentials>> signIn(const std::string& federation) const {
    const oci::Environment environment{{"HOME", folder_.path().string()},
                                       {"OCI_CLI_AUTH", "instance_principal"},
                                       {"OCI_METADATA_BASE_URL", metadata_},
                                       {"OCI_CLI_FEDERATION_ENDPOINT", federation}};
    const auto profile = oci::loadProfile({}, environment);
    if (!profile) return failure(profile.error());
    return oci::credentialsFor(*profile, signingIn(environment));
  }
  std::string metadata_;
};

TEST_F(InstancePrincipal, SignsInWithItsCertificateAndAgainBeforeItsTokenEnds) {
  const auto credentials = signIn(endpoint() + "/v1/x509");  // as Oracle's tools have it
  ASSERT_TRUE(credentials) << explained(credentials);
  EXPECT_EQ((*credentials)->region(), "rehearsal");
  auto client = storage(*credentials);
  const auto list = [&] { return client.listObjects("rehearsal", "lockstep", "", "", {}); };
  ASSERT_TRUE(list()) << explained(list());
  EXPECT_FALSE(client.putObject("rehearsal", "lockstep", "x", "1", {})) << "read is not manage";
  const oci::SigningIdentity first = *(*credentials)->current();
  setTime(14min);
  ASSERT_TRUE(list());
  EXPECT_EQ((*credentials)->current()->keyId, first.keyId);
  setTime(16min);
  ASSERT_TRUE(list()) << explained(list());
  const oci::SigningIdentity second = *(*credentials)->current();
  EXPECT_NE(second.keyId, first.keyId);
  EXPECT_NE(second.key, first.key) << "each token has a key of its own";
  setTime(21min);
  EXPECT_EQ(askWith(first).status, 401);
  EXPECT_EQ(askWith(first).code(), "NotAuthenticated");
  EXPECT_EQ(askWith(second).status, 200);
  setTime(3h);  // both token and certificate are over
  ASSERT_TRUE(list()) << explained(list());
  EXPECT_EQ(audit_->count("CreateInstanceToken", 200), 3);
}

TEST_F(InstancePrincipal, IsRefusedOnceAndSignsInAnew) {
  const auto credentials = signIn(endpoint());
  ASSERT_TRUE(credentials) << explained(credentials);
  auto client = storage(*credentials);
  setTime(0s, {kExpired});
  const auto listed = client.listObjects("rehearsal", "lockstep", "", "", {});
  ASSERT_TRUE(listed) << explained(listed);
  EXPECT_EQ(audit_->count("ListObjects", 401), 1);
  EXPECT_EQ(audit_->count("CreateInstanceToken", 200), 2);
}

TEST_F(InstancePrincipal, WithoutMetadataIsExplained) {
  metadata_ = endpoint() + "/metadata/ocid1.instance.oc1..none/opc/v2";
  const auto credentials = signIn(endpoint());
  ASSERT_FALSE(credentials);
  EXPECT_NE(explained(credentials).find("metadata service"), std::string::npos) << explained(credentials);
}

}  // namespace
}  // namespace lockstep::testing
