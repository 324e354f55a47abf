// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "plan/env_interpolation.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

std::string golden(const std::string& name) {
  return readFile(std::string(LOCKSTEP_TEST_DATA) + "/train_yaml/" + name + "/in.yaml").value();
}

Environment environment(const Json& object) {
  Environment all;
  for (const auto& [name, value] : object.items()) all.set(name, value.get<std::string>());
  return all;
}

Json expanded(const Json& object) {
  const auto result = interpolated(environment(object));
  EXPECT_TRUE(result);
  return result ? result->toJson() : Json();
}

TEST(EnvInterpolation, ReplacesReferencesOnce) {
  const Json out = expanded({{"A", "1"}, {"B", "${A}2"}, {"C", "${B}3"}, {"a", "small"}, {"D", "${a}${A}"}});
  EXPECT_EQ(out.dump(), R"({"A":"1","B":"12","C":"123","a":"small","D":"small1"})");
}

TEST(EnvInterpolation, TreatsDollarsAsTheContractSays) {
  EXPECT_EQ(expanded({{"X", "a$$b"}})["X"], "a$b");
  EXPECT_EQ(expanded({{"X", "$Y $"}, {"Y", "1"}})["X"], "$Y $");
  EXPECT_EQ(expanded({{"X", "p$$q ${NONE} $$r ${Y}"}, {"Y", "1"}})["X"], "p$q ${NONE} $$r ${Y}");
  EXPECT_EQ(expanded({{"X", "${envs:Y}"}, {"Y", "1"}})["X"], "1");
  EXPECT_EQ(expanded({{"X", "${other:Y}!"}, {"Y", "1"}})["X"], "${other:Y}!");
}

TEST(EnvInterpolation, RefusesBrokenReferences) {
  for (const char* value : {"${", "${}", "a${b", "${a:b:c}", "${X}"}) {
    const auto result = interpolated(environment({{"X", value}}));
    ASSERT_FALSE(result) << value;
    EXPECT_NE(result.error().what.find("'X'"), std::string::npos);
  }
}

TEST(EnvInterpolation, GoesTenLevelsDeep) {
  Json chain = Json::object();
  for (int i = 1; i <= 10; ++i) chain["V" + std::to_string(i)] = "${V" + std::to_string(i + 1) + "}";
  chain["V11"] = "end";
  EXPECT_EQ(expanded(chain)["V1"], "end");
  chain["V11"] = "${V12}";
  chain["V12"] = "end";
  EXPECT_FALSE(interpolated(environment(chain)));
}

TEST(EnvInterpolation, BoundsAnExplosion) {
  Json bomb = Json::object();
  for (int i = 0; i < 9; ++i) {
    std::string value;
    for (int k = 0; k < 40; ++k) value += "${V" + std::to_string(i + 1) + "}";
    bomb["V" + std::to_string(i)] = value;
  }
  bomb["V9"] = std::string(1000, 'x');
  EXPECT_FALSE(interpolated(environment(bomb)));
}

TEST(NameTemplate, IsPythonsSafeSubstitute) {
  const Environment env = environment({{"A", "1"}, {"B_2", "two"}});
  EXPECT_EQ(substituted("$A-${B_2}-$$-$C-${C}-$", env), "1-two-$-$C-${C}-$");
  EXPECT_EQ(substituted("$A.x ${A x} $1", env), "1.x ${A x} $1");
  EXPECT_EQ(substituted("$A $B_2", environment({{"A", "own"}}), env), "own two");
}

TEST(Plan, NamesTheWorldOfACluster) {
  const auto plan = makePlan(ClusterDocument(golden("guide")));
  ASSERT_TRUE(plan) << describe(plan.error());
  ASSERT_EQ(plan->nodes.size(), 3U);
  EXPECT_EQ(plan->nodes[0].role, NodeRole::Main);
  EXPECT_EQ(plan->nodes[2].displayName, "resnet-worker_1");
  EXPECT_EQ(plan->nodes[2].nodeRank, 2);
  EXPECT_EQ(plan->workDir, "oci://dt-bucket@mytenancy/clusters");
  const Json json = toJson(*plan);
  EXPECT_EQ(json["layout"], "runs");
  EXPECT_EQ(json["world"].dump(), R"({"nodes":3,"roles":{"MAIN":1,"WORKER":2},"ranksPerNode":2})");
  EXPECT_EQ(json["cost"]["currency"], "USD");
  ASSERT_EQ(json["issues"].size(), 1U);
  EXPECT_EQ(json["issues"][0]["code"], "image-unresolved");
  EXPECT_EQ(json["issues"][0]["line"], 21);
}

