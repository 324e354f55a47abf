// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "cli_process.h"

namespace lockstep {
namespace {

constexpr const char* kFlawed =
    "kind: Distributed   # the kind\r\n"
    "spec:\r\n"
    "  infrastructure:\r\n"
    "    spec:\r\n"
    "      projectId: ocid1.datascienceproject.oc1.iad.aaaa\r\n"
    "      compartmentId: ocid1.compartment.oc1..aaaa\r\n"
    "      subnetId: ocid1.subnet.oc1.iad.aaaa\r\n"
    "      logGroupId: ocid1.loggroup.oc1.iad.aaaa\r\n"
    "      logId: ocid1.log.oc1.iad.aaaa\r\n"
    "      shapeName: VM.GPU.A10.2\r\n"
    "  cluster:\r\n"
    "    kind: PYTORCH\r\n"
    "    spec:\r\n"
    "      image: iad.ocir.io/team/resnet:1\r\n"
    "      workDir: oci://bucket@space/runs\r\n"
    "      main: {}\r\n"
    "      worker: {replica: 2}\r\n"
    "  runtime:\r\n"
    "    spec: {entryPoint: train.py}\r\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class ValidateFix : public testing::Test {
 protected:
  CliHome home_;
  std::filesystem::path file_ = home_.write("train.yaml", kFlawed);
  std::string mended_ =
      replaced(replaced(kFlawed, "kind: Distributed", "kind: distributed"), "replica: 2", "replicas: 2");
};

TEST_F(ValidateFix, MendsTheFileAndKeepsItsModeAndLineEnds) {
  ASSERT_EQ(chmod(file_.c_str(), 0640), 0);
  EXPECT_EQ(home_.run({"validate", "train.yaml"}).code(), 1);
  const CliExit done = home_.run({"validate", "train.yaml", "--fix"});
  EXPECT_EQ(done.code(), 0) << done.out << done.err;
  EXPECT_TRUE(contains(done.out, "train.yaml:1:7: fixed: ")) << done.out;
  EXPECT_TRUE(contains(done.out, "rename it to replicas")) << done.out;
  EXPECT_EQ(readFile(file_).value(), mended_);
  struct stat status {};
  ASSERT_EQ(stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0640U);
}

TEST_F(ValidateFix, DryRunShowsTheDifferenceAndWritesNothing) {
  const CliExit done = home_.run({"validate", "train.yaml", "--fix", "--dry-run"});
  EXPECT_EQ(done.code(), 0) << done.out << done.err;
  EXPECT_TRUE(contains(done.out, "-kind: Distributed   # the kind\r\n+kind: distributed   # the kind\r\n"))
      << done.out;
  EXPECT_EQ(readFile(file_).value(), kFlawed);
  EXPECT_EQ(home_.run({"validate", "train.yaml", "--dry-run"}).code(), 2);
}

TEST_F(ValidateFix, ExitStatusIsThatOfWhatIsLeft) {
  home_.write("train.yaml", replaced(kFlawed, "ocid1.subnet", "ocid1.vcn"));
  const CliExit done = home_.run({"validate", "train.yaml", "--fix", "--json"});
  EXPECT_EQ(done.code(), 1);
  EXPECT_EQ(done.json().at("written"), true);
  EXPECT_EQ(done.json().at("valid"), false);
  EXPECT_EQ(done.json().at("mended").size(), 2U);
  EXPECT_EQ(done.json().at("issues").size(), 1U);
  const CliExit again = home_.run({"validate", "train.yaml", "--fix", "--json"});
  EXPECT_EQ(again.json().at("written"), false);
}

TEST_F(ValidateFix, ShowsHowTheWorldSizeComesAbout) {
  home_.write("train.yaml", mended_);
  EXPECT_TRUE(contains(home_.run({"validate", "train.yaml"}).out, "world size 6"));
  const auto world = home_.run({"validate", "train.yaml", "--json"}).json().at("world");
  EXPECT_EQ(world.at("nodes"), 3);
  EXPECT_EQ(world.at("ranksPerNode"), 2);
  EXPECT_EQ(world.at("ranks"), 6);
}

TEST_F(ValidateFix, LeavesTextThatIsNoYaml) {
  home_.write("train.yaml", "a: [");
  EXPECT_EQ(home_.run({"validate", "train.yaml", "--fix"}).code(), 1);
  EXPECT_EQ(readFile(file_).value(), "a: [");
}

}  // namespace
}  // namespace lockstep
