// SPDX-License-Identifier: GPL-3.0-or-later
// Service limits: what is said of them, and that they are kept.
#include <gtest/gtest.h>
#include <httplib.h>

#include <fstream>

#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

constexpr const char* kTenancy = "ocid1.tenancy.oc1..aaaaaaaalockstep";

class Limits : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    region_ = std::make_unique<RegionUnderTest>("sleep 1000", std::vector<std::string>{"--grace-ms", "500"});
  }
  static void TearDownTestSuite() { region_.reset(); }
  static std::unique_ptr<RegionUnderTest> region_;

  static TestResponse ask(const std::string& path, const std::string& query = "") {
    return region_->caller().get("/20190729/" + path + "?compartmentId=" + kTenancy + query);
  }
  static int set(const std::string& name, const json& value, const std::string& token = adminToken()) {
    httplib::Client client("127.0.0.1", region_->port());
    const auto reply = client.Put("/rehearsal/limits/" + name, {{"Authorization", "Bearer " + token}},
                                  json{{"value", value}}.dump(), "application/json");
    return reply ? reply->status : 0;
  }
  static std::string adminToken() {
    std::ifstream file(region_->stateFolder() / "admin.token");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static json availability(const std::string& name) {
    return ask("services/data-science/limits/" + name + "/resourceAvailability").json();
  }
  static TestResponse run(const std::string& shape) {
    json body = region_->jobBody();
    body["jobInfrastructureConfigurationDetails"]["shapeName"] = shape;
    const std::string job = region_->caller().post("/20190101/jobs", body).json()["id"];
    return region_->caller().post("/20190101/jobRuns", region_->runBody(job));
  }
};
std::unique_ptr<RegionUnderTest> Limits::region_;

TEST_F(Limits, AreListed) {
  EXPECT_EQ(ask("services").json()[0]["name"], "data-science");
  const json definitions = ask("limitDefinitions", "&serviceName=data-science").json();
  EXPECT_GT(definitions.size(), 10u);
  EXPECT_EQ(definitions[0]["scopeType"], "REGION");
  EXPECT_EQ(ask("limitDefinitions", "&serviceName=compute").json().size(), 0u);
  const json values = ask("limitValues", "&serviceName=data-science&name=ds-gpu-a10-count").json();
  ASSERT_EQ(values.size(), 1u);
  EXPECT_GT(values[0]["value"].get<long long>(), 0);
  EXPECT_EQ(ask("limitValues").code(), "MissingParameter");
  const TestResponse page = ask("limitDefinitions", "&limit=3");
  EXPECT_EQ(page.json().size(), 3u);
  EXPECT_NE(ask("limitDefinitions", "&limit=3&page=" + page.header("opc-next-page")).json()[0]["name"],
            page.json()[0]["name"]);
  EXPECT_EQ(ask("services/data-science/limits/none/resourceAvailability").status, 404);
  EXPECT_EQ(
      ask("services/data-science/limits/ds-gpu4-count/resourceAvailability", "&availabilityDomain=x").code(),
      "InvalidParameter");
}

TEST_F(Limits, AreKeptWhenARunIsCreated) {
  ASSERT_EQ(set("ds-gpu-a10-count", 3), 200);
  const TestResponse first = run("VM.GPU.A10.2");
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(availability("ds-gpu-a10-count")["used"], 2) << "GPUs are counted";
  EXPECT_EQ(availability("ds-gpu-a10-count")["available"], 1);
  const TestResponse second = run("VM.GPU.A10.2");
  EXPECT_EQ(second.status, 400);
  EXPECT_EQ(second.code(), "LimitExceeded");
  EXPECT_NE(second.body.find("ds-gpu-a10-count"), std::string::npos) << second.body;
  EXPECT_EQ(availability("ds-gpu-a10-count")["used"], 2) << "what was refused counts nothing";
  const std::string id = first.json()["id"];
  region_->caller().send("POST", "/20190101/jobRuns/" + id + "/actions/cancelJobRun");
  EXPECT_EQ(region_->waitForState(id, {"CANCELED"})["lifecycleState"], "CANCELED");
  EXPECT_EQ(availability("ds-gpu-a10-count")["used"], 0);
}

TEST_F(Limits, OnlyTheHolderOfTheTokenSetsThem) {
  EXPECT_EQ(set("ds-gpu4-count", 8, "wrong"), 401);
  EXPECT_EQ(set("ds-nothing-count", 8), 404);
  EXPECT_EQ(set("ds-gpu4-count", "many"), 400);
  EXPECT_EQ(set("ds-gpu4-count", 8), 200);
  EXPECT_EQ(ask("limitValues", "&serviceName=data-science&name=ds-gpu4-count").json()[0]["value"], 8);
}

}  // namespace
}  // namespace lockstep::testing
