// SPDX-License-Identifier: GPL-3.0-or-later
// What a new user has is rehearsed as it is, with real processes: each starter project from `init` to the end
// of its run, and a script of one's own in two files.
#include <gtest/gtest.h>

#include "cli_process.h"

using namespace lockstep;
using namespace std::chrono_literals;

namespace {

constexpr auto kTimeout = 240s;

bool hasModule(const std::string& module) {
  ProcessOptions options;
  options.command = {
      "/usr/bin/env", "python3", "-s", "-c",
      "import importlib.util, sys; sys.exit(importlib.util.find_spec('" + module + "') is None)"};
  options.environment = {{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}};
  auto process = ChildProcess::start(options);
  const auto exit = process ? process->waitFor(30s) : std::nullopt;
  return exit && exit->ok();
}

const std::string kInfrastructure = R"(apiVersion: v1.0
spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: <OCID of your Data Science project>
      compartmentId: <OCID of your compartment>
      displayName: own
      subnetId: <OCID of a private subnet>
      logGroupId: <OCID of your log group>
      logId: <OCID of a custom log in that group>
      shapeName: VM.Standard.E4.Flex
      shapeConfigDetails: {ocpus: 1, memoryInGBs: 16}
      blockStorageSize: 50
)";
const std::string kCluster = "kind: distributed\n" + kInfrastructure + R"(  cluster:
    kind: PYTORCH
    apiVersion: v1.0
    spec:
      image: iad.ocir.io/ns/own:1
      workDir: oci://theirs@elsewhere/clusters
      name: own
      main: {name: main, replicas: 1}
      worker: {name: worker, replicas: 2}
  runtime:
    kind: python
    apiVersion: v1.0
    spec:
      entryPoint: own.py
)";
const std::string kJob = "kind: job\n" + kInfrastructure + R"(  name: own
  runtime:
    kind: runtime
    type: container
    spec:
      image: iad.ocir.io/ns/own:1
      entrypoint: []
      cmd: "python3, /code/own.py"
      args: [--again, "two words"]
)";

struct StarterStory : testing::Test {
  CliHome home;

  ~StarterStory() override { home.run({"rehearsal", "stop"}); }

  CliExit rehearse(const std::string& starter) {
    const CliExit made = home.run({"init", "--framework", starter, starter});
    EXPECT_EQ(made.code(), 0) << made.err;
    return home.start({"run", "--on", "rehearsal", starter + "/train.yaml"}).wait(kTimeout);
  }
  /// It rehearses when this machine has the module; else it is named before anything starts.
  void expectStarter(const std::string& starter, const std::string& module, const std::string& says) {
    const CliExit run = rehearse(starter);
    if (hasModule(module)) {
      EXPECT_EQ(run.code(), 0) << run.out << run.err;
      EXPECT_NE(run.out.find(says), std::string::npos) << run.out << run.err;
      return;
    }
    EXPECT_EQ(run.code(), 1) << run.out << run.err;
    EXPECT_NE(run.err.find("'" + module + "'"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("install"), std::string::npos) << run.err;
    EXPECT_NE(home.run({"rehearsal", "status"}).code(), 0) << "a region was started for nothing";
  }
  void writeOwnScript() {
    home.write("own.py",
               "import os, sys\nimport helper\n"
               "print('rank', os.environ.get('RANK', 'none'), helper.word(), sys.argv[1:])\n");
    home.write("helper.py",
               "import pathlib\n\n\ndef word():\n"
               "    return pathlib.Path(__file__).with_name('word.txt').read_text().strip()\n");
    home.write("word.txt", "of the folder\n");
  }
};

TEST_F(StarterStory, PyTorch) {
  expectStarter("pytorch", "torch", "epoch 10/10 loss");
}

// The example that Lockstep opens with: few pictures, and yet something is learned from them.
TEST_F(StarterStory, PyTorchInCpp) {
  const CliExit run = rehearse("pytorch-cpp");
  EXPECT_EQ(run.code(), 0) << run.out << run.err;
  const std::string last = "Epoch 3/3: loss ", accuracy = "accuracy ";
  const std::size_t at = run.out.find(last);
  ASSERT_NE(at, std::string::npos) << run.out << run.err;
  EXPECT_LT(std::stod(run.out.substr(at + last.size())), 1.5) << "a guess among ten has a loss of 2.3";
  const std::size_t right = run.out.find(accuracy, at);
  ASSERT_NE(right, std::string::npos) << run.out;
  EXPECT_GT(std::stod(run.out.substr(right + accuracy.size())), 50.0);
}

TEST_F(StarterStory, Dask) {
  expectStarter("dask", "distributed", "best {");
}

TEST_F(StarterStory, HorovodPyTorch) {
  expectStarter("horovod-pytorch", "horovod", "epoch 10/10 loss");
}

TEST_F(StarterStory, HorovodTensorFlow) {
  expectStarter("horovod-tensorflow", "horovod", "wrote ");
}

TEST_F(StarterStory, TensorFlow) {
  expectStarter("tensorflow", "tensorflow", "wrote ");
}

TEST_F(StarterStory, RayIsRefusedInOneMessage) {
  const CliExit run = rehearse("ray");
  EXPECT_EQ(run.code(), 1);
  EXPECT_NE(run.err.find("a RAY cluster cannot be rehearsed"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("pip install ray"), std::string::npos) << run.err;
  EXPECT_NE(home.run({"rehearsal", "status"}).code(), 0);
}

TEST_F(StarterStory, AScriptOfOnesOwnInTwoFilesRunsOnThreeRanks) {
  writeOwnScript();
  home.write("train.yaml", kCluster);
  const CliExit run = home.start({"run", "--on", "rehearsal", "train.yaml"}).wait(kTimeout);
  EXPECT_EQ(run.code(), 0) << run.out << run.err;
  for (const char* rank : {"0", "1", "2"})
    EXPECT_NE(run.out.find(std::string("rank ") + rank + " of the folder"), std::string::npos) << run.out;
}

TEST_F(StarterStory, AScriptOfOnesOwnInTwoFilesRunsAsAJob) {
  writeOwnScript();
  home.write("job.yaml", kJob);
  const CliExit run = home.start({"run", "--on", "rehearsal", "job.yaml"}).wait(kTimeout);
  EXPECT_EQ(run.code(), 0) << run.out << run.err;
  EXPECT_NE(run.out.find("rank none of the folder ['--again', 'two words']"), std::string::npos)
      << run.out << run.err;
}

TEST_F(StarterStory, AScriptThatIsNotThereIsSaidBeforeAnythingStarts) {
  home.write("train.yaml", kCluster);
  const CliExit run = home.run({"run", "--on", "rehearsal", "train.yaml"});
  EXPECT_EQ(run.code(), 1);
  EXPECT_NE(run.err.find("'own.py' does not exist"), std::string::npos) << run.err;
  EXPECT_NE(home.run({"rehearsal", "status"}).code(), 0);
}

}  // namespace
