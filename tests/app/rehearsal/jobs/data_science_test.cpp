// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "rehearsal/region/schemas.h"
#include "rehearsal/state/resources.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

class Services : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { region_ = std::make_unique<RegionUnderTest>("exit 0"); }
  static void TearDownTestSuite() { region_.reset(); }
  static TestCaller caller() { return region_->caller(); }
  static std::unique_ptr<RegionUnderTest> region_;
};
std::unique_ptr<RegionUnderTest> Services::region_;

TEST_F(Services, RefuseWhatIsNotSigned) {
  TestCaller spoiled = caller();
  const auto status = [&](auto spoil) {
    spoiled.spoil = spoil;
    const TestResponse response = spoiled.get("/n/");
    EXPECT_EQ(response.code(), response.status == 401 ? "NotAuthenticated" : "");
    return response.status;
  };
  EXPECT_EQ(status([](auto&, auto&, auto&) {}), 200);
  EXPECT_EQ(status([](auto&, auto& headers, auto&) { headers.erase("authorization"); }), 401);
  EXPECT_EQ(status([](auto& target, auto&, auto&) { target = "/n"; }), 401);
  EXPECT_EQ(status([](auto&, auto& headers, auto&) { headers["date"] = "Thu, 05 Jan 2014 21:31:40 GMT"; }),
            401);
  EXPECT_EQ(status([](auto&, auto& headers, auto&) { headers["host"] = "elsewhere"; }), 401);
  TestCaller late = caller();
  late.clockError = std::chrono::seconds(-400);
  EXPECT_EQ(late.get("/n/").status, 401);
  TestCaller body = caller();
  body.spoil = [](auto&, auto&, auto& bytes) { bytes.back() = ' '; };
  EXPECT_EQ(body.post("/20190101/projects", {{"compartmentId", "x"}}).status, 401);
}

TEST_F(Services, TakeTheQueryAsItWasSent) {
  // Unusual but legal encodings verify only when the target is not touched between the wire and the verifier.
  EXPECT_EQ(caller().get("/n/rehearsal/b/lockstep/o?prefix=a%2fb%2Bc+d&limit=5&end=%7e&&x").status, 200);
  EXPECT_EQ(caller().get("/n?").status, 200);
}

TEST_F(Services, UnknownPathsAndMethods) {
  EXPECT_EQ(caller().get("/20190101/nothing").status, 404);
  EXPECT_EQ(caller().send("DELETE", "/20190101/jobs").code(), "MethodNotAllowed");
}

TEST_F(Services, IdentityAndNetwork) {
  const std::string compartment = region_->place("compartmentId");
  const std::string tenancy = "ocid1.tenancy.oc1..aaaaaaaalockstep";
  EXPECT_EQ(caller().get("/20160918/tenancies/" + tenancy).json()["name"], "rehearsal");
  EXPECT_EQ(caller().get("/20160918/tenancies/ocid1.tenancy.oc1..other").code(), "NotAuthorizedOrNotFound");
  EXPECT_EQ(caller().get("/20160918/users/ocid1.user.oc1..aaaaaaaalockstep").json()["lifecycleState"],
            "ACTIVE");
  EXPECT_EQ(caller().get("/20160918/compartments?compartmentId=" + tenancy).json()[0]["id"], compartment);
  EXPECT_EQ(caller().get("/20160918/tenancies/" + tenancy + "/regionSubscriptions").json()[0]["regionName"],
            "rehearsal");
  EXPECT_EQ(caller().get("/20160918/availabilityDomains?compartmentId=" + compartment).json().size(), 1u);
  EXPECT_EQ(caller().get("/20160918/subnets/" + region_->place("subnetId")).json()["cidrBlock"],
            "10.0.0.0/24");
  EXPECT_EQ(caller().get("/20160918/subnets?compartmentId=" + compartment).json().size(), 1u);
  EXPECT_EQ(caller().get("/20160918/vcns?compartmentId=" + compartment).json().size(), 1u);
  EXPECT_EQ(caller().get("/20160918/vcns").code(), "MissingParameter");
  EXPECT_EQ(caller().get("/20200531/logGroups/" + region_->place("logGroupId") + "/logs").json()[0]["id"],
            region_->place("logId"));
  EXPECT_EQ(caller().get("/20200531/logGroups/ocid1.loggroup.other/logs").status, 404);
}

