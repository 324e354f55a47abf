// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "tests/setup_faults/setup_fault.h"

using namespace lockstep;
using namespace lockstep::testing;

namespace {

constexpr int kWorkers = 4;  // each waits for its region most of the time

}  // namespace

TEST(SetupFaults, EachIsFoundNamedAndMended) {
  const auto& faults = setupFaults();
  const auto outcomes = playAll(faults, kWorkers);
  for (std::size_t i = 0; i < faults.size(); ++i)
    EXPECT_EQ(outcomes[i].wrong, "") << faults[i].step << ": " << faults[i].name;
  for (std::size_t i = 0; i < faults.size(); ++i)
    if (!outcomes[i].skipped.empty())
      std::printf("not played: %s: %s\n", faults[i].name.c_str(), outcomes[i].skipped.c_str());
}

TEST(SetupFaults, ThereAreAtLeastSixtyAndTheirNamesDiffer) {
  EXPECT_GE(setupFaults().size(), 60u);
  std::set<std::string> names;
  for (const SetupFault& one : setupFaults()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.how.empty()) << one.name;
  }
}

// Policies may let somebody use a compartment without letting him list, or even get, any.
TEST(SetupFaults, WhoMayUseACompartmentIsNotToldThatItIsMissing) {
  SetupWorld world;
  world.admin("POST", "/rehearsal/users", {{"name", "first"}, {"groups", {"Users"}}});
  world.allow("of-users", {"Allow group Users to manage data-science-family in compartment lockstep"});
  world.becomeUser("jane", {"Users"});
  const StepReport report = makeSetupStep("project", world.context())->check({});
  EXPECT_EQ(report.state, StepState::Ready) << toJson(report).dump(1);
}

// Without a fault, the same steps have nothing to say: what the rows find is what they have broken.
TEST(SetupFaults, TheWorldBeforeThemIsReady) {
  SetupWorld world;
  for (const char* step : {"auth", "project", "network", "bucket", "repository", "logging", "limits"}) {
    const StepReport report = makeSetupStep(step, world.context())->check({});
    EXPECT_EQ(report.state, StepState::Ready) << step << toJson(report).dump(1);
  }
}
