// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs that this machine did not launch, and that no agent of ours runs: listed, taken up, read.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli_process.h"

using namespace lockstep;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

// Single jobs run their script as it is.
const char* const kJob = R"(kind: job
apiVersion: v1.0
spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: <OCID of your Data Science project>
      compartmentId: <OCID of your compartment>
      displayName: theirs
      subnetId: <OCID of a private subnet>
      logGroupId: <OCID of your log group>
      logId: <OCID of a custom log in that group>
      shapeName: VM.Standard.E4.Flex
      shapeConfigDetails: {ocpus: 1, memoryInGBs: 16}
      blockStorageSize: 50
  name: theirs
  runtime:
    kind: runtime
    type: container
    spec:
      image: iad.ocir.io/ns/own:1
      entrypoint: []
      cmd: "python3, /code/own.py"
)";
const char* const kScript =
    "for step in range(20):\n"
    "    print(f'step {step}: loss {1 / (step + 1):.4f}', flush=True)\n";

struct RemoteRunsTest : testing::Test {
  CliHome home;

  ~RemoteRunsTest() override { home.run({"rehearsal", "stop"}); }
  /// As if another machine had launched them.
  void forgetRuns() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(home.path()))
      if (entry.path().filename().string().starts_with("runs.")) std::filesystem::remove(entry.path());
  }
  CliExit run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--profile", "REHEARSAL"});
    return home.run(std::move(arguments));
  }
  json remote() { return run({"runs", "--remote", "--json"}).json(); }
};

TEST_F(RemoteRunsTest, AJobOfSomebodyElseIsListedTakenUpAndRead) {
  home.write("own.py", kScript);
  home.write("job.yaml", kJob);
  const CliExit theirs = home.start({"run", "--on", "rehearsal", "job.yaml"}).wait(120s);
  ASSERT_EQ(theirs.code(), 0) << theirs.out << theirs.err;
  forgetRuns();
  ASSERT_EQ(run({"runs", "--json"}).json(), json::array());

  const json listed = remote();
  ASSERT_EQ(listed.size(), 1U) << listed;
  EXPECT_EQ(listed[0].at("name"), "theirs");
  EXPECT_EQ(listed[0].at("state"), "SUCCEEDED");
  EXPECT_EQ(listed[0].at("jobRuns"), 1);
  EXPECT_TRUE(listed[0].at("run").is_null());
  EXPECT_FALSE(listed[0].at("project").get<std::string>().empty());
  EXPECT_FALSE(listed[0].at("createdBy").get<std::string>().empty());

  const std::string job = listed[0].at("jobId");
  const CliExit attached = run({"attach", job, "--json"});
  ASSERT_EQ(attached.code(), 0) << attached.err;
  const std::string id = attached.json().at(0).at("id");
  EXPECT_EQ(remote()[0].at("run"), id);
  EXPECT_EQ(run({"runs", "--json"}).json().at(0).at("id"), id);

  const CliExit watched = run({"watch", id, "--json"});
  EXPECT_EQ(watched.code(), 0) << watched.err;
  EXPECT_NE(watched.out.find("step 19: loss 0.0500"), std::string::npos) << watched.out;
  const json status = run({"status", id, "--json"}).json();
  EXPECT_EQ(status.at("step"), 20) << "its lines say so: " << status;

  const CliExit samples = run({"metrics", id, "--name", "node_cpu_percent", "--name", "loss"});
  EXPECT_EQ(samples.code(), 0) << samples.err;
  EXPECT_NE(samples.out.find("loss,"), std::string::npos) << samples.out;
  EXPECT_NE(samples.out.find("node_cpu_percent,"), std::string::npos) << "Monitoring has it: " << samples.out;
}

TEST_F(RemoteRunsTest, WhatIsNotThereOrMayNotBeSeenIsSaid) {
  ASSERT_EQ(home.run({"rehearsal", "start"}).code(), 0);
  EXPECT_EQ(remote(), json::array());
  const CliExit none = run({"runs", "--remote"});
  EXPECT_EQ(none.code(), 0);
  EXPECT_NE(none.err.find("no job of these compartments has run"), std::string::npos) << none.err;
  const CliExit running = run({"attach", "--running"});
  EXPECT_EQ(running.code(), 0);
  EXPECT_NE(running.err.find("no job of the tenancy is running"), std::string::npos) << running.err;
  const CliExit foreign = run({"runs", "--remote", "--compartment", "ocid1.compartment.oc1..nobody"});
  EXPECT_NE(foreign.code(), 0) << foreign.out;
  EXPECT_EQ(foreign.out, "");
  EXPECT_NE(run({"attach"}).code(), 0);
  EXPECT_NE(run({"attach", "ocid1.datasciencejob.oc1..nobody"}).code(), 0);
  EXPECT_NE(run({"runs", "--compartment", "ocid1.compartment.oc1..nobody"}).code(), 0) << "without --remote";
}

}  // namespace
