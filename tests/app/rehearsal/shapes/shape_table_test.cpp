// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/shapes/shape_table.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep::rehearsal {
namespace {

TEST(ShapeTable, IsCompiledIn) {
  EXPECT_GE(shapeTable().shapes.size(), 36U);
  const JobShape* shape = shapeTable().findShape("VM.GPU.A10.2");
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->gpus, 2);
  EXPECT_EQ(shape->limit, "ds-gpu-a10-count");
  EXPECT_TRUE(shapeTable().findLimit(shape->limit)->countsGpus);
  EXPECT_EQ(shapeTable().findShape("BM.HPC2.36"), nullptr) << "a compute shape, not known to run jobs";
}

TEST(ShapeTable, NamesEachShapeOnce) {
  std::set<std::string> names;
  for (const JobShape& shape : shapeTable().shapes)
    EXPECT_TRUE(names.insert(shape.name).second) << shape.name;
}

TEST(ShapeTable, HasNoLimitWithoutShapes) {
  std::set<std::string> used, limits;
  for (const JobShape& shape : shapeTable().shapes)
    if (!shape.limit.empty()) used.insert(shape.limit);
  for (const ShapeLimitRow& row : shapeTable().limits)
    EXPECT_TRUE(limits.insert(row.name).second) << row.name << " stands there twice";
  EXPECT_EQ(limits, used);
}

TEST(ShapeTable, ShowsTheSmallestSizeOfWhatIsFlexible) {
  const auto table = parseShapeTable(
      R"({"shapes": [{"name": "A.Flex", "series": "ARM", "flex": {"leastOcpus": 2, "mostOcpus": 8}},
                     {"name": "B", "series": "LEGACY", "ocpus": 4, "memoryInGBs": 30, "listedMemoryInGBs": 32},
                     {"name": "C", "ocpus": 4, "memoryInGBs": 30}],
          "genericShapes": [{"name": "D.Generic", "series": "GENERIC"}]})");
  ASSERT_TRUE(table) << describe(table.error());
  ASSERT_EQ(table->shapes.size(), 3U);
  EXPECT_EQ(table->shapes[0].cores, 2);
  EXPECT_EQ(table->shapes[0].memoryInGBs, 1);
  EXPECT_EQ(table->shapes[1].memoryInGBs, 32);
  EXPECT_EQ(table->shapes[2].cores, 1);
  EXPECT_EQ(table->findShape("C"), nullptr);
}

TEST(ShapeTable, RefusesWhatIsNone) {
  const std::string sized = R"("series": "ARM", "ocpus": 1, "memoryInGBs": 1)";
  for (
      const auto& [bad, named] : std::initializer_list<std::pair<std::string, const char*>>{
          {"", "no shape"},
          {"{}", "no shape"},
          {R"({"shapes": [{"series": "ARM"}]})", "no name"},
          {R"({"shapes": [{"name": "A", "series": "ARM"}]})", "'A'"},
          {R"({"shapes": [{"name": "A", )" + sized + R"(, "limit": "none"}]})", "'none' of 'A'"},
          {R"({"limits": [{"name": "l", "of": "A", "counts": "GPUs"}], "shapes": [{"name": "A", "limit": "l", )" +
               sized + "}]}",
           "'A' has none"},
          {R"({"limits": [{"name": "l", "of": "A", "counts": "cores"}]})", "counts"}}) {
    const auto table = parseShapeTable(bad);
    ASSERT_FALSE(table) << bad;
    EXPECT_EQ(table.error().code, ErrorCode::DataLoss);
    EXPECT_NE(table.error().cause.find(named), std::string::npos) << table.error().cause;
  }
}

}  // namespace
}  // namespace lockstep::rehearsal
