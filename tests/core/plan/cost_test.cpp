// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "cluster/reading/shape_catalogue.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

ClusterSpec clusterOf(const char* shape, long long workers) {
  ClusterSpec spec;
  spec.infrastructure.shapeName = shape;
  spec.main = RoleSpec{};
  if (workers > 0) {
    spec.worker = RoleSpec{};
    spec.worker->replicas = workers;
  }
  return spec;
}

constexpr double kStorage = 50 * 0.0255 / 730;  // of each node per hour

TEST(Cost, BuiltInTableHasDateAndSource) {
  const PriceTable& prices = builtInPrices();
  EXPECT_EQ(prices.currency, "USD");
  EXPECT_EQ(prices.asOf.size(), 10U);
  EXPECT_FALSE(prices.source.empty());
  EXPECT_EQ(prices.blockStoragePerGbMonth, 0.0255);
  for (const auto& [name, price] : prices.shapes) EXPECT_TRUE(price.perGpuHour || price.perOcpuHour) << name;
}

/// The rows of a table that price no shape of resources/shapes.json.
std::vector<std::string> rowsOfNoShape(const PriceTable& prices) {
  std::vector<std::string> rows;
  for (const auto& row : prices.shapes) {
    PriceTable one;
    one.shapes = {row};
    const auto& shapes = ShapeCatalogue::builtIn().shapes();
    if (std::none_of(shapes.begin(), shapes.end(),
                     [&](const Shape& shape) { return priceOf(one, shape.name) != nullptr; }))
      rows.push_back(row.first);
  }
  return rows;
}

TEST(Cost, WhatHasAPriceIsAShape) {
  EXPECT_EQ(rowsOfNoShape(builtInPrices()), std::vector<std::string>{});
  PriceTable wrong = builtInPrices();
  wrong.shapes.emplace_back("VM.GPU.Z9.*", ShapePrice{});
  EXPECT_EQ(rowsOfNoShape(wrong), std::vector<std::string>{"VM.GPU.Z9.*"});
}

TEST(Cost, OfGpuShapesIsPerGpu) {
  const CostEstimate cost = estimateCost(clusterOf("VM.GPU.A10.2", 2), builtInPrices());
  ASSERT_TRUE(cost.perHour);
  EXPECT_NEAR(*cost.perHour, 3 * 2 * 2.0 + 3 * kStorage, 1e-9);
  ASSERT_EQ(cost.lines.size(), 2U);
  EXPECT_EQ(cost.lines[0].what, "3 × VM.GPU.A10.2: 2 GPUs at 2");
  EXPECT_EQ(cost.lines[1].what, "3 × block storage: 50 GB at 0.0255 a month");
}

TEST(Cost, OfOtherShapesIsPerOcpuAndMemory) {
  ClusterSpec flex = clusterOf("VM.Standard.E4.Flex", 0);
  EXPECT_FALSE(estimateCost(flex, builtInPrices()).perHour);  // how large is not said
  flex.infrastructure.shapeConfig = ShapeConfig{4, 64, std::nullopt};
  EXPECT_NEAR(estimateCost(flex, builtInPrices()).perHour.value(), 4 * 0.025 + 64 * 0.0015 + kStorage, 1e-9);
  const CostEstimate fixed = estimateCost(clusterOf("VM.Standard2.8", 0), builtInPrices());
  EXPECT_NEAR(fixed.perHour.value(), 8 * 0.0638 + kStorage, 1e-9);  // its memory is part of that
}

TEST(Cost, UnknownIsNeverZero) {
  for (const char* shape : {"VM.GPU.Z9.2", "", "BM.GPU.B4.8"}) {
    const CostEstimate cost = estimateCost(clusterOf(shape, 1), builtInPrices());
    EXPECT_FALSE(cost.perHour) << shape;
    EXPECT_FALSE(cost.lines[0].perHour) << shape;
    EXPECT_NE(cost.lines[0].what.find("no price known"), std::string::npos) << cost.lines[0].what;
    EXPECT_TRUE(toJson(cost)["perHour"].is_null());
  }
  EXPECT_TRUE(toJson(estimateCost(clusterOf("VM.GPU.Z9.2", 1), PriceTable{})).is_null());
}

