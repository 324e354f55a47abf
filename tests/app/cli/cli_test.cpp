// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "cli_process.h"

using namespace lockstep;
using nlohmann::json;

namespace {

const std::string kStarter = LOCKSTEP_STARTERS "/pytorch-cpp/train.yaml";
const std::string kTemplate = LOCKSTEP_STARTERS "/pytorch/train.yaml";

struct CliTest : testing::Test {
  CliHome home;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_F(CliTest, WrongUsageIsTwoAndSaysWhat) {
  const std::vector<std::vector<std::string>> kWrong{{"no-such-command"},
                                                     {"validate"},
                                                     {"plan", "a", "b"},
                                                     {"validate", "--no-such-option", "x"},
                                                     {"--color", "pink", "runs"},
                                                     {"run", "--on", "mars", "x"},
                                                     {"metrics", "last", "--format", "xml"},
                                                     {"watch", "last", "--rank", "-1"},
                                                     {"watch", "last", "--since", "yesterday"},
                                                     {"check", "no-such-step"},
                                                     {"rehearsal"},
                                                     {"rehearsal", "start", "--port", "70000"},
                                                     {"request", "GET"},
                                                     {"request", "GET", "http://x/", "--date", "now"}};
  for (const auto& arguments : kWrong) {
    const CliExit done = home.run(arguments);
    EXPECT_EQ(done.code(), 2) << arguments[0] << done.out << done.err;
    EXPECT_TRUE(done.out.empty()) << done.out;
    EXPECT_FALSE(done.err.empty());
  }
}

TEST_F(CliTest, HelpAndVersionAreResults) {
  EXPECT_TRUE(contains(home.run({"--version"}).out, "lockstep 0."));
  const CliExit help = home.run({"run", "--help"});
  EXPECT_EQ(help.code(), 0);
  EXPECT_TRUE(contains(help.out, "--detach"));
  const CliExit bare = home.run({});  // no display here
  EXPECT_EQ(bare.code(), 0);
  EXPECT_TRUE(contains(bare.out, "Subcommands"));
}

TEST_F(CliTest, ValidateAcceptsTheStarter) {
  const CliExit done = home.run({"validate", kStarter, "--json"});
  EXPECT_EQ(done.code(), 0) << done.err;
  EXPECT_EQ(done.json().at("valid"), true);
  EXPECT_EQ(done.json().at("issues"), json::array());
  EXPECT_EQ(home.run({"validate", kStarter}).code(), 0);
}

TEST_F(CliTest, ValidateNamesThePlaceOfEachIssue) {
  const CliExit text = home.run({"validate", kTemplate});
  EXPECT_EQ(text.code(), 1);
  EXPECT_TRUE(contains(text.out, kTemplate + ":14:18: error: ")) << text.out;
  const CliExit done = home.run({"validate", kTemplate, "--json"});
  EXPECT_EQ(done.code(), 1);
  const json first = done.json().at("issues").at(0);
  EXPECT_EQ(first.at("line"), 14);
  EXPECT_EQ(first.at("column"), 18);
  EXPECT_EQ(first.at("severity"), "error");
  EXPECT_EQ(first.at("field"), "spec.infrastructure.spec.projectId");
  EXPECT_FALSE(first.at("remedy").get<std::string>().empty());
}

TEST_F(CliTest, InitWritesAProjectThatIsValidOnceFilledIn) {
  const CliExit done =
      home.run({"init", "--framework", "dask", "proj", "--compartment", "ocid1.compartment.oc1..aaaaaaaateam",
                "--project", "ocid1.datascienceproject.oc1.iad.aaaaaaaateam", "--subnet",
                "ocid1.subnet.oc1.iad.aaaaaaaateam", "--log-group", "ocid1.loggroup.oc1.iad.aaaaaaaateam",
                "--log", "ocid1.log.oc1.iad.aaaaaaaateam", "--bucket", "b@ns"});
  EXPECT_EQ(done.code(), 0) << done.err;
  EXPECT_TRUE(contains(done.out, "proj/train.yaml\n")) << done.out;
  EXPECT_TRUE(contains(done.err, "is ready")) << done.err;
  EXPECT_EQ(home.run({"validate", "proj/train.yaml"}).code(), 0);
  EXPECT_TRUE(std::filesystem::exists(home.path() / "proj/node/node.py"));
}

TEST_F(CliTest, InitRefusesToOverwriteAndKnowsItsFrameworks) {
  const CliExit first = home.run({"init", "-f", "ray", "proj", "--json"});
  EXPECT_EQ(first.code(), 0) << first.err;
  EXPECT_EQ(first.json().at("openPlaces"), 7) << "five ids, the image's namespace, the bucket";
  const CliExit again = home.run({"init", "-f", "ray", "proj"});
  EXPECT_EQ(again.code(), 1);
  EXPECT_TRUE(contains(again.err, "proj/train.yaml' exists")) << again.err;
  const CliExit unknown = home.run({"init", "-f", "mxnet", "other"});
  EXPECT_EQ(unknown.code(), 2);
  EXPECT_TRUE(contains(unknown.err, "horovod-tensorflow")) << unknown.err;
  EXPECT_EQ(home.run({"init"}).code(), 2);
  EXPECT_FALSE(std::filesystem::exists(home.path() / "other"));
  EXPECT_EQ(home.run({"init", "-f", "ray", "p2", "--bucket", "no-namespace"}).code(), 1);
  EXPECT_FALSE(std::filesystem::exists(home.path() / "p2"));
  const CliExit list = home.run({"init", "--list", "--json"});
  EXPECT_EQ(list.json().size(), 7u);
  EXPECT_EQ(home.run({"init", "--list"}).code(), 0);
}

TEST_F(CliTest, BrokenYamlIsExplainedWhereItBreaks) {
  home.write("train.yaml", "kind: distributed\nspec: {a: [1, 2\n");
  const CliExit done = home.run({"validate", "train.yaml"});
  EXPECT_EQ(done.code(), 1);
  EXPECT_TRUE(contains(done.out, "train.yaml:")) << done.out;
  EXPECT_TRUE(contains(done.out, "error")) << done.out;
  for (const char* command : {"plan", "run"}) EXPECT_EQ(home.run({command, "train.yaml"}).code(), 1);
}

TEST_F(CliTest, AMissingFileIsNamed) {
  for (const char* command : {"validate", "plan", "run"}) {
    const CliExit done = home.run({command, "nowhere.yaml"});
    EXPECT_EQ(done.code(), 1) << command;
    EXPECT_TRUE(contains(done.err, "nowhere.yaml")) << done.err;
    EXPECT_TRUE(contains(done.err, "No such file")) << done.err;
  }
}

TEST_F(CliTest, PlanShowsTheRequestsInOrder) {
  const CliExit done = home.run({"plan", kStarter, "--json"});
  EXPECT_EQ(done.code(), 0) << done.err;
  const json plan = done.json();
  EXPECT_EQ(plan.at("layout"), "runs");
  ASSERT_EQ(plan.at("requests").size(), 4u);
  EXPECT_EQ(plan["requests"][0].at("operation"), "CreateJob");
  for (int i = 1; i < 4; ++i) {
    const json body = plan["requests"][i].at("body");
    EXPECT_EQ(plan["requests"][i].at("operation"), "CreateJobRun");
    EXPECT_EQ(body.at("jobId"), "${job}");
    const json environment = body.at("jobConfigurationOverrideDetails").at("environmentVariables");
    EXPECT_EQ(environment.at("OCI__MODE"), i == 1 ? "MAIN" : "WORKER");
    EXPECT_EQ(environment.at("RANK"), std::to_string(i - 1));
  }
  EXPECT_EQ(plan.at("world").at("nodes"), 3);
  const CliExit text = home.run({"plan", kStarter});
  EXPECT_EQ(text.code(), 0);
  EXPECT_TRUE(contains(text.out, "4 requests for 3 nodes; nothing was sent")) << text.out;
}

TEST_F(CliTest, PlanTellsLayoutWorldSizeAndCost) {
  const std::string runs = home.run({"plan", kStarter}).out;
  EXPECT_TRUE(contains(runs, "layout: one job run per node: 3 job runs\nworld size ")) << runs;
  EXPECT_TRUE(contains(runs, "\ncost: ")) << runs;
  EXPECT_TRUE(contains(runs, "_1', node 2, as '")) << runs;
  EXPECT_TRUE(contains(runs, "environmentVariables.RANK = 2\n")) << runs;
  auto text = readFile(kStarter).value();
  text.replace(text.find("spec:\n"), 6, "spec:\n  multiNode: {}\n");
  const CliExit nodes = home.run({"plan", home.write("nodes.yaml", text).string()});
  EXPECT_EQ(nodes.code(), 0) << nodes.err;
  EXPECT_TRUE(contains(nodes.out, "layout: one native multi-node job: 1 job run that spans 3 nodes\n"))
      << nodes.out;
  EXPECT_TRUE(contains(nodes.out, "jobNodeGroupConfigurationDetailsList[0].replicas = 3\n")) << nodes.out;
}

TEST_F(CliTest, AFileWithPlaceholdersShowsWhatItWouldSend) {
  const CliExit done = home.run({"plan", kTemplate, "--json"});
  EXPECT_EQ(done.code(), 0) << done.err;
  EXPECT_EQ(done.json().at("requests").size(), 4u);
  EXPECT_GE(done.json().at("issues").size(), 6u) << "the placeholders are still named";
}

TEST_F(CliTest, WhatCannotBeRehearsedIsSaidBeforeAnythingStarts) {
  const CliExit ray = home.run({"run", LOCKSTEP_STARTERS "/ray/train.yaml", "--on", "rehearsal"});
  EXPECT_EQ(ray.code(), 1);
  EXPECT_TRUE(contains(ray.err, "a RAY cluster cannot be rehearsed")) << ray.err;
  EXPECT_FALSE(std::filesystem::exists(home.path() / "lockstep/data/rehearsal")) << "a region was started";
  auto nodes = readFile(LOCKSTEP_STARTERS "/ray/train.yaml").value();
  nodes.replace(nodes.find("spec:\n"), 6, "spec:\n  multiNode: {}\n");
  const auto file = home.write("nodes.yaml", nodes);
  const CliExit done = home.run({"run", file.string(), "--on", "rehearsal"});
  EXPECT_EQ(done.code(), 1);
  EXPECT_TRUE(contains(done.err, "cluster cannot be rehearsed")) << done.err;
}

TEST_F(CliTest, APlanThatCannotBeHasIssuesAndNoRequests) {
  const auto file = home.write("broken.yaml", "kind: distributed\nspec:\n  cluster: {kind: PYTORCH}\n");
  const CliExit done = home.run({"plan", file.string(), "--json"});
  EXPECT_EQ(done.code(), 1);
  EXPECT_EQ(done.json().at("requests"), json::array());
  EXPECT_FALSE(done.json().at("issues").empty());
  EXPECT_TRUE(contains(done.err, "broken.yaml:")) << done.err;
}

TEST_F(CliTest, AnUnknownRunIsExplained) {
  for (const char* command : {"status", "watch", "cancel", "metrics", "show-config", "delete"}) {
    const CliExit done = home.run({command, "last"});
    EXPECT_EQ(done.code(), 1) << command;
    EXPECT_TRUE(contains(done.err, "no run 'last'")) << done.err;
  }
  EXPECT_EQ(home.run({"runs"}).code(), 0);
  EXPECT_EQ(home.run({"runs", "--json"}).json(), json::array());
}

TEST_F(CliTest, AFileThatIsNoInfoFileIsExplained) {
  home.write("notes.txt", "hello\n");
  const CliExit done = home.run({"status", "notes.txt"});
  EXPECT_EQ(done.code(), 1);
  EXPECT_TRUE(contains(done.err, "notes.txt")) << done.err;
}

TEST_F(CliTest, ADamagedHistoryIsExplainedAndKept) {
  std::filesystem::create_directories(home.path() / "lockstep/data");
  const auto file = home.write("lockstep/data/runs.sqlite", std::string(5000, 'x'));
  const CliExit done = home.run({"runs"});
  EXPECT_EQ(done.code(), 1);
  EXPECT_TRUE(contains(done.err, "runs.sqlite")) << done.err;
  EXPECT_EQ(readFile(file)->size(), 5000u);
}

TEST_F(CliTest, WithoutARegionStatusSaysSo) {
  const CliExit done = home.run({"rehearsal", "status", "--json"});
  EXPECT_EQ(done.code(), 1);
  EXPECT_EQ(done.json(), json({{"running", false}}));
  EXPECT_EQ(home.run({"rehearsal", "status"}).code(), 1);
}

TEST_F(CliTest, ARegionThatDoesNotEnforceRulesSaysSoWhereverItIsAskedFor) {
  const std::string said =
      "security rules are kept but not enforced: isolation of job run nodes is turned off";
  const CliExit start = home.run({"rehearsal", "start", "--tls", "--isolate", "off"});
  EXPECT_TRUE(contains(start.err, said)) << start.err;
  EXPECT_TRUE(contains(home.run({"rehearsal", "status"}).err, said));
  const CliExit environment = home.run({"rehearsal", "environment"});
  EXPECT_TRUE(contains(environment.err, said)) << environment.err;
  EXPECT_FALSE(contains(environment.out, said)) << "a shell evaluates this: " << environment.out;
  EXPECT_EQ(home.run({"rehearsal", "stop"}).code(), 0);
}

TEST_F(CliTest, RequestSignsThePublishedSample) {
  home.write(
      "config",
      "[DEFAULT]\ntenancy=ocid1.tenancy.oc1..aaaaaaaaba3pv6wkcr4jqae5f15p2b2m2yt2j6rx32uzr4h25vqstifsfdsq\n"
      "user=ocid1.user.oc1..aaaaaaaat5nvwcna5j6aqzjcaty5eqbb6qt2jvpkanghtgdaqedqw3rynjq\n"
      "fingerprint=73:61:a2:21:67:e0:df:be:7e:4b:93:1e:15:98:a5:b7\nregion=us-phoenix-1\nkey_"
      "file=" LOCKSTEP_TEST_DATA "/signing/published_sample.pem\n");
  const CliExit done =
      home.run({"request", "GET",
                "https://iaas.us-phoenix-1.oraclecloud.com/20160918/"
                "instances?availabilityDomain=Pjwf%3A%20PHX-AD-1&compartmentId="
                "ocid1.compartment.oc1..aaaaaaaam3we6vgnherjq5q2idnccdflvjsnog7mlr6rtdb25gilchfeyjxa&"
                "displayName=TeamXInstances&"
                "volumeId=ocid1.volume.oc1.phx.abyhqljrgvttnlx73nmrwfaux7kcvzfs3s66izvxf2h4lgvyndsdsnoiwr5q",
                "--dry-run", "--json", "--config", "config", "--date", "Thu, 05 Jan 2014 21:31:40 GMT"});
  ASSERT_EQ(done.code(), 0) << done.err;
  EXPECT_TRUE(contains(
      done.json().at("authorization"),
      "GBas7grhyrhSKHP6AVIj/h5/Vp8bd/peM79H9Wv8kjoaCivujVXlpbKLjMPeDUhxkFIWtTtLBj3sUzaFj34XE6YZAHc9r2Dm"
      "E4pMwOAy/kiITcZxa1oHPOeRheC0jP2dqbTll8fmTZVwKZOKHYPtrLJIJQHJjNvxFWeHQjMaR7M="))
      << done.out;
  EXPECT_TRUE(contains(done.json().at("signingString"), "(request-target): get /20160918/instances?"));
}

TEST_F(CliTest, AServiceThatCannotBeReachedIsThreeAndNamed) {
  home.write("config",
             "[DEFAULT]\ntenancy=ocid1.tenancy.oc1..t\nuser=ocid1.user.oc1..u\n"
             "fingerprint=73:61:a2:21:67:e0:df:be:7e:4b:93:1e:15:98:a5:b7\nregion=rehearsal\n"
             "lockstep_endpoint=http://127.0.0.1:1\nkey_file=" LOCKSTEP_TEST_DATA
             "/signing/published_sample.pem\n");
  const CliExit done = home.run({"request", "GET", "/n/", "--config", "config"});
  EXPECT_EQ(done.code(), 3) << done.err;
  EXPECT_TRUE(contains(done.err, "127.0.0.1:1")) << done.err;
  const CliExit check = home.run({"check", "auth", "--json", "--config", "config", "--profile", "DEFAULT"});
  EXPECT_EQ(check.code(), 1) << check.err;
  EXPECT_EQ(check.json().at("auth").at("state"), "blocked");
}

TEST_F(CliTest, ABrokenProfileIsExplained) {
  home.write("config", "[DEFAULT]\nuser=u\n");
  const CliExit done = home.run({"check", "auth", "--config", "config"});
  EXPECT_EQ(done.code(), 1);
  EXPECT_TRUE(contains(done.out, "config")) << done.out;
  EXPECT_TRUE(contains(done.out, "blocked")) << done.out;
}

TEST_F(CliTest, ColorsOnlyWhenAskedForOrOnATerminal) {
  EXPECT_FALSE(contains(home.run({"validate", kStarter}).out, "\033["));
  EXPECT_TRUE(contains(home.run({"--color", "always", "validate", kStarter}).out, "\033["));
}
