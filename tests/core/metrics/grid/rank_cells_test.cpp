// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/grid/rank_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "drawn_metrics.h"

namespace lockstep {
namespace {

constexpr const char* kName = "quantity";

std::vector<RankCell> byHand(const std::vector<DrawnSample>& samples, const std::vector<Rank>& ranks,
                             const StepColumns& columns) {
  std::vector<RankCell> cells(ranks.size() * static_cast<std::size_t>(columns.count));
  for (std::size_t row = 0; row < ranks.size(); ++row) {
    for (const DrawnSample& sample : samples) {
      if (sample.rank != ranks[row] || sample.step < columns.first) continue;
      const Step column = (sample.step - columns.first) / columns.perColumn;
      if (column >= columns.count) continue;
      RankCell& cell =
          cells[row * static_cast<std::size_t>(columns.count) + static_cast<std::size_t>(column)];
      const bool isFirst = !cell.hasValue();
      cell.isMeasured = true;
      cell.hasGap |= !std::isfinite(sample.value);
      if (isFirst) cell.low = 1, cell.high = 0;
      if (!std::isfinite(sample.value)) continue;
      const float value = static_cast<float>(sample.value);
      cell.low = isFirst ? value : std::min(cell.low, value);
      cell.high = isFirst ? value : std::max(cell.high, value);
    }
  }
  return cells;
}

TEST(RankCells, AreWhatTheSamplesAre) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random(seed);
    const auto drawn = [&](Step from, Step to) {
      return std::uniform_int_distribution<Step>(from, to)(random);
    };
    const auto samples = drawSamples(random, 5, drawn(1, 2500));
    const MetricStore store = storeOf(samples, kName);
    const std::vector<Rank> ranks{Rank(3), Rank(0), Rank(4), Rank(9)};
    for (int i = 0; i < 10; ++i) {
      const StepColumns columns{drawn(-100, 2500), drawn(1, 300), static_cast<int>(drawn(1, 40))};
      const auto cells = rankCells(store, kName, ranks, columns), wanted = byHand(samples, ranks, columns);
      ASSERT_EQ(cells.size(), wanted.size());
      for (std::size_t at = 0; at < cells.size(); ++at) {
        ASSERT_EQ(cells[at].isMeasured, wanted[at].isMeasured) << seed << " " << at;
        ASSERT_EQ(cells[at].hasGap, wanted[at].hasGap);
        ASSERT_EQ(cells[at].hasValue(), wanted[at].hasValue());
        if (!cells[at].hasValue()) continue;
        ASSERT_EQ(cells[at].low, wanted[at].low);
        ASSERT_EQ(cells[at].high, wanted[at].high);
      }
    }
  }
}

TEST(RankCells, ExtremesAreFoundWithTheirPlaces) {
  for (unsigned seed = 100; seed < 130; ++seed) {
    std::mt19937_64 random(seed);
    const auto samples = drawSamples(random, 6, 1 + static_cast<Step>(random() % 9000));
    const MetricStore store = storeOf(samples, kName);
    const auto found = findExtremes(store, kName, store.ranks());
    std::optional<Extreme> largest;
    for (const DrawnSample& one : samples) {
      if (!std::isfinite(one.value)) continue;
      const bool isFirst =
          !largest || one.value > largest->value ||
          (one.value == largest->value && one.rank == largest->rank && one.step < largest->step);
      if (isFirst) largest = Extreme{one.rank, one.step, one.value};
    }
    ASSERT_EQ(found.has_value(), largest.has_value()) << seed;
    if (!found) continue;
    EXPECT_EQ(found->largest.rank, largest->rank) << seed;
    EXPECT_EQ(found->largest.step, largest->step) << seed;
    EXPECT_EQ(found->largest.value, largest->value) << seed;
    EXPECT_LE(found->smallest.value, largest->value);
  }
}

TEST(RankCells, OneSpikeAmongManySamplesIsInItsCellAtEveryWidth) {
  MetricStore store;
  MetricSeriesBatch batch{kName, Rank(0), {}};
  for (Step i = 0; i < 200'000; ++i) batch.points.push_back({i, TimePoint(std::chrono::milliseconds(i)), 10});
  batch.points[123'457].value = 90;
  batch.points[33].value = -70;
  store.add(batch);
  const std::vector<Rank> ranks{Rank(0)};
  for (Step width = 1; width <= 1 << 18; width *= 2) {
    const auto up = rankCells(store, kName, ranks, {123'457 / width * width, width, 1});
    ASSERT_EQ(up[0].high, 90) << width;
    const auto down = rankCells(store, kName, ranks, {33 / width * width, width, 1});
    ASSERT_EQ(down[0].low, -70) << width;
  }
  EXPECT_EQ(rankCells(store, kName, ranks, {0, 64, 1})[0].farthestFrom(10), -70);
  EXPECT_EQ(rankCells(store, kName, ranks, {123'400, 64, 1})[0].farthestFrom(10), 90);
}

TEST(RankCells, MediansAreThoseOfTheRanksAtTheSameSteps) {
  std::mt19937_64 random(5);
  const auto samples = drawSamples(random, 9, 400);
  const MetricStore store = storeOf(samples, kName);
  const auto cells = rankCells(store, kName, store.ranks(), {0, 1, 400});
  const auto medians = columnMedians(cells, 400);
  ASSERT_EQ(medians.size(), 400U);
  for (std::size_t column = 0; column < 400; ++column) {
    std::vector<float> values;
    for (std::size_t i = column; i < cells.size(); i += 400)
      if (cells[i].hasValue()) values.push_back(cells[i].low / 2 + cells[i].high / 2);
    std::ranges::sort(values);
    if (values.empty())
      EXPECT_EQ(medians[column], 0);
    else
      EXPECT_NEAR(medians[column], values[values.size() / 2], 1e-3);
  }
}

TEST(RankCells, StepsAtTheEndsOfWhatAStepCanBeDoNoHarm) {
  MetricStore store;
  constexpr Step kFar = std::numeric_limits<Step>::max();
  store.add({kName, Rank(0), {{-kFar, TimePoint{}, 1}, {kFar, TimePoint{}, 2}}});
  const auto steps = stepsOf(store, kName);
  ASSERT_TRUE(steps);
  EXPECT_EQ(*steps, std::pair(-kMaxStep, kMaxStep));
  const std::vector<Rank> ranks{Rank(0)};
  (void)findExtremes(store, kName, ranks);
  EXPECT_EQ(rankCells(store, kName, ranks, {-kMaxStep, kMaxStep / 32, 64}).size(), 64U);
}

TEST(RankCells, NothingIsMadeOfNothing) {
  const MetricStore store;
  const std::vector<Rank> ranks{Rank(0)};
  EXPECT_FALSE(findExtremes(store, kName, ranks));
  EXPECT_FALSE(rankCells(store, kName, ranks, {0, 1, 1})[0].isMeasured);
  EXPECT_TRUE(rankCells(store, kName, ranks, {0, 1, 0}).empty());
}

}  // namespace
}  // namespace lockstep
