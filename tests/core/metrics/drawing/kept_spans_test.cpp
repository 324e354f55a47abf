// SPDX-License-Identifier: GPL-3.0-or-later
// Spans that are kept while a curve moves, against those that are computed anew and against each sample.
#include "metrics/drawing/kept_spans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace lockstep {
namespace {

using Random = std::mt19937_64;

double drawn(Random& random, double from, double to) {
  return std::uniform_real_distribution(from, to)(random);
}

/// One rank, with gaps, values that are none, and a restart that repeats steps.
std::shared_ptr<const MetricStore> drawnRun(Random& random, Step steps) {
  MetricStore store;
  MetricSeriesBatch batch{"loss", Rank(2), {}};
  TimePoint time(std::chrono::seconds(1'700'000'000));
  const Step restart = static_cast<Step>(drawn(random, 0.3, 0.8) * static_cast<double>(steps));
  for (const auto& [from, to] :
       {std::pair<Step, Step>(0, restart), std::pair<Step, Step>(restart / 2, steps)})
    for (Step step = from; step < to; ++step) {
      time += std::chrono::milliseconds(100);
      const double kind = drawn(random, 0, 1);
      if (kind < 0.02) step += 5;  // holes
      batch.points.push_back({step, time, kind > 0.99 ? std::nan("") : drawn(random, -9, 9)});
    }
  store.add(batch);
  return store.snapshot();
}

PixelGrid drawnGrid(Random& random, double steps) {
  const double width = std::pow(10, drawn(random, 0.5, std::log10(steps)));
  const double from = drawn(random, -0.2 * steps, steps);
  return {from, from + width, static_cast<int>(drawn(random, 50, 500))};
}

/// What a user does next: moves or zooms, seldom goes elsewhere.
PixelGrid next(Random& random, const PixelGrid& grid, double steps) {
  const double kind = drawn(random, 0, 1), width = grid.to - grid.from;
  if (kind < 0.05) return drawnGrid(random, steps);
  if (kind < 0.7) {
    const double by = drawn(random, -0.4, 0.4) * width;
    return {grid.from + by, grid.to + by, grid.pixels};
  }
  const double factor = kind < 0.85 ? 0.7 : 1 / 0.7, middle = (grid.from + grid.to) / 2;
  const double half = std::min(width * factor, 2 * steps) / 2;
  return {middle - half, middle + half, grid.pixels};
}

/// Every sample in sight is in a span that is near enough and reaches it, and no span has what no sample near it has.
void expectShows(const std::vector<PixelSpan>& found, const MetricStore& store, const PixelGrid& grid,
                 double widest) {
  const double near = std::max(1.0, widest * grid.perPixel()) + 1;
  const auto points = store.series("loss", Rank(2));
  double least = INFINITY, most = -INFINITY, foundLeast = INFINITY, foundMost = -INFINITY;
  double nearLeast = INFINITY, nearMost = -INFINITY;
  for (const MetricPoint& point : points) {
    const auto x = static_cast<double>(point.step);
    if (!std::isfinite(point.value)) continue;
    if (x >= grid.from && x <= grid.to - near) {  // what is at the edge may be in a column that ends beyond
      least = std::min(least, point.value);
      most = std::max(most, point.value);
    }
    if (x >= grid.from - near && x <= grid.to + near) {
      nearLeast = std::min(nearLeast, point.value);
      nearMost = std::max(nearMost, point.value);
    }
  }
  for (const PixelSpan& span : found) {
    if (!std::isfinite(span.min) || span.x < grid.from || span.x > grid.to) continue;
    foundLeast = std::min(foundLeast, span.min);
    foundMost = std::max(foundMost, span.max);
  }
  ASSERT_LE(foundLeast, least);
  ASSERT_GE(foundMost, most);
  if (foundLeast <= foundMost) {
    ASSERT_GE(foundLeast, nearLeast);
    ASSERT_LE(foundMost, nearMost);
  }
}

void expectInOrder(const std::vector<PixelSpan>& spans) {
  for (std::size_t i = 1; i < spans.size(); ++i) {
    ASSERT_LE(spans[i - 1].attempt, spans[i].attempt);
    if (spans[i - 1].attempt == spans[i].attempt) {
      ASSERT_LE(spans[i - 1].x, spans[i].x);
    }
  }
}

/// The line reaches both edges, if there are samples behind them, and not only in the column that an edge is in.
void expectReachesEdges(const std::vector<PixelSpan>& found, const MetricStore& store, const PixelGrid& grid,
                        double widest) {
  const double near = std::max(1.0, widest * grid.perPixel()) + 1;
  const auto has = [](const std::vector<PixelSpan>& spans, int attempt, auto isThere) {
    return std::ranges::any_of(
        spans, [&](const PixelSpan& span) { return span.attempt == attempt && isThere(span.x); });
  };
  const auto isBefore = [&](double x) { return x < grid.from; };
  const auto isBehind = [&](double x) { return x > grid.to; };
  const auto left = store.spans("loss", Rank(2), grid.from - near, grid.from - near, 1);
  const auto right = store.spans("loss", Rank(2), grid.to + near, grid.to + near, 1);
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (has(left, attempt, [&](double x) { return x < grid.from - near; })) {
      ASSERT_TRUE(has(found, attempt, isBefore)) << attempt;
    }
    if (has(right, attempt, [&](double x) { return x > grid.to + near; })) {
      ASSERT_TRUE(has(found, attempt, isBehind)) << attempt;
    }
  }
}

TEST(KeptSpans, ShowWhatThereIsHoweverTheyMove) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const Step steps = seed % 2 == 0 ? 20'000 : 700;
    const auto store = drawnRun(random, steps);
    KeptSpans kept;
    kept.setSource(store, "loss", Rank(2));
    PixelGrid grid = drawnGrid(random, static_cast<double>(steps));
    for (int look = 0; look < 150; ++look) {
      SCOPED_TRACE(testing::Message()
                   << "seed " << seed << ", look " << look << ", " << grid.from << " … " << grid.to);
      const bool isRefined = drawn(random, 0, 1) < 0.3;
      if (isRefined) {
        kept.refine(grid);
        ASSERT_TRUE(kept.isFine(grid));
      }
      const auto found = kept.spans(grid);
      const auto anew = store->spans("loss", Rank(2), grid.from, grid.to, grid.pixels);
      ASSERT_NO_FATAL_FAILURE(expectInOrder(found));
      const double widest = isRefined ? 1 : KeptSpans::kWidest;
      ASSERT_NO_FATAL_FAILURE(expectShows(found, *store, grid, widest));
      ASSERT_NO_FATAL_FAILURE(expectReachesEdges(found, *store, grid, widest));
      ASSERT_LE(found.size(), 12 * anew.size() + 100) << "not everything that was ever seen";
      grid = next(random, grid, static_cast<double>(steps));
    }
  }
}

