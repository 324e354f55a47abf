// SPDX-License-Identifier: GPL-3.0-or-later
// Artifacts of jobs: uploaded once, read back, and run.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

const Lines kEnded{"SUCCEEDED", "FAILED", "CANCELED"};

class JobArtifact : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    region_ = std::make_unique<RegionUnderTest>("exit 0", Lines{"--grace-ms", "700"});
  }
  static void TearDownTestSuite() { region_.reset(); }
  static std::unique_ptr<RegionUnderTest> region_;

  static std::string makeJob(const json& environment = json::object(), const json& more = json::object()) {
    json body = region_->jobBody(environment);
    body.erase("jobEnvironmentConfigurationDetails");
    body["jobConfigurationDetails"].update(more);
    return region_->caller().post("/20190101/jobs", body).json()["id"];
  }
  static TestResponse upload(const std::string& job, const std::string& name, const std::string& bytes,
                             HeaderList headers = {}) {
    headers.emplace_back("content-disposition", "attachment; filename=" + name);
    headers.emplace_back("content-type", "application/octet-stream");
    return region_->caller().send("POST", "/20190101/jobs/" + job + "/artifact", bytes, headers);
  }
  static std::string content(const std::string& job) { return "/20190101/jobs/" + job + "/artifact/content"; }
  static json runOf(const std::string& job, const json& environment = json::object()) {
    const TestResponse run = region_->caller().post("/20190101/jobRuns", region_->runBody(job, environment));
    EXPECT_EQ(run.status, 200) << run.body;
    return region_->waitForState(run.json()["id"], kEnded);
  }
};
std::unique_ptr<RegionUnderTest> JobArtifact::region_;

TEST_F(JobArtifact, IsKeptOnceAndReadInPieces) {
  const std::string job = makeJob();
  EXPECT_EQ(region_->caller().get(content(job)).status, 404);
  EXPECT_EQ(region_->caller().send("HEAD", content(job)).status, 404);
  const TestResponse made = upload(job, "train.py", "print('hello')\n");
  ASSERT_TRUE(made.status == 200 || made.status == 204) << made.status << made.body;
  EXPECT_FALSE(made.header("etag").empty());
  const TestResponse head = region_->caller().send("HEAD", content(job));
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-length"), "15");
  EXPECT_EQ(head.header("content-disposition"), "attachment; filename=train.py");
  EXPECT_EQ(head.header("content-md5").size(), 24u);
  EXPECT_EQ(head.header("etag"), made.header("etag"));
  EXPECT_EQ(region_->caller().get(content(job)).body, "print('hello')\n");
  const TestResponse piece = region_->caller().get(content(job), {{"range", "bytes=6-11"}});
  EXPECT_EQ(piece.status, 206);
  EXPECT_EQ(piece.body, "'hello");
  EXPECT_EQ(piece.header("content-range"), "bytes 6-11/15");
  EXPECT_EQ(region_->caller().get(content(job), {{"range", "bytes=99-"}}).status, 416);
  EXPECT_EQ(upload(job, "other.py", "x").code(), "IncorrectState");
}

TEST_F(JobArtifact, UploadsAreChecked) {
  const std::string job = makeJob();
  EXPECT_EQ(upload("ocid1.datasciencejob.oc1..none", "a.py", "x").code(), "NotAuthorizedOrNotFound");
  EXPECT_EQ(upload(job, "../a.py", "x").code(), "InvalidParameter");
  EXPECT_EQ(upload(job, "a.py", "x", {{"content-md5", "AAAAAAAAAAAAAAAAAAAAAA=="}}).code(),
            "UnmatchedContentMD5");
  EXPECT_EQ(region_->caller().send("POST", "/20190101/jobs/" + job + "/artifact", "x").code(),
            "InvalidParameter");
  const HeaderList token{{"opc-retry-token", "artifact-1"}};
  const TestResponse first = upload(job, "a.py", "x", token), again = upload(job, "a.py", "x", token);
  EXPECT_EQ(again.status, first.status);
  EXPECT_EQ(again.header("etag"), first.header("etag"));
}

