// SPDX-License-Identifier: GPL-3.0-or-later
// From an empty tenancy to a ready one on the command line, and back.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "cli_process.h"

using namespace lockstep;

namespace {

struct SetupCommand : testing::Test {
  CliHome home;

  SetupCommand() { EXPECT_EQ(home.run({"rehearsal", "start", "--empty", "--json"}).code(), 0); }
  ~SetupCommand() override { home.run({"rehearsal", "stop"}); }

  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(home.path() / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  CliExit on(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--region", "rehearsal"});
    return home.run(std::move(arguments));
  }
};

const std::vector<std::string> kSteps{"project", "bucket", "repository", "logging"};

std::vector<std::string> with(std::vector<std::string> first, const std::vector<std::string>& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

}  // namespace

TEST_F(SetupCommand, ChecksEverythingAtOnceAndWritesReportsWithoutIds) {
  const CliExit check = on({"check", "--json", "--report", "report.txt", "--html", "report.html"});
  EXPECT_EQ(check.code(), 1) << check.err;
  for (const char* step : {"machine", "auth", "containers", "project", "network", "bucket", "policies",
                           "repository", "ocir-login", "logging", "limits", "hosts"})
    EXPECT_TRUE(check.json().contains(step)) << step;
  EXPECT_EQ(check.json().at("auth").at("state"), "ready") << check.out;
  EXPECT_EQ(check.json().at("bucket").at("state"), "blocked") << check.out;
  for (const char* name : {"report.txt", "report.html"}) {
    const std::string text = read(name);
    EXPECT_NE(text.find("bucket"), std::string::npos) << text;
    EXPECT_EQ(text.find("ocid1.tenancy.oc1..aaaaaaaalockstep"), std::string::npos) << text;
    struct stat info {};
    ASSERT_EQ(::stat((home.path() / name).c_str(), &info), 0) << name;
    EXPECT_EQ(info.st_mode & 07777, 0600u);
  }
}

TEST_F(SetupCommand, MendsWritesWhatItMadeIntoTheFileAndTakesItBack) {
  ASSERT_EQ(home.run({"init", "--framework", "pytorch", "."}).code(), 0);
  const std::vector<std::string> file{"-f", "train.yaml"};
  const CliExit dry = on(with(with({"fix"}, kSteps), with({"--dry-run"}, file)));
  EXPECT_NE(dry.out.find("CreateBucket"), std::string::npos) << dry.out;
  EXPECT_EQ(on({"fix", "--list", "--json"}).json().size(), 0u) << "a dry run has changed something";
  EXPECT_EQ(on(with({"fix", "bucket"}, file)).code(), 1) << "nobody could be asked";

  const CliExit fix = on(with(with({"fix"}, kSteps), with({"--yes", "--write", "train.yaml"}, file)));
  EXPECT_EQ(fix.code(), 0) << fix.out << fix.err;
  const std::string yaml = read("train.yaml");
  EXPECT_NE(yaml.find("oci://lockstep@rehearsal/runs"), std::string::npos) << yaml;
  EXPECT_NE(yaml.find("logId: ocid1.log."), std::string::npos) << yaml;
  EXPECT_NE(yaml.find("projectId: ocid1.datascienceproject."), std::string::npos) << yaml;
  EXPECT_NE(yaml.find("rehearsal/pytorch-ddp:1"), std::string::npos) << yaml;
  EXPECT_NE(yaml.find('#'), std::string::npos) << "the comments are gone";
  EXPECT_EQ(on(with(with({"check"}, kSteps), file)).code(), 0);

  const auto changes = on({"fix", "--list", "--json"}).json();
  EXPECT_GE(changes.size(), 5u) << changes.dump(1);  // project, bucket, repository, log group, log
  const CliExit undo = on({"fix", "--undo", "all", "--yes"});
  EXPECT_EQ(undo.code(), 0) << undo.out << undo.err;
  for (const auto& one : on({"fix", "--list", "--json"}).json())
    EXPECT_TRUE(one.at("takenBack").get<bool>()) << one.dump();
  EXPECT_EQ(on(with({"check", "bucket"}, file)).code(), 1);
  EXPECT_EQ(on({"fix", "--undo", "1", "--yes"}).code(), 1) << "taken back twice";
}

// A new tenancy has no compartment but its root, where nothing is to be put unasked.
TEST_F(SetupCommand, MakesACompartmentAndEverythingInIt) {
  const CliExit dry = on({"fix", "--dry-run", "--new-compartment", "training"});
  for (const char* part : {"create compartment 'training' in the tenancy", "CreateCompartment POST",
                           "create Data Science project 'lockstep' in compartment training (after "
                           "create-compartment)",
                           "CreateVcn POST", "CreateLogGroup POST"})
    EXPECT_NE(dry.out.find(part), std::string::npos) << part << dry.out;
  const CliExit early = on({"fix", "bucket", "--only", "create-bucket", "--yes"});
  EXPECT_NE(early.code(), 0) << early.out;
  EXPECT_NE(early.err.find("there is no compartment 'lockstep' yet"), std::string::npos) << early.err;

  const std::vector<std::string> steps{"project", "network", "bucket", "policies", "repository", "logging"};
  const CliExit fix = on(with(with({"fix"}, steps), {"--yes", "--new-compartment", "training"}));
  EXPECT_EQ(fix.code(), 0) << fix.out << fix.err;
  const auto check = on(with({"check", "--json"}, steps)).json();
  const std::string id = check.at("project").at("facts").at("infrastructure.compartmentId");
  EXPECT_EQ(check.at("project").at("names").at(id), "training") << check.dump(1);
  EXPECT_TRUE(id.starts_with("ocid1.compartment.")) << id;
  for (const char* step : {"project", "bucket", "repository", "logging"})
    EXPECT_EQ(check.at(step).at("state"), "ready") << check.at(step).dump(1);
  const CliExit undo = on({"fix", "--undo", "all", "--yes"});
  EXPECT_EQ(undo.code(), 0) << undo.out << undo.err;
  EXPECT_EQ(on({"check", "project", "--json"}).json().at("project").at("findings").at(0).at("code"),
            "compartment-none");
}

TEST_F(SetupCommand, WaivedStepsAreNotCheckedAndNeedAReason) {
  const CliExit check = on({"check", "bucket", "--json", "--waive", "bucket=file system of the group"});
  EXPECT_EQ(check.code(), 0) << check.out;
  EXPECT_EQ(check.json().at("bucket").at("state"), "waived");
  EXPECT_NE(check.out.find("file system of the group"), std::string::npos);
  EXPECT_EQ(on({"check", "bucket", "--waive", "bucket"}).code(), 1);
}
