// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

TEST(RegionLife, StartStatusStopReset) {
  RegionUnderTest region;
  const nlohmann::json info = region.info();
  for (const char* key : {"endpoint", "config", "profile", "pid", "places", "namespace", "bucket"})
    EXPECT_TRUE(info.contains(key)) << key;
  EXPECT_EQ(info["profile"], "REHEARSAL");
  auto [status, text] = region.command({"status", "--json"});
  EXPECT_EQ(status, 0);
  EXPECT_EQ(nlohmann::json::parse(text), info);
  std::tie(status, text) =
      region.command({"start", "--json", "--config", region.configFile()});  // a second start finds the first
  EXPECT_EQ(status, 0);
  EXPECT_EQ(nlohmann::json::parse(text), info);
  EXPECT_EQ(region.command({"stop"}).first, 0);
  std::tie(status, text) = region.command({"status", "--json"});
  EXPECT_EQ(status, 1);
  EXPECT_EQ(nlohmann::json::parse(text), (nlohmann::json{{"running", false}}));
  region.start();  // the port is remembered
  EXPECT_EQ(region.info()["endpoint"], info["endpoint"]);
  EXPECT_EQ(region.command({"reset"}).first, 0);
  EXPECT_FALSE(std::filesystem::exists(region.stateFolder()));
  std::ifstream config(region.configFile());
  const std::string left((std::istreambuf_iterator<char>(config)), {});
  EXPECT_EQ(left.find("REHEARSAL"), std::string::npos);
}

// `endpoint` is, to Oracle's Python SDK, the second-level domain of its hosts: a URL there breaks each
// client.
TEST(RegionLife, WritesNothingIntoTheProfileThatOraclesClientsReadOtherwise) {
  RegionUnderTest region({}, {"--tls"});
  std::ifstream config(region.configFile());
  std::set<std::string> names;
  for (std::string line; std::getline(config, line);)
    if (const auto equals = line.find('='); equals != std::string::npos) names.insert(line.substr(0, equals));
  EXPECT_EQ(names, (std::set<std::string>{"user", "fingerprint", "tenancy", "region", "key_file",
                                          "lockstep_endpoint", "cert_bundle"}));
}

TEST(RegionLife, KeepsEverythingToItself) {
  RegionUnderTest region;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(region.stateFolder())) {
    struct stat info {};
    ::stat(entry.path().c_str(), &info);
    EXPECT_EQ(info.st_mode & 0077, 0u) << entry.path();
  }
  struct stat info {};
  ::stat(region.configFile().c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST(RegionLife, ResetRefusesAFolderThatIsNoState) {
  RegionUnderTest region;
  const auto other = region.folder() / "precious";
  std::filesystem::create_directory(other);
  std::ofstream(other / "file") << "x";
  const auto [status, text] = runProgram(
      {std::string(LOCKSTEP_BIN_DIR) + "/lockstep-rehearsal", "reset", "--state", other.string()}, {});
  EXPECT_EQ(status, 1);
  EXPECT_TRUE(std::filesystem::exists(other / "file"));
}

TEST(RegionLife, AnEmptyTenancyHasAUserAndNothingElse) {
  RegionUnderTest region({}, {"--empty"});
  EXPECT_EQ(region.place("compartmentId"), "");
  EXPECT_EQ(region.info()["bucket"], "");
  const TestCaller caller = region.caller();
  EXPECT_EQ(caller.get("/n/").body, "\"rehearsal\"");
  EXPECT_EQ(
      caller.get("/20160918/compartments?compartmentId=ocid1.tenancy.oc1..aaaaaaaalockstep").json().size(),
      0u);
  EXPECT_EQ(caller.get("/n/rehearsal/b/lockstep").code(), "BucketNotFound");
}

TEST(RegionLife, NothingAcknowledgedIsLostWhenItIsKilled) {
  RegionUnderTest region;
  std::vector<std::string> stored;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 20; ++i) {
      const std::string name = std::to_string(round) + "-" + std::to_string(i);
      const std::string body(i % 2 == 0 ? 10 : 100'000, static_cast<char>('a' + round));
      if (region.caller().send("PUT", "/n/rehearsal/b/lockstep/o/" + name, body).status == 200)
        stored.push_back(name);
    }
    region.killHard();
    region.start();
  }
  EXPECT_EQ(stored.size(), 60u);
  for (const std::string& name : stored) {
    const TestResponse read = region.caller().get("/n/rehearsal/b/lockstep/o/" + name);
    EXPECT_EQ(read.status, 200) << name;
    EXPECT_EQ(read.body.front(), static_cast<char>('a' + (name[0] - '0')));
  }
}

}  // namespace
}  // namespace lockstep::testing
