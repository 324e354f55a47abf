// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "network_report.h"
#include "setup/network/network_step.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

TEST(NetworkCreation, AnEmptyTenancyGetsAPrivateSubnetAndGivesItBack) {
  const RegionUnderTest region({}, {"--seed", "empty"});
  SetupContext::Setup setup;
  setup.query = {region.configFile(), "REHEARSAL"};
  setup.spec = cluster(Framework::TensorFlow);
  setup.choices.compartmentId = oci::loadProfile(setup.query)->tenancy;  // the root is meant
  const auto step = [&] { return makeNetworkStep(std::make_shared<const SetupContext>(setup)); };
  const StepReport before = step()->check({});
  ASSERT_NE(withCode(before, "no-subnet"), nullptr) << shown(before);
  const ProposedFix* fix = fixOf(before, "create-network");
  ASSERT_NE(fix, nullptr) << shown(before);
  EXPECT_TRUE(fix->before.empty());
  EXPECT_FALSE(fix->isUnsafe);
  const auto changes = fix->apply({});
  ASSERT_TRUE(changes) << describe(changes.error());
  const StepReport after = step()->check({});
  EXPECT_EQ(after.state, StepState::Ready) << shown(after);
  EXPECT_EQ(after.facts.at("infrastructure.subnetId"), changes->front().undo["subnetId"]);
  EXPECT_TRUE(after.fixes.empty()) << shown(after);
  const auto back = step()->takeBack(changes->front(), {});
  ASSERT_TRUE(back) << describe(back.error());
  EXPECT_NE(withCode(step()->check({}), "no-subnet"), nullptr);
  EXPECT_TRUE(step()->takeBack(changes->front(), {})) << "what is gone is taken back";
}

}  // namespace
}  // namespace lockstep::testing
