// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/run_step.h"

#include <gtest/gtest.h>

#include "temp_dir.h"
#include "workdir/file_object_store.h"

namespace lockstep::node {
namespace {

TEST(RunStep, IsWhatTheNodeOfRankZeroTold) {
  const TempDir dir;
  const auto store = openFolder(dir.path());
  RunStep main(store, "J/lockstep/step.json", {}), other(store, "J/lockstep/step.json", {});
  EXPECT_FALSE(other.read({}));
  main.tell(120, {});
  EXPECT_EQ(other.read({}), 120);
  main.tell(130, {});
  EXPECT_EQ(other.read({}), 130);
}

TEST(RunStep, IsNotAskedForMoreOftenThanItChanges) {
  const TempDir dir;
  const auto store = openFolder(dir.path());
  RunStep main(store, "step.json", std::chrono::hours(1)), other(store, "step.json", std::chrono::hours(1));
  main.tell(1, {});
  main.tell(2, {});
  EXPECT_EQ(other.read({}), 1);
  ASSERT_TRUE(store->put("step.json", R"({"step": 7})", {}));
  EXPECT_EQ(other.read({}), 1);
}

TEST(RunStep, WhatIsNoStepChangesNothing) {
  const TempDir dir;
  const auto store = openFolder(dir.path());
  RunStep other(store, "step.json", {});
  ASSERT_TRUE(store->put("step.json", R"({"step": 7})", {}));
  EXPECT_EQ(other.read({}), 7);
  for (const char* text : {"", "[]", "{}", R"({"step": -1})", R"({"step": 1e300})", R"({"step": "9"})"}) {
    ASSERT_TRUE(store->put("step.json", text, {}));
    EXPECT_EQ(other.read({}), 7) << text;
  }
}

}  // namespace
}  // namespace lockstep::node