TEST_F(JobArtifact, AScriptRunsInItsHome) {
  const std::string python = makeJob(json::object(), {{"commandLineArguments", "--name 'a b' 3"}});
  upload(python, "main.py",
         "import os, sys\nprint(sys.argv[1:], os.environ['JOB_ARTIFACT_FILE_NAME'])\n"
         "print(os.getcwd() == os.environ['HOME'])\n");
  json ended = runOf(python);
  EXPECT_EQ(ended["lifecycleState"], "SUCCEEDED") << ended;
  EXPECT_EQ(region_->messagesOf(ended["id"]), (Lines{"['--name', 'a b', '3'] main.py", "True"}));
  const std::string shell = makeJob();
  upload(shell, "main.sh", "echo from bash ${BASH_VERSION:+yes}\nexit 6\n");
  ended = runOf(shell);
  EXPECT_NE(ended["lifecycleDetails"].get<std::string>().find("exit code 6"), std::string::npos) << ended;
  EXPECT_EQ(region_->messagesOf(ended["id"]), (Lines{"from bash yes"}));
}

TEST_F(JobArtifact, AnArchiveIsUnpacked) {
  TempDir temp;
  std::filesystem::create_directories(temp.path() / "code");
  std::ofstream(temp.path() / "code" / "run.py") << "from helper import word\nprint(word)\n";
  std::ofstream(temp.path() / "code" / "helper.py")
      << "word = 'unpacked " << std::string(200000, '#') << "'[:8]\n";
  const std::string at = "cd " + temp.path().string() + " && ";
  ASSERT_EQ(std::system((at + "tar -czf a.tar.gz code && python3 -m zipfile -c a.zip code").c_str()), 0);
  for (const std::string name : {"a.tar.gz", "a.zip"}) {
    std::ifstream file(temp.path() / name, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    const std::string job = makeJob({{"JOB_RUN_ENTRYPOINT", "code/run.py"}});
    upload(job, name, bytes);
    const json ended = runOf(job);
    EXPECT_EQ(ended["lifecycleState"], "SUCCEEDED") << ended << json(region_->messagesOf(ended["id"]));
    EXPECT_EQ(region_->messagesOf(ended["id"]), Lines{"unpacked"}) << name;
  }
}

TEST_F(JobArtifact, ALargeOneStandsInAFileOfItsOwn) {
  const std::string job = makeJob();
  const std::string bytes = "echo large\nexit 0\n" + std::string(300'000, '#');
  upload(job, "large.sh", bytes);
  EXPECT_EQ(region_->caller().get(content(job)).body, bytes);
  EXPECT_EQ(region_->messagesOf(runOf(job)["id"]), Lines{"large"});
  EXPECT_EQ(region_->caller().send("DELETE", "/20190101/jobs/" + job + "?deleteRelatedJobRuns=true").status,
            204);
  EXPECT_EQ(region_->caller().get(content(job)).status, 404);
}

TEST_F(JobArtifact, WhatCannotRunIsSaid) {
  json ended = runOf(makeJob());
  EXPECT_EQ(ended["lifecycleState"], "FAILED");
  EXPECT_NE(ended["lifecycleDetails"].get<std::string>().find("neither an artifact nor a container"),
            std::string::npos)
      << ended;
  const std::string job = makeJob();
  upload(job, "a.zip", "not read");
  ended = runOf(job);
  EXPECT_NE(ended["lifecycleDetails"].get<std::string>().find("JOB_RUN_ENTRYPOINT is not set"),
            std::string::npos)
      << ended;
}

TEST_F(JobArtifact, AContainersOwnWordsReplaceTheImages) {
  json body = region_->jobBody();
  body["jobEnvironmentConfigurationDetails"].update({{"entrypoint", {"/bin/echo", "one"}}, {"cmd", {"two"}}});
  body["jobConfigurationDetails"]["commandLineArguments"] = "'three four'";
  const std::string job = region_->caller().post("/20190101/jobs", body).json()["id"];
  EXPECT_EQ(region_->messagesOf(runOf(job)["id"]), Lines{"one two three four"});
}

}  // namespace
}  // namespace lockstep::testing
