// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsal_profile.h"

#include <gtest/gtest.h>

#include <fstream>

#include "temp_dir.h"

namespace lockstep {
namespace {

struct RehearsalProfile : ::testing::Test {
  TempDir temp;

  [[nodiscard]] std::filesystem::path regionFolder() const { return temp.path() / "region"; }
  [[nodiscard]] oci::ProfileQuery query(const std::string& profile) const {
    return {(temp.path() / "config").string(), profile};
  }
  void write(const std::string& profile, const std::string& endpoint) {
    std::ofstream(temp.path() / "config")
        << "[" << profile << "]\nuser=u\ntenancy=t\nfingerprint=aa:bb\nregion=rehearsal\nkey_file="
        << (regionFolder() / "user.pem").string() << "\n"
        << (endpoint.empty() ? "" : "lockstep_endpoint=" + endpoint + "\n");
  }
};

TEST_F(RehearsalProfile, BelongsToTheRegionThatKeepsItsKey) {
  write("REHEARSAL", "http://127.0.0.1:1");
  std::filesystem::create_directory(regionFolder());
  std::ofstream(regionFolder() / "region.json") << "{}";
  const auto region = rehearsalOf(query("REHEARSAL"));
  ASSERT_TRUE(region);
  EXPECT_EQ(region->stateDir, regionFolder());
  EXPECT_EQ(region->configFile, query("").configFile);
}

TEST_F(RehearsalProfile, OfSomebodyElsesRegionIsLeftAlone) {
  write("REHEARSAL", "http://127.0.0.1:1");
  EXPECT_FALSE(rehearsalOf(query("REHEARSAL")));
}

TEST_F(RehearsalProfile, ThatIsNotThereYetMeansTheUsualRegion) {
  const auto region = rehearsalOf(query("REHEARSAL"));
  ASSERT_TRUE(region);
  EXPECT_TRUE(region->stateDir.empty());
}

TEST_F(RehearsalProfile, IsUsedByWhoeverRehearsesWithAnotherProfile) {
  write("REHEARSAL", "http://127.0.0.1:1");
  EXPECT_TRUE(rehearsalFor(query("DEFAULT")).stateDir.empty()) << "no region has written it";
  std::filesystem::create_directory(regionFolder());
  std::ofstream(regionFolder() / "region.json") << "{}";
  EXPECT_EQ(rehearsalFor(query("DEFAULT")).stateDir, regionFolder());
  EXPECT_EQ(rehearsalFor(query("DEFAULT")).configFile, query("").configFile);
}

TEST_F(RehearsalProfile, OfAnotherNameIsNone) {
  write("TEAM", "http://127.0.0.1:1");
  EXPECT_FALSE(rehearsalOf(query("TEAM")));
}

}  // namespace
}  // namespace lockstep
