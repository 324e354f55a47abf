// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/run_price.h"

#include <gtest/gtest.h>

#include "temp_dir.h"

using namespace lockstep;
using namespace std::chrono_literals;

namespace {

constexpr const char* kText = R"(kind: distributed
spec:
  infrastructure: {spec: {shapeName: VM.GPU.A10.1, blockStorageSize: 100}}
  cluster: {kind: PYTORCH, spec: {worker: {replicas: 2}}}
)";

PriceTable prices() {
  PriceTable table;
  table.currency = "USD";
  table.shapes = {{"VM.GPU.A10.*", {2.0, {}, {}}}};
  table.blockStoragePerGbMonth = 0.0;
  return table;
}

const TimePoint kBegin(1'800'000'000s);

RunSummary priced() {
  RunSummary run;
  run.nodes = 4;
  run.perHour = 8;
  run.currency = "USD";
  run.state = RunState::Running;
  run.nodeTime = {0ns, 4, kBegin};
  return run;
}

}  // namespace

TEST(RunPrice, OfATextAndOfNone) {
  EXPECT_DOUBLE_EQ(*pricePerHour(kText, prices()), 6.0);
  EXPECT_FALSE(pricePerHour("", prices()));
  EXPECT_FALSE(pricePerHour("a: [", prices()));
  EXPECT_FALSE(pricePerHour("kind: distributed", prices()));
}

TEST(RunPrice, ARehearsalStaysOneInAFile) {
  RunSummary run;
  run.jobId = JobId("ocid1.datasciencejob.oc1.rehearsal.aaaa…5df6");
  EXPECT_TRUE(isRehearsal(run));
  run.jobId = JobId("ocid1.datasciencejob.oc1.iad.aaaa…5df6");
  EXPECT_FALSE(isRehearsal(run));
  run.profile = "REHEARSAL";
  EXPECT_TRUE(isRehearsal(run));
}

TEST(RunPrice, IsLookedForOnceAndKept) {
  const TempDir dir;
  auto store = RunStore::open(dir.path() / "runs.sqlite");
  ASSERT_TRUE(store);
  for (const char* id : {"a", "b", "c"}) {
    TrainingRun run;
    run.id = RunId(id);
    run.created = kBegin;
    if (*id != 'c') run.trainYaml = kText;
    ASSERT_TRUE(store->save(run));
  }
  auto runs = *store->summaries();
  ASSERT_TRUE(fillPrices(*store, runs, prices(), 2));
  EXPECT_FALSE(store->summaries()->back().isPriced);
  runs = *store->summaries();
  ASSERT_TRUE(fillPrices(*store, runs, prices()));
  EXPECT_EQ(*store->summaries(), runs);
  for (const RunSummary& run : runs) {
    EXPECT_TRUE(run.isPriced);
    EXPECT_EQ(run.perHour.has_value(), run.id.value != "c");
  }
  PriceTable dearer = prices();
  dearer.shapes.front().second.perGpuHour = 100;
  ASSERT_TRUE(fillPrices(*store, runs, dearer));
  EXPECT_DOUBLE_EQ(*store->summaries()->back().perHour, 6.0);
}

TEST(RunCost, SoFarForecastAndPerSamples) {
  const RunCost cost = costOf(priced(), kBegin + 30min, 90min);
  EXPECT_DOUBLE_EQ(*cost.soFar, 4);
  EXPECT_DOUBLE_EQ(*cost.forecast, 16);
  EXPECT_EQ(cost.currency, "USD");
  EXPECT_FALSE(cost.isRehearsal);
  EXPECT_FALSE(costOf(priced(), kBegin).forecast);
  EXPECT_DOUBLE_EQ(*costPerMillion(priced(), 1000), 8.0 / 3600 / 1000 * 1e6);
  EXPECT_FALSE(costPerMillion(priced(), 0));
}

TEST(RunCost, AnEndedRunHasNoForecastAndARehearsalIsMarked) {
  RunSummary run = priced();
  run.state = RunState::Succeeded;
  run.nodeTime = {4h, 0, {}};
  run.profile = "REHEARSAL";
  const RunCost cost = costOf(run, kBegin + 30min, 90min);
  EXPECT_DOUBLE_EQ(*cost.soFar, 8);
  EXPECT_FALSE(cost.forecast);
  EXPECT_TRUE(cost.isRehearsal);
  run.perHour.reset();
  EXPECT_FALSE(costOf(run, kBegin).soFar);
}
