// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "cli_process.h"

namespace lockstep {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Nothing is started and nobody is asked: the home is empty, and there is no network in it.
TEST(PoliciesCommand, PrintsStatementsReadyToPaste) {
  CliHome home;
  const CliExit done =
      home.run({"policies", "--group", "Deep/trainers", "--compartment", "ml:train", "--dynamic-group",
                "runs", "--mode", "scoped", "--bucket", "work", "--repo", "team/x"});
  EXPECT_EQ(done.code(), 0) << done.err;
  EXPECT_TRUE(contains(done.out,
                       "Allow dynamic-group runs to manage objects in compartment ml:train where "
                       "target.bucket.name = 'work'\n"))
      << done.out;
  EXPECT_TRUE(contains(
      done.out, "Allow group 'Deep'/'trainers' to manage data-science-jobs in compartment ml:train\n"));
  EXPECT_TRUE(contains(done.out, "target.repo.name = 'team/x'"));
  EXPECT_TRUE(contains(done.out, "all {resource.type = 'datasciencejobrun'"));
  EXPECT_TRUE(contains(done.err, "job runs write their logs")) << done.err;
  EXPECT_TRUE(contains(done.err, "page")) << "which page of the guides asks for more";
}

TEST(PoliciesCommand, TakesATrainYamlAndNamesWhatIsLeftToFillIn) {
  CliHome home;
  home.write(
      "train.yaml",
      "kind: distributed\nspec:\n  infrastructure:\n    spec: {compartmentId: ocid1.compartment.oc1..c}\n"
      "  cluster:\n    kind: PYTORCH\n    spec:\n      image: iad.ocir.io/ns/team/x:1\n"
      "      workDir: oci://work@ns/runs\n");
  const CliExit done = home.run({"policies", "train.yaml", "--mode", "scoped", "--json"});
  ASSERT_EQ(done.code(), 0) << done.err;
  const auto document = done.json();
  EXPECT_EQ(document["mode"], "scoped");
  EXPECT_FALSE(document["unsafe"]);
  EXPECT_EQ(document["placeholders"], nlohmann::json({"<group>"}));
  EXPECT_EQ(
      document["dynamicGroups"][0]["matchingRule"],
      "all {resource.type = 'datasciencejobrun', resource.compartment.id = 'ocid1.compartment.oc1..c'}");
  EXPECT_EQ(
      document["statements"][0]["statement"],
      "Allow dynamic-group lockstep-job-runs to read repos in compartment id ocid1.compartment.oc1..c where "
      "target.repo.name = 'team/x'");
  EXPECT_TRUE(contains(done.err, "<group>")) << done.err;
}

TEST(PoliciesCommand, TheProofOfConceptIsCalledUnsafe) {
  CliHome home;
  const CliExit done = home.run({"policies", "--mode", "poc", "--group", "g", "--compartment", "c"});
  EXPECT_EQ(done.code(), 0);
  EXPECT_TRUE(contains(done.err, "unsafe")) << done.err;
  EXPECT_TRUE(
      contains(done.out, "to manage all-resources in compartment c where request.utc-timestamp before '"));
  EXPECT_EQ(home.run({"policies", "--mode", "nonsense"}).code(), 2);
  EXPECT_EQ(home.run({"policies", "missing.yaml"}).code(), 1);
}

}  // namespace
}  // namespace lockstep
