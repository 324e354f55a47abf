// SPDX-License-Identifier: GPL-3.0-or-later
// From an empty tenancy to a launch that succeeds, and back, on the command line alone: a real region, real
// node agents, and a docker of this test's own.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "cli_process.h"

using namespace lockstep;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr auto kTimeout = 240s;  // two nodes and their region on a loaded machine
constexpr const char* kNames = "/n/rehearsal/b";

// The ids are of nothing, as in an example that somebody has copied.
std::string trainYaml(const std::string& entryPoint) {
  return R"(# a cluster of two
kind: distributed
apiVersion: v1.0
spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: ocid1.datascienceproject.oc1.rehearsal.aaaaaaaaexample
      compartmentId: ocid1.compartment.oc1..aaaaaaaaexample
      displayName: story
      subnetId: ocid1.subnet.oc1.rehearsal.aaaaaaaaexample  # private
      logGroupId: ocid1.loggroup.oc1.rehearsal.aaaaaaaaexample
      logId: ocid1.log.oc1.rehearsal.aaaaaaaaexample
      shapeName: VM.Standard.E4.Flex
      shapeConfigDetails: {ocpus: 1, memoryInGBs: 16}
      blockStorageSize: 50
  cluster:
    kind: PYTORCH
    apiVersion: v1.0
    spec:
      image: rehearsal.ocir.io/rehearsal/story:1
      workDir: oci://story@rehearsal/runs
      name: story
      main: {name: story-main, replicas: 1}
      worker: {name: story-worker, replicas: 1}
  runtime:
    kind: python
    apiVersion: v1.0
    spec:
      entryPoint: )" +
         entryPoint + "\n";
}

struct SetupStory : testing::Test {
  CliHome home;

  ~SetupStory() override { home.run({"rehearsal", "stop"}); }

  void startRegion() {
    const CliExit started = home.run({"rehearsal", "start", "--seed", "empty", "--isolate", "off", "--json"});
    ASSERT_EQ(started.code(), 0) << started.err;
    const std::string endpoint = started.json().at("endpoint");
    script("bin/docker", docker(endpoint.substr(endpoint.find("//") + 2)));
    home.environment()["PATH"] = (home.path() / "bin").string() + ":/usr/local/bin:/usr/bin:/bin";
    home.environment()["DOCKER_CONFIG"] = (home.path() / "docker").string();
  }

  std::string script(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((home.path() / name).parent_path());
    const auto file = home.write(name, "#!/bin/sh\n" + text + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }

  // Up, with room on its disk, and logged in once it has been told to.
  [[nodiscard]] std::string docker(const std::string& registry) const {
    const std::string folder = (home.path() / "docker").string();
    const json info{
        {"ServerVersion", "24.0.7"}, {"DockerRootDir", home.path().string()}, {"Architecture", "x86_64"}};
    return "case \"$1\" in\n--version) echo Docker version 24.0.7;;\ninfo) echo '" + info.dump() +
           "';;\ncompose) echo Docker Compose version v2.24.5;;\nlogin) cat >/dev/null; mkdir -p '" + folder +
           "'; echo '{\"auths\":{\"" + registry + "\":{\"auth\":\"eA==\"}}}' >'" + folder +
           "/config.json';;\nlogout) rm '" + folder +
           "/config.json';;\n*) echo no such thing >&2; exit 1;;\nesac";
  }

  CliExit on(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--region", "rehearsal"});
    return home.start(std::move(arguments)).wait(kTimeout);
  }
  json get(const std::string& path) {
    const CliExit answer = on({"request", "GET", path, "--json"});
    return answer.json().is_object() ? answer.json().value("body", json()) : json();
  }

  std::string tenancy() {
    std::ifstream config(home.path() / ".oci/config");
    for (std::string line; std::getline(config, line);)
      if (line.starts_with("tenancy")) return line.substr(line.find("ocid1"));
    return {};
  }

  /// Names of all that there is, by listing; the default lists and tables of a VCN come and go with it.
  std::set<std::string> everything() {
    std::set<std::string> names;
    const std::string root = tenancy();
    std::vector<std::string> places{root};
    for (const json& one : get("/20160918/compartments?compartmentIdInSubtree=true&lifecycleState=ACTIVE"
                               "&compartmentId=" +
                               root)) {
      names.insert("compartment " + one.at("name").get<std::string>());
      places.push_back(one.at("id"));
    }
    for (const std::string& place : places)
      for (const char* list :
           {"/20160918/policies", "/20160918/dynamicGroups", "/20160918/vcns", "/20160918/subnets",
            "/20160918/serviceGateways", "/20190101/projects", "/20190101/jobs", "/20200531/logGroups",
            "/20160918/container/repositories", kNames}) {
        const json answer = get(std::string(list) + "?compartmentId=" + place);
        for (const json& one : answer.is_object() ? answer.value("items", json::array()) : answer) {
          const std::string state = one.value("lifecycleState", "");
          if (state == "DELETED" || state == "TERMINATED") continue;
          names.insert(std::string(list) + " " + one.value("displayName", one.value("name", "?")));
        }
      }
    return names;
  }

  /// What a run leaves in its work dir belongs to the user, not to set-up: the user deletes it.
  void emptyBucket(const std::string& bucket) {
    const std::string path = std::string(kNames) + "/" + bucket + "/o";
    const json list = get(path);
    for (const json& one : list.value("objects", json::array()))
      EXPECT_EQ(on({"request", "DELETE", path + "/" + one.at("name").get<std::string>()}).code(), 0);
  }
};

std::string statesOf(const json& report) {
  std::string text;
  for (const auto& [step, one] : report.items()) {
    text += step + ": " + one.at("state").get<std::string>() + "\n";
    for (const json& finding : one.at("findings"))
      if (finding.at("state") != "ready") text += "  " + finding.dump() + "\n";
  }
  return text;
}

}  // namespace

