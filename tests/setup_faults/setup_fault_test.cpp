// SPDX-License-Identifier: GPL-3.0-or-later
// LOCKSTEP_FAULTS_ALL=1 plays every fault; else those of one drawn share, another each time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tests/setup_faults/setup_fault.h"

using namespace lockstep;
using namespace lockstep::testing;

namespace {

constexpr std::size_t kSample = 16;
constexpr int kWorkers = 2;

std::vector<SetupFault> chosenFaults() {
  std::vector<SetupFault> faults;
  for (const SetupFault& one : setupFaults())
    if (one.isQuick) faults.push_back(one);
  const char* all = std::getenv("LOCKSTEP_FAULTS_ALL");
  if (all != nullptr && std::string(all) == "1") return setupFaults();
  // Evenly over the steps: every so-manieth, from a beginning that the day draws.
  std::vector<SetupFault> sample;
  const std::size_t stride = std::max<std::size_t>(1, faults.size() / kSample);
  for (std::size_t i = static_cast<std::size_t>(std::time(nullptr) / 86400) % stride; i < faults.size();
       i += stride)
    sample.push_back(faults[i]);
  return sample;
}

}  // namespace

TEST(SetupFaults, EachIsFoundNamedAndMended) {
  const auto faults = chosenFaults();
  const auto outcomes = playAll(faults, kWorkers);
  for (std::size_t i = 0; i < faults.size(); ++i)
    EXPECT_EQ(outcomes[i].wrong, "") << faults[i].step << ": " << faults[i].name;
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
