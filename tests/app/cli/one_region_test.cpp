// SPDX-License-Identifier: GPL-3.0-or-later
// One region for a profile: whoever looks finds the region that wrote it, and none takes it over.
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/captured_process.h"
#include "cli_process.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

struct OneRegion : testing::Test {
  CliHome home;
  std::filesystem::path elsewhere = home.path() / "elsewhere";

  ~OneRegion() override {
    home.run({"rehearsal", "stop"});
    region({"stop"});
  }
  // The region in a state folder that is not the usual one.
  CapturedExit region(std::vector<std::string> command) {
    command.insert(command.begin(), LOCKSTEP_BIN_DIR "/lockstep-rehearsal");
    command.insert(command.end(), {"--state", elsewhere.string()});
    if (command[1] == "start") command.insert(command.end(), {"--config", config(), "--isolate", "off"});
    auto done = runCaptured(command, 60s, {});
    EXPECT_TRUE(done);
    return done.value_or(CapturedExit{});
  }
  [[nodiscard]] std::string config() const { return (home.path() / ".oci/config").string(); }
  [[nodiscard]] std::string profile() const { return readFile(config()).value_or(""); }
  bool usualRegionRuns() { return home.run({"rehearsal", "status"}).code() == 0; }
};

TEST_F(OneRegion, ACheckFindsTheRegionThatWroteTheProfile) {
  ASSERT_TRUE(region({"start"}).exit.ok());
  const std::string before = profile();
  const CliExit check = home.run({"check", "auth", "--json"});
  EXPECT_EQ(check.code(), 0) << check.out << check.err;
  EXPECT_EQ(profile(), before);
  EXPECT_FALSE(usualRegionRuns());
  EXPECT_EQ(check.err.find("was not running"), std::string::npos) << check.err;
}

TEST_F(OneRegion, ACheckSaysThatItStartsARegionBeforeItDoes) {
  ASSERT_TRUE(region({"start"}).exit.ok());
  ASSERT_TRUE(region({"stop"}).exit.ok());
  const CliExit check = home.run({"check", "auth", "--json"});
  EXPECT_EQ(check.code(), 0) << check.out << check.err;
  const std::size_t said = check.err.find("starting the rehearsal region, which was not running");
  ASSERT_NE(said, std::string::npos) << check.err;
  EXPECT_LT(said, check.err.find("rehearsal region at"));
  EXPECT_TRUE(region({"status"}).exit.ok()) << "the one that wrote the profile";
  EXPECT_FALSE(usualRegionRuns());
}

TEST_F(OneRegion, NoOtherRegionTakesOverTheProfileOfOneThatRuns) {
  ASSERT_TRUE(region({"start"}).exit.ok());
  const std::string before = profile();
  const CliExit refused = home.run({"rehearsal", "start"});
  EXPECT_NE(refused.code(), 0);
  EXPECT_NE(refused.err.find(elsewhere.string()), std::string::npos) << refused.err;
  EXPECT_EQ(profile(), before);
  EXPECT_FALSE(usualRegionRuns());
  ASSERT_TRUE(region({"stop"}).exit.ok());
  EXPECT_EQ(home.run({"rehearsal", "start"}).code(), 0);
  EXPECT_NE(profile(), before);
}

TEST_F(OneRegion, AProfileThatAnEarlierVersionWroteWorksAndIsMendedByTheNextStart) {
  ASSERT_TRUE(region({"start"}).exit.ok());
  const std::string written = profile();
  std::string old = written;
  old.erase(old.find("lockstep_endpoint"), 9);
  const std::string mine = "[MINE]\nendpoint=oraclecloud.com\n";
  ASSERT_TRUE(writeFileAtomically(config(), mine + old, 0600));
  EXPECT_EQ(home.run({"--profile", "REHEARSAL", "request", "GET", "/n/"}).code(), 0);
  ASSERT_TRUE(region({"start"}).exit.ok());
  EXPECT_EQ(profile(), mine + written);
  ASSERT_TRUE(region({"stop"}).exit.ok());
  ASSERT_TRUE(writeFileAtomically(config(), mine + old, 0600));
  ASSERT_TRUE(region({"start"}).exit.ok());
  EXPECT_EQ(profile(), mine + written);
}

}  // namespace
}  // namespace lockstep