TEST_F(Services, Projects) {
  const TestResponse made = caller().post(
      "/20190101/projects", {{"compartmentId", region_->place("compartmentId")}, {"displayName", "p1"}});
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string id = made.json()["id"];
  EXPECT_EQ(caller().get("/20190101/projects/" + id).header("etag"), made.header("etag"));
  EXPECT_EQ(
      caller()
          .get("/20190101/projects?compartmentId=" + region_->place("compartmentId") + "&displayName=p1")
          .json()
          .size(),
      1u);
  EXPECT_EQ(caller().send("DELETE", "/20190101/projects/" + id, {}, {{"if-match", "wrong"}}).code(),
            "NoEtagMatch");
  EXPECT_EQ(caller().send("DELETE", "/20190101/projects/" + id).status, 204);
  EXPECT_EQ(caller().get("/20190101/projects/" + id).code(), "NotAuthorizedOrNotFound");
}

TEST_F(Services, ListWhatThePickersShow) {
  const std::string compartment = region_->place("compartmentId");
  const std::string tenancy = "ocid1.tenancy.oc1..aaaaaaaalockstep";
  const std::string subtree =
      "/20160918/compartments?compartmentIdInSubtree=true&accessLevel=ANY&compartmentId=";
  const auto compartments = caller().get(subtree + tenancy + "&lifecycleState=ACTIVE&limit=1000");
  ASSERT_EQ(compartments.json().size(), 1u) << compartments.body;
  EXPECT_EQ(compartments.json()[0]["id"], compartment);
  EXPECT_EQ(caller().get(subtree + compartment).code(), "InvalidParameter");
  EXPECT_EQ(caller().get("/n/rehearsal/b?compartmentId=" + compartment).json()[0]["name"], "lockstep");
  const auto repositories = caller().get("/20160918/container/repositories?compartmentId=" + compartment);
  EXPECT_EQ(repositories.json()["repositoryCount"], 1) << repositories.body;
  EXPECT_EQ(repositories.json()["items"][0]["displayName"], "lockstep-trainer");
  const std::string images = "/20160918/container/images?compartmentId=" + compartment;
  const auto all = caller().get(images + "&sortBy=TIMECREATED&sortOrder=DESC&lifecycleState=AVAILABLE");
  ASSERT_EQ(all.json()["items"].size(), 1u) << all.body;
  EXPECT_EQ(all.json()["items"][0]["version"], "1");
  EXPECT_EQ(all.json()["items"][0]["repositoryName"], "lockstep-trainer");
  EXPECT_EQ(caller().get(images + "&repositoryId=ocid1.containerrepo.oc1..other").json()["items"].size(), 0u);
  EXPECT_EQ(caller().get("/20160918/container/images").code(), "MissingParameter");
  EXPECT_EQ(caller().get("/20160918/container/images?compartmentId=ocid1.compartment.oc1..other").code(),
            "NotAuthorizedOrNotFound");
}

