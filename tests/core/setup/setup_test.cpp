// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <httplib.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "setup/auth/auth_step.h"
#include "setup/step/setup_facts.h"
#include "setup/steps/check_steps.h"
#include "setup/steps/setup_steps.h"
#include "setup/storage/bucket_step.h"
#include "temp_dir.h"

using namespace lockstep;

namespace {

/// A fresh key of the size that OCI asks for, and its fingerprint (oci-rest-contract 1.2).
struct TestKey {
  std::string pem, fingerprint;

  TestKey() {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_RSA_gen(2048), EVP_PKEY_free);
    const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_PrivateKey(memory.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    char* text = nullptr;
    const auto size = BIO_get_mem_data(memory.get(), &text);
    pem.assign(text, static_cast<std::size_t>(size));
    unsigned char* der = nullptr;
    const int length = i2d_PUBKEY(key.get(), &der);
    const std::string hex =
        toHex(md5({reinterpret_cast<const char*>(der), static_cast<std::size_t>(length)}));
    OPENSSL_free(der);
    for (std::size_t i = 0; i < hex.size(); i += 2) fingerprint += (i > 0 ? ":" : "") + hex.substr(i, 2);
  }
};

const TestKey& testKey() {
  static const TestKey kKey;
  return kKey;
}

/// Object Storage as far as the steps ask for it.
struct SetupTest : testing::Test {
  TempDir dir;
  httplib::Server server;
  std::thread thread;
  int port = 0;
  int refuseWith = 0;

  SetupTest() {
    server.Get("/n/?",
               [this](const httplib::Request&, httplib::Response& response) { answer(response, "\"ns\""); });
    server.Get(R"(/n/ns/b/([^/]+))", [this](const httplib::Request& request, httplib::Response& response) {
      const std::string bucket = request.matches[1];
      if (bucket != "mine") {
        response.status = 404;
        response.set_header("opc-request-id", "REQ/9");
        response.set_content(R"({"code":"BucketNotFound","message":"no such bucket"})", "application/json");
        return;
      }
      answer(response, R"({"name":"mine"})");
    });
    port = server.bind_to_any_port("127.0.0.1");
    thread = std::thread([this] { server.listen_after_bind(); });
    while (!server.is_running()) std::this_thread::yield();
  }
  ~SetupTest() override {
    server.stop();
    thread.join();
  }

  void answer(httplib::Response& response, const std::string& body) const {
    response.set_header("opc-request-id", "REQ/1");
    if (refuseWith != 0) {
      response.status = refuseWith;
      response.set_content(R"({"code":"NotAuthenticated","message":"incorrect"})", "application/json");
      return;
    }
    response.set_content(body, "application/json");
  }

