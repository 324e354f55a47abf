// SPDX-License-Identifier: GPL-3.0-or-later
#include "starter/starter.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <iterator>
#include <set>
#include <sstream>

#include "base/atomic_file.h"
#include "cluster/document/cluster_document.h"
#include "plan/plan.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

StarterValues everything() {
  StarterValues values;
  values.compartment = "ocid1.compartment.oc1..aaaaaaaateam";
  values.project = "ocid1.datascienceproject.oc1.iad.aaaaaaaateam";
  values.subnet = "ocid1.subnet.oc1.iad.aaaaaaaateam";
  values.logGroup = "ocid1.loggroup.oc1.iad.aaaaaaaateam";
  values.log = "ocid1.log.oc1.iad.aaaaaaaateam";
  values.bucket = "dt-bucket@mytenancy";
  return values;
}

std::string said(const std::vector<Issue>& issues) {
  std::string text;
  for (const Issue& issue : issues) text += issue.field.toString() + ": " + issue.message + "\n";
  return text;
}

bool isTrainYaml(const StarterFile& file) {
  return file.path.starts_with("train") && file.path.ends_with(".yaml");
}

std::string textOf(const Starter& starter, const std::string& path) {
  for (const StarterFile& file : starter.files) {
    if (file.path == path) return std::string(file.content);
  }
  return {};
}

TEST(Starters, AreThoseThatAdsHasAndOurs) {
  std::set<std::string> names;
  for (const Starter& starter : starters()) names.insert(starter.name);
  EXPECT_EQ(names, (std::set<std::string>{"pytorch", "pytorch-cpp", "dask", "horovod-pytorch",
                                          "horovod-tensorflow", "tensorflow", "ray"}));
  EXPECT_EQ(findStarter("dask")->name, "dask");
  EXPECT_EQ(findStarter("node"), nullptr) << "the node runner is a part of others";
  EXPECT_EQ(findStarter(""), nullptr);
}

TEST(Starters, AreWhole) {
  for (const Starter& starter : starters()) {
    SCOPED_TRACE(starter.name);
    ASSERT_FALSE(starter.files.empty());
    EXPECT_EQ(starter.files.front().path, "train.yaml");
    EXPECT_FALSE(starter.title.empty());
    EXPECT_TRUE(starter.summary.ends_with("."));
    const std::string dockerfile = textOf(starter, "Dockerfile");
    EXPECT_NE(dockerfile.find("\nENTRYPOINT ["), std::string::npos);
    EXPECT_FALSE(textOf(starter, "README.md").empty());
    // Every file that the image wants is in the project, or the Dockerfile says how to get it.
    for (std::size_t at = 0; (at = dockerfile.find("\nCOPY ", at)) != std::string::npos; ++at) {
      std::istringstream words(dockerfile.substr(at + 6, dockerfile.find('\n', at + 1) - at - 6));
      std::vector<std::string> names(std::istream_iterator<std::string>(words), {});
      names.pop_back();  // where to
      for (const std::string& name : names) {
        const bool isSaid = dockerfile.find("# cp ") != std::string::npos && name.starts_with("lockstep-");
        EXPECT_TRUE(isSaid || !textOf(starter, name).empty()) << name;
      }
    }
  }
}

TEST(Starters, AreValidAndPlannedOnceTheirPlaceholdersAreFilledIn) {
  int seen = 0;
  for (const Starter& starter : starters()) {
    for (const StarterFile& file : starter.files) {
      if (!isTrainYaml(file)) continue;
      SCOPED_TRACE(starter.name + "/" + file.path);
      StarterValues values = everything();
      if (starter.name == "pytorch-cpp") values.image = "iad.ocir.io/mytenancy/lockstep-trainer:1";
      const auto text = filledIn(std::string(file.content), values);
      ASSERT_TRUE(text) << describe(text.error());
      EXPECT_EQ(text->find('<', text->find("\nkind: ")), std::string::npos) << "a placeholder is left";
      const ClusterDocument document(*text);
      for (const Issue& issue : document.issues()) {
        EXPECT_EQ(issue.severity, Severity::Info) << said({issue});
      }
      const auto plan = makePlan(document);
      ASSERT_TRUE(plan) << describe(plan.error());
      EXPECT_GE(plan->nodes.size(), 2U);
      EXPECT_EQ(plan->requests.size(), plan->nodes.size() + 1);
      ++seen;
    }
  }
  EXPECT_EQ(seen, 8) << "one each, and two for TensorFlow";
}

TEST(Starters, TheOneForTheRehearsalRegionIsReady) {
  const ClusterDocument document(textOf(*findStarter("pytorch-cpp"), "train.yaml"));
  EXPECT_TRUE(document.issues().empty()) << said(document.issues());
}

// Three ranks on two cores train some 800 pictures a second.
TEST(Starters, TheOneForTheRehearsalRegionTrainsForSecondsOnly) {
  const std::string text = textOf(*findStarter("pytorch-cpp"), "train.yaml");
  const auto argument = [&text](const std::string& name) {
    const std::size_t at = text.find("- --" + name + " ");
    return at == std::string::npos ? 0 : std::stoi(text.substr(at + name.size() + 5));
  };
  const int pictures = argument("make-data"), epochs = argument("epochs");
  EXPECT_GE(epochs, 2) << "there is something to follow";
  EXPECT_GE(pictures, 1000);
  EXPECT_LE(pictures * epochs, 6000);
}