TEST(KeptSpans, WhereEachSampleHasAColumnTheyAreTheSamples) {
  Random random(7);
  const auto store = drawnRun(random, 2'000);
  KeptSpans kept;
  kept.setSource(store, "loss", Rank(2));
  for (double from = 100; from < 1500; from += 37) {
    const PixelGrid grid{from, from + 150, 400};
    kept.refine(grid);
    const auto found = kept.spans(grid),
               anew = store->spans("loss", Rank(2), grid.from, grid.to, grid.pixels);
    ASSERT_EQ(found.size(), anew.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].x, anew[i].x);
      ASSERT_EQ(found[i].attempt, anew[i].attempt);
      ASSERT_EQ(std::isnan(found[i].last), std::isnan(anew[i].last));
      if (!std::isnan(found[i].last)) {
        ASSERT_EQ(found[i].last, anew[i].last);
      }
    }
  }
}

TEST(KeptSpans, OfAnotherStoreNothingIsKept) {
  Random random(3);
  const auto store = drawnRun(random, 500);
  MetricStore other;
  other.add({"loss", Rank(2), {{10, TimePoint(std::chrono::seconds(1)), 77.0}}});
  KeptSpans kept;
  const PixelGrid grid{0, 500, 100};
  kept.setSource(store, "loss", Rank(2));
  EXPECT_GT(kept.spans(grid).size(), 50U);
  kept.setSource(other.snapshot(), "loss", Rank(2));
  EXPECT_FALSE(kept.isFine(grid));
  ASSERT_EQ(kept.spans(grid).size(), 1U);
  EXPECT_EQ(kept.spans(grid).front().last, 77.0);
  kept.setSource(other.snapshot(), "loss", Rank(9));
  EXPECT_TRUE(kept.spans(grid).empty());
  EXPECT_TRUE(kept.isFine(grid)) << "that there is nothing is known";
}

}  // namespace
}  // namespace lockstep