TEST_F(Services, JobBodiesAreChecked) {
  const auto refused = [&](const nlohmann::json& patch) {
    nlohmann::json body = region_->jobBody();
    body.merge_patch(patch);
    const TestResponse response = caller().post("/20190101/jobs", body);
    return std::to_string(response.status) + " " + response.code() + " " +
           response.json().value("message", "");
  };
  const auto expect = [&](const nlohmann::json& patch, const std::string& code, const std::string& field) {
    const std::string answer = refused(patch);
    EXPECT_TRUE(answer.starts_with(code) && answer.find(field) != std::string::npos)
        << patch << " -> " << answer;
  };
  const std::string missing = "400 MissingParameter", invalid = "400 InvalidParameter",
                    unknown = "404 NotAuthorizedOrNotFound";
  expect({{"projectId", nullptr}}, missing, "projectId");
  expect({{"compartmentId", nullptr}}, missing, "compartmentId");
  expect({{"displayName", std::string(256, 'x')}}, invalid, "displayName");
  expect({{"jobInfrastructureConfigurationDetails", nullptr}}, missing,
         "jobInfrastructureConfigurationDetails");
  const auto infrastructure = [](const nlohmann::json& patch) {
    return nlohmann::json{{"jobInfrastructureConfigurationDetails", patch}};
  };
  expect(infrastructure({{"jobInfrastructureType", nullptr}}), missing, "jobInfrastructureType");
  expect(infrastructure({{"jobInfrastructureType", "BIG"}}), invalid, "jobInfrastructureType");
  expect(infrastructure({{"shapeName", "VM.Nothing"}}), invalid, "shapeName");
  expect(infrastructure({{"shapeName", "VM.Standard.E4.Flex"}}), missing, "jobShapeConfigDetails");
  expect(infrastructure({{"subnetId", nullptr}}), missing, "subnetId");
  expect(infrastructure({{"jobInfrastructureType", "ME_STANDALONE"}}), invalid, "subnetId");
  expect(infrastructure({{"blockStorageSizeInGBs", 10}}), invalid, "blockStorageSizeInGBs");
  expect(infrastructure({{"blockStorageSizeInGBs", "50"}}), invalid, "blockStorageSizeInGBs");
  expect(infrastructure({{"subnetId", "ocid1.subnet.other"}}), unknown, "subnetId");
  expect({{"projectId", "ocid1.project.other"}}, unknown, "projectId");
  expect({{"jobConfigurationDetails", {{"jobType", nullptr}}}}, missing, "jobType");
  expect({{"jobConfigurationDetails", {{"environmentVariables", {{"A", 1}}}}}}, invalid,
         "environmentVariables.A");
  expect({{"jobConfigurationDetails", {{"environmentVariables", {{"A", std::string(20000, 'x')}}}}}}, invalid,
         "environmentVariables");
  expect({{"jobEnvironmentConfigurationDetails", {{"image", nullptr}}}}, missing, "image");
  expect({{"jobLogConfigurationDetails", {{"enableAutoLogCreation", true}}}}, invalid, "logId");
  expect({{"jobLogConfigurationDetails", {{"logId", "ocid1.log.other"}}}}, unknown, "logId");
  EXPECT_EQ(caller().send("POST", "/20190101/jobs", "[1]").code(), "CannotParseRequest");
  EXPECT_EQ(caller().send("POST", "/20190101/jobs", "{").code(), "CannotParseRequest");
}

TEST_F(Services, WhatThisRegionCannotDoIsSaidWithTheJob) {
  const auto refused = [&](const nlohmann::json& patch) {
    nlohmann::json body = region_->jobBody();
    body.merge_patch(patch);
    const TestResponse response = caller().post("/20190101/jobs", body);
    return response.code() + " " + response.json().value("message", "");
  };
  const nlohmann::json cluster{
      {"jobInfrastructureType", "MANAGED_COMPUTE_CLUSTER"},
      {"computeTargetId", "ocid1.target"},
      {"resourceConfiguration", {{"resourceRequestConfiguration", {{"ocpus", 1}, {"memoryInGBs", 4}}}}}};
  EXPECT_NE(refused({{"jobInfrastructureConfigurationDetails", cluster}}).find("no managed compute clusters"),
            std::string::npos);
  nlohmann::json broken = cluster;
  broken["resourceConfiguration"]["resourceRequestConfiguration"].erase("ocpus");
  EXPECT_TRUE(refused({{"jobInfrastructureConfigurationDetails", broken}}).starts_with("MissingParameter"));
  const char* mounts = "jobStorageMountConfigurationDetailsList";
  const nlohmann::json bucket{{"storageType", "OBJECT_STORAGE"},
                              {"destinationDirectoryName", "data"},
                              {"namespace", "rehearsal"},
                              {"bucket", "lockstep"}};
  EXPECT_NE(refused({{mounts, nlohmann::json::array({bucket})}}).find("no mounts"), std::string::npos);
  EXPECT_NE(refused({{mounts, nlohmann::json::array({{{"storageType", "FILE_STORAGE"}}})}})
                .find("jobStorageMountConfigurationDetailsList[0].destinationDirectoryName"),
            std::string::npos);
  EXPECT_NE(refused({{mounts, nlohmann::json::array({nlohmann::json::object()})}}).find("storageType"),
            std::string::npos);
}

TEST_F(Services, JobsChangeOnlyWhatMayChange) {
  const nlohmann::json job = caller().post("/20190101/jobs", region_->jobBody()).json();
  const std::string path = "/20190101/jobs/" + job["id"].get<std::string>();
  const auto put = [&](const nlohmann::json& body) { return caller().send("PUT", path, body.dump()); };
  EXPECT_EQ(put({{"jobConfigurationDetails", {{"jobType", "DEFAULT"}}}}).code(), "InvalidParameter");
  EXPECT_EQ(put({{"description", "d"}}).json()["description"], "d");
  const TestResponse gone = caller().send("DELETE", path);
  EXPECT_EQ(gone.status, 204);
  const TestResponse work = caller().get("/20190101/workRequests/" + gone.header("opc-work-request-id"));
  EXPECT_EQ(work.json().value("operationType", ""), "JOB_DELETE") << work.body;
  EXPECT_EQ(caller().post(path + "/actions/changeCompartment", {{"compartmentId", "x"}}).status, 404);
}