TEST(Starters, HavePlaceholdersForIdsOnly) {
  for (const Starter& starter : starters()) {
    for (const StarterFile& file : starter.files) {
      if (!isTrainYaml(file) || starter.name == "pytorch-cpp") continue;
      SCOPED_TRACE(starter.name + "/" + file.path);
      const ClusterDocument document{std::string(file.content)};
      std::set<std::string> fields;
      for (const Issue& issue : document.issues()) fields.insert(issue.field.toString());
      EXPECT_EQ(fields, (std::set<std::string>{
                            "spec.infrastructure.spec.projectId", "spec.infrastructure.spec.compartmentId",
                            "spec.infrastructure.spec.subnetId", "spec.infrastructure.spec.logGroupId",
                            "spec.infrastructure.spec.logId", "spec.cluster.spec.image",
                            "spec.cluster.spec.workDir"}))
          << said(document.issues());
    }
  }
}

TEST(FilledIn, ChangesTheValuesAndNothingElse) {
  const std::string before = textOf(*findStarter("dask"), "train.yaml");
  StarterValues values;
  values.project = "ocid1.datascienceproject.oc1.iad.aaaaaaaateam";
  const auto after = filledIn(before, values);
  ASSERT_TRUE(after);
  const std::string placeholder = "<OCID of your Data Science project>";
  std::string expected = before;
  expected.replace(expected.find(placeholder), placeholder.size(), *values.project);
  EXPECT_EQ(*after, expected);
  EXPECT_EQ(*filledIn(before, {}), before);
}

TEST(FilledIn, PutsTheBucketIntoWorkDirAndTheNamespaceIntoTheImage) {
  StarterValues values;
  values.bucket = "b@ns";
  const auto text = filledIn(textOf(*findStarter("ray"), "train.yaml"), values);
  ASSERT_TRUE(text) << describe(text.error());
  EXPECT_NE(text->find("workDir: oci://b@ns/ray-search "), std::string::npos) << *text;
  EXPECT_NE(text->find("image: iad.ocir.io/ns/ray-search:1 "), std::string::npos);
  values.image = "fra.ocir.io/x/y:2";
  EXPECT_NE(filledIn(textOf(*findStarter("ray"), "train.yaml"), values)->find("image: fra.ocir.io/x/y:2 "),
            std::string::npos);
}

TEST(FilledIn, WantsTheNamespaceOfTheBucket) {
  for (const char* bucket : {"b", "b@", "@ns", "b@n@s", "oci://b", "b@ns/prefix", ""}) {
    StarterValues values;
    values.bucket = bucket;
    const auto text = filledIn(textOf(*findStarter("ray"), "train.yaml"), values);
    ASSERT_FALSE(text) << bucket;
    EXPECT_EQ(text.error().code, ErrorCode::InvalidArgument);
  }
}

TEST(WriteStarter, WritesEveryFileWithItsMode) {
  const TempDir dir;
  const auto folder = dir.path() / "new" / "project";
  const auto written = writeStarter(*findStarter("dask"), folder, everything());
  ASSERT_TRUE(written) << describe(written.error());
  EXPECT_EQ(written->front(), folder / "train.yaml");
  EXPECT_EQ(written->size(), findStarter("dask")->files.size());
  struct stat info {};
  ASSERT_EQ(::stat((folder / "node/run.sh").c_str(), &info), 0);
  EXPECT_TRUE(info.st_mode & S_IXUSR);
  ASSERT_EQ(::stat((folder / "gridsearch.py").c_str(), &info), 0);
  EXPECT_FALSE(info.st_mode & S_IXUSR);
  EXPECT_NE(readFile(folder / "train.yaml")->find("oci://dt-bucket@mytenancy/dask-search"),
            std::string::npos);
  EXPECT_EQ(*readFile(folder / "gridsearch.py"), textOf(*findStarter("dask"), "gridsearch.py"));
}

TEST(WriteStarter, RefusesBeforeAnythingIsWritten) {
  const TempDir dir;
  const auto inTheWay = dir.path() / "train.py";
  ASSERT_TRUE(writeFileAtomically(inTheWay, "mine"));
  const auto refused = writeStarter(*findStarter("pytorch"), dir.path());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::AlreadyExists);
  EXPECT_NE(refused.error().what.find(inTheWay.string()), std::string::npos);
  EXPECT_EQ(*readFile(inTheWay), "mine");
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "train.yaml"));

  std::filesystem::remove(inTheWay);
  std::filesystem::create_symlink("nowhere", inTheWay);  // a dangling link is in the way, too
  EXPECT_FALSE(writeStarter(*findStarter("pytorch"), dir.path()));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "train.yaml"));
}

TEST(WriteStarter, RefusesBadValuesBeforeAnythingIsWritten) {
  const TempDir dir;
  StarterValues values;
  values.bucket = "no-namespace";
  EXPECT_FALSE(writeStarter(*findStarter("ray"), dir.path() / "ray", values));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "ray"));
}

}  // namespace
}  // namespace lockstep
