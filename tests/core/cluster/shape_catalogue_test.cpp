// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/shape_catalogue.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

TEST(ShapeCatalogue, IsCompiledIn) {
  const ShapeCatalogue& catalogue = ShapeCatalogue::builtIn();
  EXPECT_GE(catalogue.shapes().size(), 30U);
  EXPECT_EQ(catalogue.asOf().size(), 10U);
  EXPECT_FALSE(catalogue.source().empty());
}

TEST(ShapeCatalogue, MakesSense) {
  std::set<std::string> names;
  for (const Shape& shape : ShapeCatalogue::builtIn().shapes()) {
    EXPECT_TRUE(names.insert(shape.name).second) << shape.name;
    EXPECT_EQ(shape.gpus > 0, !shape.gpuType.empty()) << shape.name;
    EXPECT_EQ(shape.flex.has_value(), shape.name.ends_with(".Flex")) << shape.name;
    EXPECT_EQ(shape.isBareMetal, shape.name.starts_with("BM.")) << shape.name;
    const std::string end = "." + std::to_string(shape.gpus);
    EXPECT_TRUE(shape.gpus == 0 || shape.name.ends_with(end)) << shape.name;
    EXPECT_TRUE(!shape.flex || shape.flex->maxOcpus > shape.flex->minOcpus) << shape.name;
  }
}

TEST(ShapeCatalogue, FindsShapes) {
  const Shape* shape = ShapeCatalogue::builtIn().find("VM.GPU.A10.2");
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->gpus, 2);
  EXPECT_EQ(shape->gpuMemoryInGBs, 24);
  EXPECT_EQ(shape->ocpus, 30);
  EXPECT_EQ(ShapeCatalogue::builtIn().find("VM.GPU.A10.3"), nullptr);
  EXPECT_EQ(ShapeCatalogue::builtIn().nearestNames("vm.gpu.a10.2").front(), "VM.GPU.A10.2");
  EXPECT_EQ(ShapeCatalogue::builtIn().nearestNames("VM.GPU.A10.3").size(), 3U);
  EXPECT_TRUE(ShapeCatalogue::builtIn().nearestNames("something else").empty());
}

TEST(ShapeCatalogue, TellsTheGpus) {
  EXPECT_EQ(gpusOfShape("BM.GPU4.8"), 8);
  EXPECT_EQ(gpusOfShape("VM.Standard2.16"), 0);
  EXPECT_EQ(gpusOfShape("VM.Standard.E4.Flex"), 0);
  EXPECT_EQ(gpusOfShape("BM.GPU.Z9.16"), 16);
  EXPECT_EQ(gpusOfShape("VM.GPU.A10.x"), std::nullopt);
  EXPECT_EQ(gpusOfShape("VM.GPU.A10.0"), std::nullopt);
  EXPECT_EQ(gpusOfShape(""), 0);
}

TEST(ShapeCatalogue, RefusesWhatIsNone) {
  EXPECT_TRUE(ShapeCatalogue::parse(R"({"shapes": [{"name": "X", "gpus": 2, "gpuType": 5}]})"));
  for (const char* bad :
       {"", "[]", "{}", R"({"shapes": [1]})", R"({"shapes": [{"name": 1}]})",
        R"({"shapes": [{"name": "X.Flex", "flex": {}}]})", R"({"shapes": [{"name": "X", "flex": 1}]})",
        R"({"shapes": [{"name": "X", "gpus": -1}]})"}) {
    const auto catalogue = ShapeCatalogue::parse(bad);
    ASSERT_FALSE(catalogue) << bad;
    EXPECT_EQ(catalogue.error().code, ErrorCode::DataLoss) << bad;
  }
}

}  // namespace
}  // namespace lockstep