TEST_F(Services, ShapesAndFastLaunchConfigurations) {
  const std::string compartment = region_->place("compartmentId");
  std::ifstream file(LOCKSTEP_TEST_DATA "/rehearsal/shape_answers.json");
  const auto pinned = nlohmann::json::parse(file);
  for (const char* list : {"jobShapes", "fastLaunchJobConfigs"}) {
    const auto answer =
        caller().get("/20190101/" + std::string(list) + "?compartmentId=" + compartment).json();
    EXPECT_EQ(answer, pinned[list]) << answer.dump(2);
  }
  EXPECT_EQ(caller().get("/20190101/jobShapes").code(), "MissingParameter");
}

// The region reads its state anew for each call, so runs may be put there directly.
TEST_F(Services, ListAThousandJobRuns) {
  const auto database =
      rehearsal::Database::open(region_->stateFolder() / "state.sqlite", rehearsal::regionSchemas());
  ASSERT_TRUE(database) << describe(database.error());
  constexpr int kRuns = 1000;
  {
    rehearsal::Transaction transaction(**database);
    for (int i = 0; i < kRuns; ++i) {
      rehearsal::Resource run{rehearsal::makeOcid(rehearsal::kind::kJobRun),
                              rehearsal::kind::kJobRun,
                              region_->place("compartmentId"),
                              "ocid1.datasciencejob.oc1.rehearsal.thousand",
                              "run " + std::to_string(i),
                              "SUCCEEDED",
                              rehearsal::makeUuid(),
                              1'700'000'000'000 + i,
                              {}};
      run.body = {{"id", run.id},
                  {"displayName", run.name},
                  {"lifecycleState", run.state},
                  {"jobConfigurationOverrideDetails",
                   {{"jobType", "DEFAULT"}, {"environmentVariables", {{"A", std::string(1000, 'x')}}}}}};
      rehearsal::insertResource(transaction, run);
    }
    transaction.commit();
  }
  const auto begin = std::chrono::steady_clock::now();
  std::set<std::string> found;
  std::string page;
  int pages = 0;
  do {
    const TestResponse response =
        caller().get("/20190101/jobRuns?compartmentId=" + region_->place("compartmentId") +
                     "&jobId=ocid1.datasciencejob.oc1.rehearsal.thousand&limit=100" +
                     (page.empty() ? "" : "&page=" + page));
    ASSERT_EQ(response.status, 200) << response.body;
    for (const auto& run : response.json()) {
      found.insert(run["id"]);
      EXPECT_FALSE(run.contains("jobConfigurationOverrideDetails"));
      EXPECT_TRUE(run.contains("timeAccepted"));
    }
    page = response.header("opc-next-page");
    ++pages;
  } while (!page.empty());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  RecordProperty("milliseconds", std::to_string(took.count()));
  EXPECT_EQ(found.size(), static_cast<std::size_t>(kRuns));
  EXPECT_EQ(pages, 10);
}

TEST_F(Services, JobsLiveAndEnd) {
  const TestResponse made = caller().post("/20190101/jobs", region_->jobBody({{"A", "1"}}));
  ASSERT_EQ(made.status, 200) << made.body;
  const nlohmann::json job = made.json();
  const std::string path = "/20190101/jobs/" + job["id"].get<std::string>();
  EXPECT_EQ(job["lifecycleState"], "ACTIVE");
  EXPECT_EQ(job["jobConfigurationDetails"]["environmentVariables"]["A"], "1");
  EXPECT_EQ(caller().get(path).json(), job);
  const TestResponse changed =
      caller().send("PUT", path, R"({"displayName":"new"})", {{"if-match", made.header("etag")}});
  EXPECT_EQ(changed.json()["displayName"], "new");
  EXPECT_EQ(
      caller().send("PUT", path, R"({"displayName":"newer"})", {{"if-match", made.header("etag")}}).status,
      412);
  EXPECT_EQ(caller().send("DELETE", path).status, 204);
  EXPECT_EQ(caller().get(path).json()["lifecycleState"], "DELETED");
  EXPECT_EQ(caller().send("DELETE", path).status, 404);
  EXPECT_EQ(caller().post("/20190101/jobRuns", region_->runBody(job["id"])).code(), "IncorrectState");
}

