// SPDX-License-Identifier: GPL-3.0-or-later
// A tenancy that a new customer finds: somebody who is no administrator is refused everything that training
// is made of; the administrator applies what the step proposes; then just that is allowed, and taking it back
// refuses it again.
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/time_text.h"
#include "tests/setup_faults/setup_world.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

/// What an administrator has made ready, all but the policies.
struct Story : ::testing::TestWithParam<PolicyMode> {
  SetupWorld world{"empty"};
  std::string compartment, project, vcn, subnet, logGroup, log, job, run, annId;
  std::optional<TestCaller> ann;

  void SetUp() override {
    const json place{{"compartmentId", world.tenancy()}, {"name", "ml"}, {"description", "training"}};
    compartment = world.post("/20160918/compartments", place)["id"];
    makePlaces();
    makeJob();
    makeAnn();
    world.hasTrainYaml = false;
    world.choices.compartmentId = compartment;
    world.choices.subnetId = subnet;
    world.choices.bucket = "work";
    world.choices.nameSpace = "rehearsal";
    world.choices.image = "rehearsal.ocir.io/rehearsal/team/trainer:1";
    world.choices.group = "trainers";
    world.choices.policyMode = GetParam();
  }
  json in(const json& more) const {
    json body = more;
    body["compartmentId"] = compartment;
    return body;
  }
  void makePlaces() {
    project = world.post("/20190101/projects", in({{"displayName", "p"}}))["id"];
    vcn = world.post("/20160918/vcns", in({{"cidrBlocks", {"10.0.0.0/16"}}}))["id"];
    subnet = world.post("/20160918/subnets", in({{"vcnId", vcn}, {"cidrBlock", "10.0.0.0/24"}}))["id"];
    world.post("/20200531/logGroups", in({{"displayName", "g"}}));
    logGroup = world.get("/20200531/logGroups?compartmentId=" + compartment)[0]["id"];
    world.post("/20200531/logGroups/" + logGroup + "/logs", {{"displayName", "l"}, {"logType", "CUSTOM"}});
    log = world.get("/20200531/logGroups/" + logGroup + "/logs")[0]["id"];
    for (const char* bucket : {"work", "private"}) world.post("/n/rehearsal/b", in({{"name", bucket}}));
    for (const char* repo : {"team/trainer", "other"})
      world.post("/20160918/container/repositories", in({{"displayName", repo}}));
  }
  json jobBody() const {
    return in({{"projectId", project},
               {"displayName", "job"},
               {"jobConfigurationDetails", {{"jobType", "DEFAULT"}}},
               {"jobInfrastructureConfigurationDetails",
                {{"jobInfrastructureType", "STANDALONE"},
                 {"shapeName", "VM.Standard2.1"},
                 {"subnetId", subnet},
                 {"blockStorageSizeInGBs", 50}}},
               {"jobEnvironmentConfigurationDetails",
                {{"jobEnvironmentType", "OCIR_CONTAINER"},
                 {"image", "rehearsal.ocir.io/rehearsal/team/trainer:1"}}},
               {"jobLogConfigurationDetails",
                {{"enableLogging", true},
                 {"enableAutoLogCreation", false},
                 {"logGroupId", logGroup},
                 {"logId", log}}}});
  }
  json runBody() const { return in({{"projectId", project}, {"jobId", job}, {"displayName", "run"}}); }
  void makeJob() {
    job = world.post("/20190101/jobs", jobBody())["id"];
    run = world.post("/20190101/jobRuns", runBody())["id"];
  }
  void makeAnn() {
    const json user = world.admin("POST", "/rehearsal/users", {{"name", "ann"}, {"groups", {"trainers"}}});
    const auto file = world.region().folder() / "ann.pem";
    ASSERT_TRUE(writeFileAtomically(file, user["privateKey"].get<std::string>(), 0600));
    annId = user["userId"];
    ann.emplace(world.region().port(),
                world.tenancy() + "/" + annId + "/" + user["fingerprint"].get<std::string>(),
                readKeyFile(file.string()));
  }

  struct Act {
    std::string what;
    std::function<TestResponse()> act;
  };
  /// What a person does to launch, follow and clean up.
  std::vector<Act> launching() const;
  /// What training does not need: it must stay refused.
  std::vector<Act> beyond() const;
  /// Whether a job run may do this, by the region's own account of who may do what.
  bool runMay(const std::string& operation, const std::string& facts = {}) const {
    return world.admin("GET", "/rehearsal/iam/explain?operation=" + operation +
                                  "&compartmentId=" + compartment + "&principal=" + run + facts)["isAllowed"];
  }
  StepReport check() const { return makeSetupStep("policies", world.context())->check({}); }
};

