// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/changed_steps.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "metrics/metric_store.h"

namespace lockstep {
namespace {

using Steps = std::optional<std::pair<Step, Step>>;

MetricSeriesBatch rows(Step from, Step to, double value = 1, int seconds = 0, const char* name = "loss") {
  MetricSeriesBatch batch{name, Rank(0), {}, {0, 10}};
  for (Step i = from; i <= to; ++i)
    batch.points.push_back({i, TimePoint(std::chrono::seconds(1'000'000 + seconds + i)), value});
  return batch;
}

Steps changed(const MetricStore& now, const MetricStore& before, std::string_view name = "loss") {
  const Rank ranks[] = {Rank(0), Rank(1)};
  return now.changedSteps(name, ranks, before);
}

}  // namespace

TEST(ChangedSteps, OfAppendedRowsTheyAloneChanged) {
  MetricStore store;
  store.add(rows(0, 9999));
  const auto before = store.snapshot();
  EXPECT_FALSE(changed(*store.snapshot(), *before)) << "nothing was added";
  store.add(rows(10'000, 10'010));
  EXPECT_EQ(changed(*store.snapshot(), *before), Steps(std::pair<Step, Step>(10'000, 10'010)));
  EXPECT_EQ(changed(*store.snapshot(), MetricStore()), Steps(std::pair<Step, Step>(0, 10'010)));
  EXPECT_FALSE(changed(*store.snapshot(), *before, "accuracy_percent"));
}

TEST(ChangedSteps, RowsThatComeLateAreAmongThem) {
  MetricStore store;
  store.add(rows(0, 99));
  store.add(rows(200, 9999));
  const auto before = store.snapshot();
  store.add(rows(120, 130));
  const Steps steps = changed(*store.snapshot(), *before);
  ASSERT_TRUE(steps);
  EXPECT_LE(steps->first, 120);
  EXPECT_GE(steps->second, 130);
}

TEST(ChangedSteps, AQuantityThatIsAddedToRowsThatAreThere) {
  MetricStore store;
  store.add(rows(0, 99));
  const auto before = store.snapshot();
  store.add(rows(40, 50, 2, 0, "gradient_norm"));
  const Steps steps = changed(*store.snapshot(), *before, "gradient_norm");
  ASSERT_TRUE(steps);
  EXPECT_LE(steps->first, 40);
  EXPECT_GE(steps->second, 50);
}

TEST(ChangedSteps, WhatWasSamplesAndIsCoarseNowHasChangedAndBack) {
  MetricStore store;
  store.add(rows(0, 9999));
  const auto fine = store.snapshot();
  store.keepWithin(0, {});
  ASSERT_TRUE(store.hasCoarse());
  const auto coarse = store.snapshot();
  const auto ofCoarse = [&store](Step from, Step to) {
    Steps all;
    for (const Attempt& attempt : store.attempts(Rank(0)))
      for (const auto& chunk : attempt.chunks)
        if (chunk->last().step >= from && chunk->first().step <= to)
          all = std::pair(all ? all->first : chunk->first().step, chunk->last().step);
    return all;
  };
  EXPECT_EQ(changed(*coarse, *fine), ofCoarse(0, 8191));
  EXPECT_EQ(changed(*fine, *coarse), ofCoarse(0, 8191));
  EXPECT_FALSE(changed(*store.snapshot(), *coarse));
  store.add(rows(10'000, 10'010));
  EXPECT_EQ(changed(*store.snapshot(), *coarse), Steps(std::pair<Step, Step>(10'000, 10'010)));
  store.add(CoarsePart{Rank(0), {0, 10}, {}, {rows(0, 9999)}});
  EXPECT_TRUE(changed(*store.snapshot(), *coarse));
  EXPECT_LE(changed(*store.snapshot(), *coarse)->first, 0);
}

TEST(ChangedSteps, OfAPastThatIsCoarseTheBucketsThatCameAlone) {
  MetricStore store;
  store.add(rows(0, 9999));
  store.keepWithin(0, {});
  const auto now = store.snapshot();
  const auto past = [&now](Step step) {
    return now->until([step](Rank) { return TimePoint(std::chrono::seconds(1'000'000 + step)); });
  };
  EXPECT_FALSE(changed(*past(1030), *past(1100))) << "in the midst of the same bucket";
  EXPECT_EQ(changed(*past(1600), *past(1100)), Steps(std::pair<Step, Step>(1024, 1535)));
  EXPECT_TRUE(changed(*past(1100), *past(1600)));
}

// Whatever is added in whatever order, and what becomes coarse, or fine again: outside of what is said every value is what it was.
TEST(ChangedSteps, OutsideOfThemNothingChanged) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    MetricStore store;
    std::shared_ptr<const MetricStore> before = store.snapshot();
    for (int round = 0; round < 12; ++round) {
      const Step from = static_cast<Step>(random() % 9000);
      store.add(rows(from, from + static_cast<Step>(random() % 1500), seed,
                     random() % 5 == 0 ? 20'000 * (round + 1) : 0, random() % 4 == 0 ? "other" : "loss"));
      if (random() % 3 == 0) store.keepWithin(0, {});
      const auto parts = store.coarseIn({{}, 0, 20'000, 0});
      if (!parts.empty() && random() % 3 == 0)
        store.add(CoarsePart{Rank(0), parts[random() % parts.size()].segments, {}, {rows(0, 10'500, seed)}});
      const auto now = store.snapshot();
      const Steps steps = changed(*now, *before);
      const auto valuesOf = [&](const MetricStore& of) {
        std::multimap<Step, std::pair<TimePoint, double>> values;
        for (const auto& point : of.points("loss", Rank(0)))
          if (!steps || point.step < steps->first || point.step > steps->second)
            values.emplace(point.step, std::pair(point.time, point.value));
        return values;
      };
      const auto was = valuesOf(*before), is = valuesOf(*now);
      ASSERT_EQ(was, is) << "seed " << seed << ", round " << round;
      before = now;
    }
  }
}

}  // namespace lockstep