TEST_F(Services, ARetryTokenCreatesOnce) {
  const HeaderList token{{"opc-retry-token", "token-1"}};
  const TestResponse first = caller().post("/20190101/jobs", region_->jobBody(), token);
  const TestResponse again = caller().post("/20190101/jobs", region_->jobBody(), token);
  ASSERT_EQ(first.status, 200);
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.header("etag"), first.header("etag"));
  const TestResponse other = caller().post("/20190101/jobs", region_->jobBody({{"B", "2"}}), token);
  EXPECT_EQ(other.status, 409);
  EXPECT_EQ(other.code(), "InvalidatedRetryToken");
  EXPECT_EQ(
      caller().post("/20190101/jobs", region_->jobBody(), {{"opc-retry-token", std::string(65, 'x')}}).status,
      400);
}

TEST_F(Services, ListsPageThroughEverythingOnce) {
  const std::string project =
      caller().post("/20190101/projects", {{"compartmentId", region_->place("compartmentId")}}).json()["id"];
  std::set<std::string> made;
  for (int i = 0; i < 11; ++i) {
    nlohmann::json body = region_->jobBody();
    body["projectId"] = project;
    body["displayName"] = "job " + std::to_string(i % 3);
    made.insert(caller().post("/20190101/jobs", body).json()["id"]);
  }
  for (const std::string order : {"", "&sortBy=displayName", "&sortBy=timeCreated&sortOrder=ASC",
                                  "&sortBy=displayName&sortOrder=DESC"}) {
    std::vector<std::string> found;
    std::string page;
    do {
      const TestResponse response =
          caller().get("/20190101/jobs?compartmentId=" + region_->place("compartmentId") +
                       "&projectId=" + project + "&limit=4" + order + (page.empty() ? "" : "&page=" + page));
      ASSERT_EQ(response.status, 200) << response.body;
      const nlohmann::json list = response.json();
      EXPECT_LE(list.size(), 4u);
      for (const auto& job : list) {
        found.push_back(job["id"]);
        EXPECT_FALSE(job.contains("jobConfigurationDetails"));
      }
      page = response.header("opc-next-page");
    } while (!page.empty());
    EXPECT_EQ(found.size(), made.size()) << order;
    EXPECT_EQ(std::set<std::string>(found.begin(), found.end()), made) << order;
  }
  const std::string base = "/20190101/jobs?compartmentId=" + region_->place("compartmentId");
  EXPECT_EQ(caller().get(base + "&limit=101").code(), "InvalidParameter");
  EXPECT_EQ(caller().get(base + "&page=nonsense").code(), "InvalidParameter");
  EXPECT_EQ(caller().get(base + "&sortBy=color").code(), "InvalidParameter");
  EXPECT_EQ(caller().get("/20190101/jobs").code(), "MissingParameter");
  EXPECT_EQ(caller()
                .get("/20190101/jobShapes?compartmentId=" + region_->place("compartmentId"))
                .json()[0]["shapeSeries"],
            "NVIDIA_GPU");
}

TEST_F(Services, LogSearchSaysWhatIsWrong) {
  const std::string stream = "search \"" + region_->place("compartmentId") + "/" +
                             region_->place("logGroupId") + "/" + region_->place("logId") + "\"";
  const auto search = [&](const std::string& from, const std::string& to, const std::string& query,
                          const std::string& options = "") {
    return caller().post("/20190909/search" + options,
                         {{"timeStart", from}, {"timeEnd", to}, {"searchQuery", query}});
  };
  EXPECT_EQ(search("2026-01-01T00:00:00Z", "2026-01-15T00:00:00Z", stream).status, 200);
  EXPECT_EQ(search("2026-01-01T00:00:00Z", "2026-01-15T00:00:01Z", stream).code(), "InvalidParameter");
  EXPECT_EQ(search("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", stream).code(), "InvalidParameter");
  EXPECT_EQ(search("yesterday", "2026-01-01T00:00:00Z", stream).code(), "InvalidParameter");
  EXPECT_EQ(search("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", stream + " | where").code(),
            "InvalidParameter");
  EXPECT_EQ(
      search("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "search \"ocid1.compartment.other\"").code(),
      "NotAuthorizedOrNotFound");
  EXPECT_EQ(search("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", stream, "?limit=1001").code(),
            "InvalidParameter");
  EXPECT_EQ(search("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", stream, "?page=").code(),
            "InvalidParameter");
}

}  // namespace
}  // namespace lockstep::testing
