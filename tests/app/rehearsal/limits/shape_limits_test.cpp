// SPDX-License-Identifier: GPL-3.0-or-later
// Which limit a shape counts against, and by how much: pinned for every shape.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "rehearsal/limits/service_limits.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

json pinned() {
  std::ifstream file(LOCKSTEP_TEST_DATA "/rehearsal/shape_answers.json");
  return json::parse(file);
}

TEST(ShapeLimits, AreThoseThatWerePinned) {
  json all = json::array();
  for (const LimitDefinition& one : limitDefinitions())
    all.push_back({{"name", one.name}, {"description", one.description}, {"value", one.value}});
  EXPECT_EQ(all, pinned()["limits"]) << all.dump(2);
}

TEST(ShapeLimits, OfEveryShapeAreThoseThatWerePinned) {
  const json rows = pinned()["limitOfShape"];
  ASSERT_GT(rows.size(), 40U);
  for (const json& row : rows) {
    const ShapeLimit limit = limitOfShape(row["shape"]);
    EXPECT_EQ(limit.name, row["limit"]) << row;
    EXPECT_EQ(limit.perNode, row["perNode"]) << row;
  }
  EXPECT_EQ(limitOfShape("VM.Nothing").name, "ds-other-count");
  EXPECT_EQ(limitOfShape("VM.Nothing").perNode, 1);
}

}  // namespace
}  // namespace lockstep::rehearsal
