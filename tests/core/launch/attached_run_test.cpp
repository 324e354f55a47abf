// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/attached_run.h"

#include <gtest/gtest.h>

#include "base/time_text.h"
#include "fake_region.h"

namespace lockstep {
namespace {

struct AttachedRun : ::testing::Test {
  FakeRegion region;

  void add(const std::string& name, const std::string& state, const std::string& finished = {}) {
    const std::lock_guard lock(region.mutex);
    region.runs.push_back(
        {"ocid1.datasciencejobrun..r" + name, region.jobId, name, state, {}, finished, {}, nullptr});
  }
  Result<TrainingRun> attach() {
    return attachedRun(region.client(std::make_shared<FastClock>()), JobId(region.jobId), {});
  }
};

// Else its elapsed time would go on until somebody asks the service about it again.
TEST_F(AttachedRun, ThatIsOverHasTheEndOfItsLastNode) {
  add("main", "SUCCEEDED", "2026-01-01T00:07:00Z");
  add("worker", "CANCELED", "2026-01-01T00:09:00Z");
  const auto run = attach();
  ASSERT_TRUE(run) << describe(run.error());
  ASSERT_TRUE(run->finished);
  EXPECT_EQ(*run->finished, *parseRfc3339("2026-01-01T00:09:00Z"));
}

TEST_F(AttachedRun, ThatGoesOnHasNoEnd) {
  add("main", "IN_PROGRESS");
  add("worker", "FAILED", "2026-01-01T00:09:00Z");
  const auto run = attach();
  ASSERT_TRUE(run) << describe(run.error());
  EXPECT_FALSE(run->finished);
}

}  // namespace
}  // namespace lockstep
