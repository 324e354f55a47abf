// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "cluster/document/cluster_document.h"
#include "setup/limits/limits_match.h"

using namespace lockstep;

namespace {

oci::LimitDefinition limitNamed(const std::string& name, const std::string& description = {}) {
  oci::LimitDefinition limit;
  limit.name = name;
  limit.description = description;
  return limit;
}

std::vector<std::string> namesFor(const std::string& shape, const std::vector<oci::LimitDefinition>& all) {
  std::vector<std::string> names;
  for (const oci::LimitDefinition& one : limitsOfShape(shape, all)) names.push_back(one.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST(ShapeLimits, AreFoundByTheFamilyInTheirNames) {
  EXPECT_EQ(shapeFamily("VM.GPU.A10.2"), "gpu-a10");
  EXPECT_EQ(shapeFamily("BM.GPU4.8"), "gpu4");
  EXPECT_EQ(shapeFamily("VM.Standard.E4.Flex"), "standard-e4");
  EXPECT_EQ(shapeFamily("BM.GPU.A100-v2.8"), "gpu-a100-v2");
  const std::vector<oci::LimitDefinition> all{limitNamed("ds-gpu-a10-count"), limitNamed("ds-gpu4-count"),
                                              limitNamed("ds-gpu-a100-v2-count"),
                                              limitNamed("ds-gpu-a1-count")};
  EXPECT_EQ(namesFor("VM.GPU.A10.1", all), Names{"ds-gpu-a10-count"});
  EXPECT_EQ(namesFor("BM.GPU.A10.4", all), Names{"ds-gpu-a10-count"});
  EXPECT_EQ(namesFor("BM.GPU4.8", all), Names{"ds-gpu4-count"});
  EXPECT_EQ(namesFor("BM.GPU.A100-v2.8", all), Names{"ds-gpu-a100-v2-count"});
  EXPECT_EQ(namesFor("BM.HPC2.36", all), Names{});
}

TEST(ShapeLimits, AreElseFoundByTheShapeInTheirDescriptions) {
  const std::vector<oci::LimitDefinition> all{
      limitNamed("ds-big-count", "Number of GPUs for VM.GPU.A10 and BM.GPU.A10 shapes"),
      limitNamed("ds-other-count", "Nodes of BM.GPU40 shapes")};
  EXPECT_EQ(namesFor("VM.GPU.A10.2", all), Names{"ds-big-count"});
  EXPECT_EQ(namesFor("BM.GPU4.8", all), Names{}) << "BM.GPU40 is another shape";
}

TEST(ShapeLimits, OfAFlexShapeCountCoresAndMemory) {
  const std::vector<oci::LimitDefinition> all{limitNamed("ds-standard-e4-core-count"),
                                              limitNamed("ds-standard-e4-memory-count")};
  EXPECT_EQ(namesFor("VM.Standard.E4.Flex", all).size(), 2u);
  const ShapeNeed need{"VM.Standard.E4.Flex", 3, 0, 12, 96};
  EXPECT_EQ(demandOn(all[0], need).max, 12);
  EXPECT_EQ(demandOn(all[0], need).unit, "OCPUs");
  EXPECT_EQ(demandOn(all[1], need).max, 96);
}

TEST(ShapeLimits, WhoseUnitNobodyTellsCountNodesOrGpus) {
  const ShapeNeed need{"VM.GPU.A10.2", 3, 6, 0, 0};
  const LimitDemand unclear = demandOn(limitNamed("ds-gpu-a10-count", "A10"), need);
  EXPECT_EQ(unclear.min, 3);
  EXPECT_EQ(unclear.max, 6);
  EXPECT_EQ(demandOn(limitNamed("ds-gpu-a10-count", "GPUs of VM.GPU.A10 shapes"), need).min, 6);
  EXPECT_EQ(demandOn(limitNamed("ds-gpu-a10-count", "Nodes of VM.GPU.A10 shapes"), need).max, 3);
}

TEST(ShapeNeeds, AddUpTheNodesOfAllRoles) {
  const ClusterDocument document(
      "kind: distributed\nspec:\n  infrastructure:\n    spec:\n      shapeName: VM.GPU.A10.2\n"
      "  cluster:\n    kind: dask\n    spec:\n      main:\n        replicas: 1\n      worker:\n        "
      "replicas: 3\n");
  const auto needs = shapeNeedsOf(document.spec());
  ASSERT_EQ(needs.size(), 1u);
  EXPECT_EQ(needs[0].nodes, 4);
  EXPECT_EQ(needs[0].gpus, 8);
}