TEST(Plan, TakesTheImageForAnAtSign) {
  const auto plan = makePlan(ClusterDocument(golden("guide")),
                             {.image = "iad.ocir.io/t/r:7", .generatedName = "", .draft = false});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->requests[0].body["jobEnvironmentConfigurationDetails"]["image"], "iad.ocir.io/t/r:7");
  EXPECT_TRUE(plan->issues.empty());
}

TEST(Plan, ShowsADraftWithPlaceholders) {
  const ClusterDocument document(golden("placeholders"));
  EXPECT_FALSE(makePlan(document));
  const auto plan = makePlan(document, {.image = "", .generatedName = "", .draft = true});
  ASSERT_TRUE(plan) << describe(plan.error());
  EXPECT_EQ(plan->requests[0].body["projectId"], "oci.xxxx.<project_ocid>");
  EXPECT_TRUE(hasErrors(plan->issues));
}

TEST(Plan, TakesTheRegionOfTheProfileForAPublishedCondaEnvironment) {
  std::string text = golden("job_pytorch_published_conda");
  const std::string region = ", region: us-ashburn-1";
  const auto regionIn = [](const Plan& plan) {
    const Json& group =
        plan.requests[0].body["jobNodeConfigurationDetails"]["jobNodeGroupConfigurationDetailsList"][0];
    return group["jobConfigurationDetails"]["environmentVariables"].value("CONDA_ENV_REGION", "");
  };
  PlanOptions options;
  options.region = "eu-frankfurt-1";
  EXPECT_EQ(regionIn(makePlan(ClusterDocument(text), options).value()), "us-ashburn-1")
      << "the file's own counts";
  text.erase(text.find(region), region.size());
  EXPECT_TRUE(lacksRegion(ClusterDocument(text).spec()));
  EXPECT_EQ(regionIn(makePlan(ClusterDocument(text), options).value()), "eu-frankfurt-1");
  EXPECT_EQ(regionIn(makePlan(ClusterDocument(text)).value()), "");
}

TEST(Plan, MovesToAnotherTenancy) {
  const auto plan = makePlan(ClusterDocument(golden("guide")));
  ASSERT_TRUE(plan);
  const Plan moved = movedTo(*plan, {"c", "p", "s", "lg", "l", "oci://x@y/z"});
  const Json& job = moved.requests[0].body;
  EXPECT_EQ(job["compartmentId"], "c");
  EXPECT_EQ(job["projectId"], "p");
  EXPECT_EQ(job["jobInfrastructureConfigurationDetails"]["subnetId"], "s");
  EXPECT_EQ(job["jobLogConfigurationDetails"]["logGroupId"], "lg");
  EXPECT_EQ(job["jobLogConfigurationDetails"]["logId"], "l");
  EXPECT_EQ(job["jobConfigurationDetails"]["environmentVariables"]["OCI__WORK_DIR"], "oci://x@y/z");
  EXPECT_EQ(moved.requests[1].body["compartmentId"], "c");
  EXPECT_EQ(moved.requests[3].body["projectId"], "p");
  EXPECT_EQ(moved.workDir, "oci://x@y/z");
  EXPECT_EQ(movedTo(*plan, {}).requests[0].body, plan->requests[0].body);
}

TEST(Plan, KnowsTheGpusOfAShape) {
  EXPECT_EQ(ranksPerNodeOf("VM.Standard.E4.Flex"), 1);
  EXPECT_EQ(ranksPerNodeOf("VM.GPU.A10.2"), 2);
  EXPECT_EQ(ranksPerNodeOf("VM.GPU3.4"), 4);
  EXPECT_EQ(ranksPerNodeOf("BM.GPU.H100.8"), 8);
  EXPECT_EQ(ranksPerNodeOf("BM.GPU.SOMETHING"), std::nullopt);
}

TEST(Plan, MakesUpANameAsAdsDoes) {
  const TimePoint time = std::chrono::sys_days(std::chrono::year(2026) / 11 / 5) + std::chrono::hours(7) +
                         std::chrono::seconds(9);
  EXPECT_EQ(generatedJobName(time, std::string_view("\0\1", 2)), "amber-bison-2026-11-05-07:00.09");
}

}  // namespace
}  // namespace lockstep
