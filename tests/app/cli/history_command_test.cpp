// SPDX-License-Identifier: GPL-3.0-or-later
// Searching, marking, comparing and relaunching by the real program, over runs that are over.
#include <gtest/gtest.h>

#include "cli_process.h"
#include "ended_run.h"
#include "runs/run_store.h"
#include "workdir/file_object_store.h"

using namespace lockstep;
using nlohmann::json;

namespace {

constexpr const char* kText = R"(kind: distributed
apiVersion: v1.0
spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: ocid1.datascienceproject.oc1.iad.aaaaaaaalockstep
      compartmentId: ocid1.compartment.oc1..aaaaaaaalockstep
      displayName: cifar
      subnetId: ocid1.subnet.oc1.iad.aaaaaaaalockstep
      shapeName: VM.GPU.A10.1
      blockStorageSize: 50
  cluster:
    kind: PYTORCH
    apiVersion: v1.0
    spec:
      image: iad.ocir.io/ns/cifar:1
      workDir: oci://bucket@ns/cifar
      name: cifar
      main: {name: main, replicas: 1}
      worker: {name: worker, replicas: 1}
  runtime:
    kind: python
    apiVersion: v1.0
    spec:
      entryPoint: train.py
      args: ["--lr", ")";

struct HistoryCommandTest : testing::Test {
  CliHome home;

  void SetUp() override {
    put("cifar-aaaa", "0.1", 0.5, 100);
    put("cifar-bbbb", "0.01", 0.4, 50);
  }
  void put(const std::string& id, const std::string& rate, double loss, int age) {
    TrainingRun run;
    run.id = RunId(id);
    run.name = "cifar";
    run.profile = "TEAM";
    run.jobId = JobId("ocid1.datasciencejob.oc1.iad." + id);
    run.created = TimePoint(std::chrono::seconds(1'790'000'000 - age));
    run.finished = run.created + std::chrono::hours(2);
    run.launchComplete = true;
    run.trainYaml = kText + rate + "\"]\n";
    for (int i = 0; i < 2; ++i) {
      NodeRun node;
      node.id = JobRunId("run-" + id + std::to_string(i));
      node.state = JobRunState::Succeeded;
      node.started = run.created;
      node.finished = run.finished;
      run.nodes.push_back(node);
    }
    auto store = RunStore::open(home.environment().at("LOCKSTEP_HOME") + "/data/runs.sqlite");
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->save(run));
    ASSERT_TRUE(
        store->keepResults(run.id, {{std::string(metric::kLoss), loss, 999, loss - 0.01, 990, loss, 0.001}}));
  }
  std::vector<std::string> found(std::vector<std::string> search) {
    search.insert(search.begin(), {"runs", "--json"});
    const CliExit listed = home.run(search);
    EXPECT_EQ(listed.code(), 0) << listed.err;
    std::vector<std::string> ids;
    for (const json& row : listed.json()) ids.push_back(row.at("id"));
    return ids;
  }
};

using Ids = std::vector<std::string>;

}  // namespace

TEST_F(HistoryCommandTest, RunsAreSearched) {
  EXPECT_EQ(found({}), (Ids{"cifar-bbbb", "cifar-aaaa"}));
  EXPECT_EQ(found({"loss<0.45"}), Ids{"cifar-bbbb"});
  EXPECT_EQ(found({"cifar", "best.loss>0.4"}), Ids{"cifar-aaaa"});
  EXPECT_EQ(found({"--", "-loss<0.45"}), Ids{"cifar-aaaa"});
  EXPECT_TRUE(found({"unheard_of<1"}).empty());
  const CliExit wrong = home.run({"runs", "nmae:x"});
  EXPECT_EQ(wrong.code(), 2);
  EXPECT_NE(wrong.err.find("character 1"), std::string::npos) << wrong.err;
}

TEST_F(HistoryCommandTest, WhatWasFoundInARunIsListedAndSearched) {
  EXPECT_TRUE(home.run({"runs", "--json"}).json().at(0).at("findings").is_null());  // nobody has looked
  EXPECT_TRUE(found({"findings>=0"}).empty());
  auto store = RunStore::open(home.environment().at("LOCKSTEP_HOME") + "/data/runs.sqlite");
  ASSERT_TRUE(store);
  ASSERT_TRUE(store->keepFindings(RunId("cifar-aaaa"), {2, "critical", {"stall", "straggler"}}));
  ASSERT_TRUE(store->keepFindings(RunId("cifar-bbbb"), {}));
  EXPECT_EQ(found({"findings>0"}), Ids{"cifar-aaaa"});
  const json rows = home.run({"runs", "--json"}).json();
  EXPECT_EQ(rows.at(1).at("findings"),
            json::parse(R"({"count":2,"worst":"critical","kinds":["stall","straggler"]})"));
  EXPECT_EQ(rows.at(0).at("findings"), json::parse(R"({"count":0,"worst":null,"kinds":[]})"));
}

TEST_F(HistoryCommandTest, TagsNotesGroupsPinsAndTheArchive) {
  EXPECT_EQ(home.run({"tag", "cifar-a", "+paper", "+hot", "+old"}).code(), 0);
  EXPECT_EQ(home.run({"tag", "cifar-a", "-hot", "-old", "+new"}).out, "cifar-aaaa +new +paper\n");
  EXPECT_EQ(found({"tag:paper"}), Ids{"cifar-aaaa"});
  EXPECT_EQ(home.run({"tag", "cifar-a", "paper"}).code(), 2);
  EXPECT_EQ(home.run({"tag", "cifar-a"}).code(), 2);
  EXPECT_EQ(home.run({"note", "cifar-a", "the one of Friday"}).code(), 0);
  EXPECT_EQ(home.run({"group", "cifar-a", "sweep"}).code(), 0);
  EXPECT_EQ(home.run({"pin", "cifar-a"}).code(), 0);
  EXPECT_EQ(found({"friday", "group:sweep", "is:pinned"}), Ids{"cifar-aaaa"});
  const CliExit archived = home.run({"archive", "cifar-a"});
  EXPECT_EQ(archived.code(), 0) << archived.err;
  EXPECT_NE(archived.err.find("kept lines freed on this machine: nothing"), std::string::npos)
      << archived.err;
  EXPECT_EQ(found({}), Ids{"cifar-bbbb"});
  EXPECT_EQ(found({"--archived"}), (Ids{"cifar-bbbb", "cifar-aaaa"}));
  EXPECT_EQ(found({"is:archived"}), Ids{"cifar-aaaa"});
  EXPECT_EQ(home.run({"archive", "--undo", "cifar-a"}).code(), 0);
  EXPECT_EQ(found({}).size(), 2u);
}

TEST_F(HistoryCommandTest, TwoRunsAreComparedFromWhatIsStored) {
  const CliExit text = home.run({"compare", "cifar-a", "cifar-b"});
  EXPECT_EQ(text.code(), 0) << text.err;
  EXPECT_EQ(text.out.substr(0, text.out.find('\n')),
            "cifar-bbbb's loss is 0.100 ± 0.003 lower than cifar-aaaa's");
  EXPECT_NE(text.out.find("arguments: --lr"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("+      args: [\"--lr\", \"0.01\"]"), std::string::npos) << text.out;
  const json document = home.run({"compare", "--json", "cifar-a", "cifar-b"}).json();
  EXPECT_EQ(document.at("verdict").at("best"), "cifar-bbbb");
  EXPECT_EQ(document.at("verdict").at("clear"), true);
  EXPECT_EQ(document.at("differences").size(), 1u);
  EXPECT_GT(document.at("runs")[0].at("cost").at("soFar"), 0);
  EXPECT_EQ(home.run({"compare", "cifar-a"}).code(), 2);
}

TEST_F(HistoryCommandTest, ARunThatLockstepDidNotLaunchIsComparedWithOneOfOurs) {
  const auto workDir = openFolder(home.path() / "work");
  putEndedRun(workDir);
  const CliExit compared = home.run({"compare", "--json", "--by", "step", "cifar-b",
                                     "file://" + (home.path() / "work" / "Undefined").string()});
  ASSERT_EQ(compared.code(), 0) << compared.err;
  const json document = compared.json();
  EXPECT_EQ(document.at("metric"), "loss");
  EXPECT_NEAR(document.at("runs")[1].at("results").at("loss").at("last").get<double>(), 1.0 / kEndedSteps,
              1e-6);
  ASSERT_EQ(document.at("curves").size(), 2u);
  EXPECT_EQ(document.at("curves")[1].size(), static_cast<std::size_t>(kEndedSteps));
  EXPECT_EQ(found({}).size(), 2u);  // it is only read
}

TEST_F(HistoryCommandTest, ARelaunchShowsWhatWouldBeOther) {
  const CliExit same = home.run({"relaunch", "cifar-a", "--dry-run", "--on", "rehearsal"});
  EXPECT_EQ(same.code(), 0) << same.err;
  EXPECT_EQ(same.out, "");
  const CliExit other = home.run({"relaunch", "cifar-a", "--dry-run", "--on", "rehearsal", "--set",
                                  "arg.lr=0.5", "--set", "spec.cluster.spec.worker.replicas=3"});
  EXPECT_EQ(other.code(), 0) << other.err;
  EXPECT_NE(other.out.find("+      args: [\"--lr\", \"0.5\"]"), std::string::npos) << other.out;
  EXPECT_NE(other.out.find("+      worker: {name: worker, replicas: 3}"), std::string::npos) << other.out;
  EXPECT_EQ(home.run({"relaunch", "cifar-a", "--dry-run", "--set", "arg.lr"}).code(), 2);
}

TEST_F(HistoryCommandTest, ASweepListsItsPointsAndRefusesWhatIsNone) {
  const auto file = home.write("train.yaml", std::string(kText) + "0.1\"]\n");
  const CliExit listed = home.run({"sweep", file.string(), "--on", "rehearsal", "--dry-run", "--arg",
                                   "lr=1,2", "--arg", "batch-size=32,64"});
  EXPECT_EQ(listed.code(), 0) << listed.err;
  EXPECT_EQ(listed.out, "lr=1 batch-size=32\nlr=1 batch-size=64\nlr=2 batch-size=32\nlr=2 batch-size=64\n");
  EXPECT_EQ(home.run({"sweep", file.string(), "--arg", "lr=1,1"}).code(), 2);
  EXPECT_EQ(home.run({"sweep", file.string(), "--arg", "lr"}).code(), 2);
}