  oci::ProfileQuery profile(const std::string& fingerprint = testKey().fingerprint,
                            const std::string& keyFile = {}) {
    const auto key = dir.path() / "key.pem";
    std::ofstream(key) << testKey().pem;
    std::filesystem::permissions(key,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    const auto config = dir.path() / "config";
    std::ofstream(config)
        << "[P]\ntenancy=ocid1.tenancy.oc1..t\nuser=ocid1.user.oc1..u\nregion=rehearsal\nfingerprint="
        << fingerprint << "\nlockstep_endpoint=http://127.0.0.1:" << port
        << "\nkey_file=" << (keyFile.empty() ? key.string() : keyFile) << "\n";
    std::filesystem::permissions(config,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    return {config.string(), "P"};
  }
};

SetupContextPtr contextOf(const oci::ProfileQuery& query, const std::string& workDir = {}) {
  SetupContext::Setup setup;
  setup.query = query;
  setup.choices = withFacts(SetupChoices(), {{"cluster.workDir", workDir}});
  return std::make_shared<const SetupContext>(std::move(setup));
}

std::string textOf(const StepReport& report) {
  return toJson(report).dump(1);
}
bool says(const StepReport& report, const std::string& part) {
  return textOf(report).find(part) != std::string::npos;
}

}  // namespace

TEST_F(SetupTest, AGoodProfileIsReadyWithTheRequestAsEvidence) {
  const StepReport report = makeAuthStep(contextOf(profile()))->check({});
  EXPECT_EQ(report.state, StepState::Ready) << textOf(report);
  EXPECT_TRUE(says(report, "GetNamespace 200, opc-request-id REQ/1")) << textOf(report);
}

TEST_F(SetupTest, AMissingConfigFileIsBlockedAndNamed) {
  const StepReport report = makeAuthStep(contextOf({(dir.path() / "nowhere").string(), "P"}))->check({});
  EXPECT_EQ(report.state, StepState::Blocked);
  EXPECT_TRUE(says(report, "nowhere")) << textOf(report);
}

TEST_F(SetupTest, AnUnknownProfileIsBlockedAndNamed) {
  oci::ProfileQuery query = profile();
  query.profile = "NOBODY";
  const StepReport report = makeAuthStep(contextOf(query))->check({});
  EXPECT_EQ(report.state, StepState::Blocked);
  EXPECT_TRUE(says(report, "NOBODY")) << textOf(report);
}

TEST_F(SetupTest, AMissingKeyAWrongFingerprintAndAnOpenKeyFileAreExplained) {
  StepReport report = makeAuthStep(contextOf(profile(testKey().fingerprint, "/nowhere/key.pem")))->check({});
  EXPECT_EQ(report.state, StepState::Blocked);
  EXPECT_TRUE(says(report, "/nowhere/key.pem")) << textOf(report);
  report = makeAuthStep(contextOf(profile("00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff")))->check({});
  EXPECT_EQ(report.state, StepState::Blocked) << textOf(report);
  EXPECT_TRUE(says(report, testKey().fingerprint)) << textOf(report);
  const oci::ProfileQuery query = profile();
  std::filesystem::permissions(dir.path() / "key.pem", std::filesystem::perms::all);
  report = makeAuthStep(contextOf(query))->check({});
  EXPECT_NE(report.state, StepState::Ready) << textOf(report);
  EXPECT_TRUE(says(report, "chmod 600")) << textOf(report);
}

TEST_F(SetupTest, ARefusedSignatureIsBlockedWithTheServicesAnswer) {
  refuseWith = 401;
  const StepReport report = makeAuthStep(contextOf(profile()))->check({});
  EXPECT_EQ(report.state, StepState::Blocked);
  EXPECT_TRUE(says(report, "NotAuthenticated")) << textOf(report);
  EXPECT_TRUE(says(report, "REQ/1")) << textOf(report);
}

TEST_F(SetupTest, WorkDirsWithoutABucketAreNotApplicable) {
  EXPECT_EQ(makeBucketStep(contextOf(profile(), "file:///tmp/x"))->check({}).state, StepState::NotApplicable);
  EXPECT_EQ(makeBucketStep(contextOf(profile(), "s3://x"))->check({}).state, StepState::Blocked);
}

TEST(SetupReport, TheWorstFindingDecides) {
  EXPECT_EQ(reportOf({}).state, StepState::Unknown);
  EXPECT_EQ(reportOf({{StepState::Ready, "", "", ""}, {StepState::Warning, "", "", ""}}).state,
            StepState::Warning);
  EXPECT_EQ(reportOf({{StepState::Blocked, "", "", ""}, {StepState::Ready, "", "", ""}}).state,
            StepState::Blocked);
  for (const std::string& name : setupStepNames()) EXPECT_EQ(makeSetupStep(name, contextOf({}))->id(), name);
  EXPECT_EQ(makeSetupStep("nope", contextOf({})), nullptr);
}

TEST_F(SetupTest, StepsAreCheckedOnceEachAndWaivedOnesNotAtAll) {
  SetupContext::Setup setup;
  setup.query = profile();
  setup.choices.workDir = "file:///runs";
  setup.choices.waived = {{"auth", "somebody else's profile"}};
  const auto context = std::make_shared<const SetupContext>(std::move(setup));
  std::multimap<std::string, StepReport> reports;
  checkSteps(context, {"auth", "bucket", "nope", "bucket"},
             [&](const std::string& step, const StepReport& report) { reports.emplace(step, report); }, {});
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports.find("bucket")->second.state, StepState::NotApplicable);
  const StepReport& auth = reports.find("auth")->second;
  EXPECT_EQ(auth.state, StepState::Waived);
  EXPECT_TRUE(says(auth, "somebody else's profile")) << textOf(auth);
  EXPECT_EQ(auth.findings.size(), 1u) << "it was checked all the same";
}

TEST_F(SetupTest, PlaceholdersOfAStarterSayNothing) {
  SetupContext::Setup setup;
  setup.spec = ClusterSpec();
  setup.spec->infrastructure.subnetId = "<OCID of a private subnet>";
  setup.spec->workDir = "oci://<bucket>@<namespace>/runs";
  setup.spec->image = "iad.ocir.io/ns/repo:1";
  const SetupContext context(std::move(setup));
  EXPECT_EQ(context.subnetId(), "");
  EXPECT_EQ(context.workDir(), "");
  EXPECT_EQ(context.image(), "iad.ocir.io/ns/repo:1");
}

TEST_F(SetupTest, OtherStepsSayThatItIsTheProfileThatFails) {
  for (const char* step : {"bucket", "repository", "logging"}) {
    const StepReport report =
        makeSetupStep(step, contextOf({(dir.path() / "nowhere").string(), "P"}))->check({});
    EXPECT_EQ(report.state, StepState::Blocked) << step;
    EXPECT_TRUE(says(report, "(step auth)")) << step << textOf(report);
  }
}
