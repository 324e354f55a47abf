// SPDX-License-Identifier: GPL-3.0-or-later
// Job runs that find code at /code although no image is run, and what a container without an image runs.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "rehearsal/jobs/job_code.h"
#include "rehearsal/network/isolation/isolation_probe.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::vector<std::string> kEnded{"SUCCEEDED", "FAILED", "CANCELED"};
const std::string kName(32, 'a');

json containerOf(const json& entrypoint, const json& cmd) {
  return {{"jobEnvironmentConfigurationDetails",
           {{"jobEnvironmentType", "OCIR_CONTAINER"},
            {"image", "iad.ocir.io/ns/image:1"},
            {"entrypoint", entrypoint},
            {"cmd", cmd}}}};
}

fs::path makeCode(const RegionUnderTest& region) {
  const fs::path folder = region.stateFolder() / "code" / kName;
  fs::create_directories(folder / "lib");
  std::ofstream(folder / "hello.sh")
      << "echo hello from $0; cat /code/lib/word.txt \"$OCI__CODE_DIR/lib/word.txt\"; "
         "touch /code/new 2>&1; exit 0\n";
  std::ofstream(folder / "lib" / "word.txt") << "word\n";
  ::chmod((folder / "lib").c_str(), 0555);
  ::chmod(folder.c_str(), 0555);
  return folder;
}

json withTag(json job) {
  job["freeformTags"] = {{"lockstep-code", kName}};
  return job;
}

TEST(JobCode, AnEmptyEntrypointLeavesCmdAlone) {
  RegionUnderTest region("echo the image ran; exit 9", {"--isolate", "off"});
  const auto said = [&](const json& job) {
    const std::string run = region.launch(json::object(), job);
    EXPECT_EQ(region.waitForState(run, kEnded)["lifecycleState"], "SUCCEEDED");
    return region.messagesOf(run);
  };
  EXPECT_EQ(said(containerOf(json::array(), {"/bin/echo", "cmd alone"})),
            std::vector<std::string>{"cmd alone"});
  EXPECT_EQ(said(containerOf({"/bin/echo", "both"}, {"cmd"})), std::vector<std::string>{"both cmd"});
  EXPECT_EQ(said(containerOf({"/bin/echo", "alone"}, json::array())), std::vector<std::string>{"alone"});
  const json image = region.waitForState(region.launch(), kEnded);
  EXPECT_NE(image["lifecycleDetails"].get<std::string>().find("exit code 9"), std::string::npos) << image;
  const std::string none = region.launch(json::object(), containerOf(json::array(), json::array()));
  EXPECT_EQ(region.waitForState(none, kEnded)["lifecycleState"], "FAILED");
}

TEST(JobCode, AnIsolatedNodeFindsItAtItsPlaceAndCannotChangeIt) {
  if (const auto privilege = rehearsal::probeIsolation(); !privilege)
    GTEST_SKIP() << "nodes cannot be isolated here: " << describe(privilege.error());
  RegionUnderTest region;
  const fs::path folder = makeCode(region);
  const std::string run = region.launch({{"OCI__CODE_DIR", "/code"}},
                                        withTag(containerOf({"/bin/sh", "/code/hello.sh"}, json::array())));
  EXPECT_EQ(region.waitForState(run, kEnded)["lifecycleState"], "SUCCEEDED");
  const auto lines = region.messagesOf(run);
  ASSERT_EQ(lines.size(), 4u) << json(lines);
  EXPECT_EQ(lines[0], "hello from /code/hello.sh");
  EXPECT_EQ(lines[1] + lines[2], "wordword");
  EXPECT_NE(lines[3].find("Read-only file system"), std::string::npos) << lines[3];
  EXPECT_FALSE(fs::exists(folder / "new"));
}

TEST(JobCode, PathsLeadToItWhereNodesShareTheMachine) {
  RegionUnderTest region({}, {"--isolate", "off"});
  const fs::path folder = makeCode(region);
  const std::string run = region.launch(
      {{"A", "/code/lib"}, {"B", "https://host/code/x"}},
      withTag(containerOf({"/bin/sh", "-c"}, {"cat /code/lib/word.txt; echo $A $B $OCI__CODE_DIR"})));
  EXPECT_EQ(region.waitForState(run, kEnded)["lifecycleState"], "SUCCEEDED");
  EXPECT_EQ(region.messagesOf(run),
            (std::vector<std::string>{
                "word", (folder / "lib").string() + " https://host/code/x " + folder.string()}));
}

TEST(JobCode, GoesWithItsJobAndWithTheState) {
  RegionUnderTest region({}, {"--isolate", "off"});
  const fs::path folder = makeCode(region);
  const std::string run = region.launch(json::object(), withTag(containerOf({"/bin/true"}, json::array())));
  const std::string job = region.waitForState(run, kEnded)["jobId"];
  EXPECT_TRUE(fs::exists(folder));
  EXPECT_EQ(region.caller().send("DELETE", "/20190101/jobs/" + job + "?deleteRelatedJobRuns=true").status,
            204);
  EXPECT_FALSE(fs::exists(folder));
  makeCode(region);
  EXPECT_EQ(region.command({"reset"}).first, 0);
  EXPECT_FALSE(fs::exists(region.stateFolder()));
}

TEST(JobCode, OfALaunchThatWasKilledIsSweptWithTheNextStart) {
  RegionUnderTest region({}, {"--isolate", "off"});
  const fs::path kept = makeCode(region);
  region.waitForState(region.launch(json::object(), withTag(containerOf({"/bin/true"}, json::array()))),
                      kEnded);
  const fs::path old = kept.parent_path() / std::string(32, 'b'),
                 young = kept.parent_path() / std::string(32, 'c');
  for (const fs::path& folder : {old, young}) fs::create_directory(folder);
  for (const fs::path& folder : {old, kept})
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(2));
  region.killHard();
  region.start();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(kept));
}

TEST(JobCode, ARunWhoseCodeIsGoneSaysSo) {
  RegionUnderTest region({}, {"--isolate", "off"});
  const std::string run = region.launch(json::object(), withTag(containerOf({"/bin/true"}, json::array())));
  const json ended = region.waitForState(run, kEnded);
  EXPECT_EQ(ended["lifecycleState"], "FAILED");
  EXPECT_NE(ended["lifecycleDetails"].get<std::string>().find("not there any more"), std::string::npos)
      << ended;
}

TEST(JobCode, ATagThatNamesNoCopyCountsAsNone) {
  using rehearsal::codeNameIn;
  EXPECT_EQ(codeNameIn({{"freeformTags", {{"lockstep-code", kName}}}}), kName);
  for (const char* name : {"", "..", "../../etc", "/etc", "aaaa", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    EXPECT_EQ(codeNameIn({{"freeformTags", {{"lockstep-code", name}}}}), "") << name;
}

TEST(JobCode, OnlyWholePathsAreMapped) {
  using rehearsal::withCodeAt;
  EXPECT_EQ(withCodeAt("/code", "/x"), "/x");
  EXPECT_EQ(withCodeAt("cd /code && a=/code/b:/code", "/x"), "cd /x && a=/x/b:/x");
  for (const char* text : {"/codes", "/opt/code/a", "a/code", "/code.py", "https://host/code"})
    EXPECT_EQ(withCodeAt(text, "/x"), text);
}

}  // namespace
}  // namespace lockstep::testing