std::vector<Story::Act> Story::launching() const {
  const std::string n = "/n/rehearsal/b/work";
  const auto get = [this](const std::string& path) {
    return Act{"GET " + path, [this, path] { return ann->get(path); }};
  };
  const std::string from = toRfc3339(SystemClock().now() - std::chrono::minutes(5)),
                    to = toRfc3339(SystemClock().now() + std::chrono::minutes(5));
  std::vector<Act> acts{
      get("/20190101/projects/" + project),
      {"CreateJob", [this] { return ann->post("/20190101/jobs", jobBody()); }},
      {"CreateJobRun", [this] { return ann->post("/20190101/jobRuns", runBody()); }},
      get("/20190101/jobs/" + job),
      get("/20190101/jobRuns/" + run),
      get("/20190101/jobRuns?compartmentId=" + compartment),
      get("/20160918/subnets/" + subnet),
      get("/20160918/vcns?compartmentId=" + compartment),
      get("/20200531/logGroups/" + logGroup + "/logs/" + log),
      {"CreateLog",
       [this] {
         return ann->post("/20200531/logGroups/" + logGroup + "/logs",
                          {{"displayName", oci::newRetryToken()}, {"logType", "CUSTOM"}});
       }},
      {"SearchLogs",
       [this, from, to] {
         return ann->post("/20190909/search",
                          {{"timeStart", from},
                           {"timeEnd", to},
                           {"searchQuery", "search \"" + compartment + "/" + logGroup + "/" + log + "\""}});
       }},
      get(n),
      {"PutObject", [this, n] { return ann->send("PUT", n + "/o/code", "x"); }},
      get(n + "/o/code"),
      get(n + "/o"),
      get("/20160918/container/repositories?compartmentId=" + compartment),
      {"SummarizeMetricsData", [this, from, to] {
         return ann->post("/20180401/metrics/actions/summarizeMetricsData?compartmentId=" + compartment,
                          {{"namespace", "oci_datascience_jobrun"},
                           {"query", "CpuUtilization[1m].mean()"},
                           {"startTime", from},
                           {"endTime", to}});
       }}};
  return acts;
}

std::vector<Story::Act> Story::beyond() const {
  const auto get = [this](const std::string& path) {
    return Act{"GET " + path, [this, path] { return ann->get(path); }};
  };
  std::vector<Act> acts{{"CreateBucket",
                         [this] {
                           return ann->post("/n/rehearsal/b", in({{"name", "mine"}}));
                         }},
                        {"DeleteBucket", [this] { return ann->send("DELETE", "/n/rehearsal/b/private"); }},
                        {"CreateProject",
                         [this] {
                           return ann->post("/20190101/projects", in({{"displayName", "q"}}));
                         }},
                        {"CreateVcn",
                         [this] {
                           return ann->post("/20160918/vcns", in({{"cidrBlocks", {"10.1.0.0/16"}}}));
                         }},
                        {"CreatePolicy",
                         [this] {
                           return ann->post(
                               "/20160918/policies",
                               in({{"name", "mine"},
                                   {"description", "d"},
                                   {"statements", {"Allow any-user to read repos in compartment ml"}}}));
                         }},
                        get("/20160918/policies?compartmentId=" + compartment),
                        get("/20160918/users?compartmentId=" + world.tenancy()),
                        get("/20190101/jobs?compartmentId=" + world.tenancy())};
  if (GetParam() == PolicyMode::Scoped)
    acts.push_back({"PutObject in another bucket",
                    [this] { return ann->send("PUT", "/n/rehearsal/b/private/o/x", "x"); }});
  return acts;
}

TEST_P(Story, IsRefusedThenAllowedAndNothingElse) {
  for (const Act& act : launching()) {
    const TestResponse response = act.act();
    EXPECT_EQ(response.status, 404) << act.what << " before: " << response.body;
  }
  EXPECT_FALSE(runMay("PutLogs"));

  const StepReport before = check();
  EXPECT_EQ(before.state, StepState::Blocked) << toJson(before).dump(1);
  ASSERT_FALSE(before.fixes.empty()) << toJson(before).dump(1);
  EXPECT_EQ(before.fixes.front().id, "grant-missing");
  EXPECT_FALSE(before.fixes.front().isUnsafe);
  const auto changes = before.fixes.front().apply({});
  ASSERT_TRUE(changes) << describe(changes.error());
  EXPECT_EQ(changes->size(), 2U) << "a dynamic group and a policy";

  for (const Act& act : launching()) {
    const TestResponse response = act.act();
    EXPECT_EQ(response.status / 100, 2) << act.what << " after: " << response.status << " " << response.body;
  }
  for (const Act& act : beyond()) {
    const TestResponse response = act.act();
    EXPECT_TRUE(response.status == 404 || response.status == 403)
        << act.what << ": " << response.status << " " << response.body;
  }
  for (const char* may : {"GetJob", "GetSubnet", "PutLogs", "GetLog"}) EXPECT_TRUE(runMay(may)) << may;
  EXPECT_TRUE(runMay("PutObject", "&target.bucket.name=work"));
  EXPECT_TRUE(runMay("PullImage", "&target.repo.name=team/trainer"));
  for (const char* mayNot : {"CreateJob", "DeleteJob", "DeleteBucket", "CreateBucket", "ListPolicies",
                             "CreateLogGroup", "DeleteLog", "CreateVcn", "DeleteSubnet",
                             "CreateContainerRepository", "DeleteContainerRepository", "CreatePolicy"})
    EXPECT_FALSE(runMay(mayNot, "&target.bucket.name=work&target.repo.name=team/trainer")) << mayNot;
  const bool isScoped = GetParam() == PolicyMode::Scoped;
  EXPECT_EQ(runMay("PutObject", "&target.bucket.name=private"), !isScoped);
  EXPECT_EQ(runMay("PullImage", "&target.repo.name=other"), !isScoped);

  const StepReport after = check();
  EXPECT_EQ(after.state, StepState::Ready) << toJson(after).dump(1);
  EXPECT_TRUE(after.fixes.empty());

  for (auto change = changes->rbegin(); change != changes->rend(); ++change) {
    const auto back = makeSetupStep("policies", world.context())->takeBack(*change, {});
    EXPECT_TRUE(back) << describe(back.error());
  }
  for (const Act& act : launching()) EXPECT_EQ(act.act().status, 404) << act.what << " taken back";
  EXPECT_EQ(check().fixes.front().after, before.fixes.front().after) << "nothing is left behind";
}

INSTANTIATE_TEST_SUITE_P(Modes, Story, ::testing::Values(PolicyMode::Restricted, PolicyMode::Scoped),
                         [](const auto& mode) { return std::string(toString(mode.param)); });

}  // namespace
}  // namespace lockstep::testing