TEST(Cost, NodeGroupsHaveShapesOfTheirOwn) {
  ClusterSpec spec = clusterOf("VM.GPU.A10.1", 2);
  spec.multiNode = MultiNodeSpec{};
  spec.multiNode->main.shapeName = "VM.Standard2.1";
  spec.multiNode->worker.blockStorageSizeInGBs = 100;
  const CostEstimate cost = estimateCost(spec, builtInPrices());
  EXPECT_NEAR(cost.perHour.value(), 0.0638 + kStorage + 2 * 2.0 + 2 * 2 * kStorage, 1e-9);
  EXPECT_EQ(cost.lines.size(), 4U);
}

TEST(Prices, AreReadFromJson) {
  const auto table = parsePrices(
      R"({"currency": "EUR", "asOf": "2026-10-01", "shapes": [{"name": "VM.*", "perGpuHour": 1.5}]})");
  ASSERT_TRUE(table) << describe(table.error());
  EXPECT_EQ(priceOf(*table, "VM.GPU.A10.1")->perGpuHour, 1.5);
  EXPECT_EQ(priceOf(*table, "BM.GPU4.8"), nullptr);
  EXPECT_FALSE(table->blockStoragePerGbMonth);
}

TEST(Prices, RefuseWhatIsNoTable) {
  for (const auto& [bad, named] : std::initializer_list<std::pair<std::string, const char*>>{
           {"", "no JSON object"},
           {"[1]", "no JSON object"},
           {"{}", "currency"},
           {R"({"currency": 5})", "currency is 5"},
           {R"({"currency": "USD", "shapes": {}})", "shapes"},
           {R"({"currency": "USD", "shapes": [7]})", "7"},
           {R"({"currency": "USD", "shapes": [{"perGpuHour": 1}]})", "no name"},
           {R"({"currency": "USD", "shapes": [{"name": "A", "perGpuHour": "2"}]})", R"("2")"},
           {R"({"currency": "USD", "shapes": [{"name": "A", "perGpuHour": -2}]})", "-2"},
           {R"({"currency": "USD", "blockStoragePerGbMonth": true})", "true"},
           {std::string(2 << 20, ' '), "bytes"}}) {
    const auto table = parsePrices(bad);
    ASSERT_FALSE(table) << bad.substr(0, 80);
    EXPECT_EQ(table.error().code, ErrorCode::DataLoss);
    EXPECT_NE(table.error().cause.find(named), std::string::npos) << table.error().cause;
  }
}

TEST(Prices, OfTheUserComeFirst) {
  TempDir dir;
  const auto file = dir.path() / "prices.json";
  EXPECT_EQ(loadPrices(file)->source, builtInPrices().source);  // no such file
  ASSERT_TRUE(writeFileAtomically(file, R"({"currency": "USD", "asOf": "2026-10-01", "source": "our contract",
                "shapes": [{"name": "VM.GPU.A10.2", "perGpuHour": 1.0}]})"));
  const auto prices = loadPrices(file);
  ASSERT_TRUE(prices) << describe(prices.error());
  EXPECT_EQ(priceOf(*prices, "VM.GPU.A10.2")->perGpuHour, 1.0);
  EXPECT_EQ(priceOf(*prices, "VM.GPU.A10.1")->perGpuHour, 2.0);
  EXPECT_EQ(prices->blockStoragePerGbMonth, 0.0255);
  EXPECT_EQ(prices->source.find("our contract (2026-10-01); else "), 0U);
}

TEST(Prices, InAnotherCurrencyStandAlone) {
  const auto own =
      parsePrices(R"({"currency": "EUR", "shapes": [{"name": "VM.GPU.A10.*", "perGpuHour": 1.8}]})");
  const PriceTable prices = mergedPrices(builtInPrices(), *own);
  EXPECT_EQ(prices.currency, "EUR");
  EXPECT_EQ(priceOf(prices, "VM.GPU3.1"), nullptr);
}

TEST(Prices, SayWhichFileIsBroken) {
  TempDir dir;
  const auto file = dir.path() / "prices.json";
  ASSERT_TRUE(writeFileAtomically(file, "{\"currency\""));
  const auto prices = loadPrices(file);
  ASSERT_FALSE(prices);
  EXPECT_NE(prices.error().what.find(file.string()), std::string::npos);
  EXPECT_EQ(prices.error().where, file.string());
}

}  // namespace
}  // namespace lockstep