TEST_F(SetupStory, FromAnEmptyTenancyToALaunchAndBack) {
  startRegion();
  if (HasFatalFailure()) return;
  const std::string entry = script("train.sh", "echo \"rank $RANK of $WORLD_SIZE\"");
  home.write("train.yaml", trainYaml(entry));
  const auto before = everything();

  const CliExit empty = on({"check", "-f", "train.yaml", "--json"});
  EXPECT_EQ(empty.code(), 1) << empty.err;
  for (const char* step : {"project", "network", "bucket", "policies", "repository", "logging"})
    EXPECT_EQ(empty.json().at(step).at("state"), "blocked") << step;
  EXPECT_EQ(everything(), before) << "a check has made something";

  const CliExit fix = on({"fix", "-f", "train.yaml", "--yes", "--write", "train.yaml"});
  EXPECT_EQ(fix.code(), 0) << fix.out << fix.err;
  const CliExit ready = on({"check", "-f", "train.yaml", "--json"});
  EXPECT_EQ(ready.code(), 0) << statesOf(ready.json());
  const json reports = ready.json();
  EXPECT_EQ(reports.size(), 12u);
  for (const auto& [step, report] : reports.items()) {
    const std::string state = report.at("state");
    EXPECT_EQ(state, step == "hosts" ? "not-applicable" : "ready") << statesOf(reports);
  }

  const CliExit run = on({"run", "train.yaml", "--json", "--timeout", "3m"});
  ASSERT_EQ(run.code(), 0) << run.out << run.err;
  EXPECT_EQ(run.jsonLines().back().at("run").at("state"), "SUCCEEDED") << run.out;
  EXPECT_NE(run.out.find("rank 1 of 2"), std::string::npos) << run.out;

  EXPECT_EQ(on({"delete", "last", "--yes"}).code(), 0);
  emptyBucket("story");
  const CliExit undo = on({"fix", "--undo", "all", "--yes"});
  EXPECT_EQ(undo.code(), 0) << undo.out << undo.err;
  EXPECT_EQ(everything(), before);
  for (const json& one : on({"fix", "--list", "--json"}).json())
    EXPECT_TRUE(one.at("takenBack").get<bool>()) << one.dump();
}

// As `lockstep init` leaves a file whose ids nobody knows yet: one round of fixes, and it launches, with
// nothing in the root compartment.
TEST_F(SetupStory, ANewTenancyGetsACompartmentOfItsOwnAndLaunchesInIt) {
  startRegion();
  if (HasFatalFailure()) return;
  std::string text = trainYaml(script("train.sh", "echo \"rank $RANK of $WORLD_SIZE\""));
  for (std::size_t at = text.find("ocid1."); at != std::string::npos; at = text.find("ocid1.", at))
    text.replace(at, text.find("example", at) + 7 - at, "<OCID to be filled in>");
  home.write("train.yaml", text);
  const CliExit fix = on({"fix", "-f", "train.yaml", "--yes", "--write", "train.yaml"});
  EXPECT_EQ(fix.code(), 0) << fix.out << fix.err;
  const CliExit ready = on({"check", "-f", "train.yaml", "--json"});
  EXPECT_EQ(ready.code(), 0) << statesOf(ready.json());
  const std::string id = ready.json().at("project").at("facts").at("infrastructure.compartmentId");
  EXPECT_EQ(ready.json().at("project").at("names").at(id), "lockstep");
  for (const char* list : {"/20190101/projects", "/20160918/vcns", "/20160918/subnets", kNames,
                           "/20160918/container/repositories", "/20200531/logGroups"}) {
    const json answer = get(std::string(list) + "?compartmentId=" + tenancy());
    EXPECT_TRUE((answer.is_object() ? answer.value("items", json::array()) : answer).empty())
        << list << answer;
  }
  const CliExit run = on({"run", "train.yaml", "--json", "--timeout", "3m"});
  ASSERT_EQ(run.code(), 0) << run.out << run.err;
  EXPECT_EQ(run.jsonLines().back().at("run").at("state"), "SUCCEEDED") << run.out;
}
