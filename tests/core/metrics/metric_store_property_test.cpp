// SPDX-License-Identifier: GPL-3.0-or-later
// Drawn runs, arriving in drawn orders, against the plain list of their samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "metrics/metric_store.h"
#include "metrics/rank_spread.h"

namespace lockstep {
namespace {

using Random = std::mt19937_64;

struct Row {
  Step step = 0;
  TimePoint time{};
  std::map<std::string, double> cells;
};
using Rows = std::vector<Row>;  // of one attempt, in the order of the steps

int drawn(Random& random, int from, int to) {
  return std::uniform_int_distribution(from, to)(random);
}
bool isDrawn(Random& random, double share) {
  return std::bernoulli_distribution(share)(random);
}

double drawnValue(Random& random, bool isFloat) {
  const int kind = drawn(random, 0, 99);
  if (kind == 0) return std::numeric_limits<double>::quiet_NaN();
  if (kind == 1) return std::numeric_limits<double>::infinity();
  if (kind == 2) return -1e6;
  const double value = std::normal_distribution(10.0, 3.0)(random);
  return isFloat ? static_cast<double>(static_cast<float>(value)) : value;
}

Row drawnRow(Random& random, Step step, TimePoint time) {
  Row row{step, time, {}};
  row.cells["loss"] = drawnValue(random, true);
  if (step < 100 || step > 700) row.cells["step_ms"] = drawnValue(random, false);
  if (isDrawn(random, 0.01)) row.cells["accuracy"] = drawnValue(random, true);
  // A stretch without a number, longer than a group of the pyramid.
  if (step > 1000 && step < 1400) row.cells["loss"] = std::numeric_limits<double>::quiet_NaN();
  return row;
}

/// Attempts of a rank as a trainer records them: a thread beside the steps records what uses the machine.
std::vector<Rows> drawnRun(Random& random, int rowsPerAttempt) {
  std::vector<Rows> attempts;
  TimePoint time(std::chrono::seconds(1'700'000'000));
  Step step = 0;
  for (int attempt = drawn(random, 1, 4); attempt > 0; --attempt) {
    Rows rows;
    if (isDrawn(random, 0.5)) rows.push_back({0, time, {{"total_steps", 5000}}});
    for (int i = drawn(random, 5, rowsPerAttempt); i > 0; --i, ++step) {
      time += std::chrono::nanoseconds(drawn(random, 1, 90'000'000));
      rows.push_back(drawnRow(random, step, time));
      if (!isDrawn(random, 0.05)) continue;
      time += std::chrono::nanoseconds(drawn(random, 1, 1000));
      rows.push_back({std::max<Step>(0, step - drawn(random, 0, 1)), time, {{"cpu_percent", 50.0 + i}}});
    }
    std::ranges::stable_sort(rows, {}, [](const Row& row) { return std::pair(row.step, row.time); });
    attempts.push_back(rows);
    step = std::max<Step>(0, step - drawn(random, 4, rowsPerAttempt));
    time += std::chrono::seconds(drawn(random, 5, 60));
  }
  return attempts;
}

/// The rows in pieces as segments bring them, in a drawn order, some of them again, some by quantity.
std::vector<std::vector<MetricSeriesBatch>> drawnArrival(Random& random, const std::vector<Rows>& attempts) {
  std::vector<Row> all;
  for (const Rows& rows : attempts) all.insert(all.end(), rows.begin(), rows.end());
  const int disorder = drawn(random, 0, 2);  // none, of pieces, of rows
  if (disorder == 2) std::ranges::shuffle(all, random);
  std::vector<std::vector<MetricSeriesBatch>> pieces;
  for (std::size_t first = 0; first < all.size();) {
    const std::size_t count = std::min<std::size_t>(
        static_cast<std::size_t>(drawn(random, 1, static_cast<int>(all.size()))), all.size() - first);
    std::map<std::string, MetricSeriesBatch> batches;
    for (std::size_t i = first; i < first + count; ++i) {
      for (const auto& [name, value] : all[i].cells) {
        auto& batch = batches.try_emplace(name, MetricSeriesBatch{name, Rank(3), {}}).first->second;
        batch.points.push_back({all[i].step, all[i].time, value});
      }
    }
    auto& piece = pieces.emplace_back();
    for (const auto& [name, batch] : batches) piece.push_back(batch);
    first += count;
  }
  for (std::size_t i = pieces.size(); i-- > 0;)
    if (isDrawn(random, 0.1)) pieces.push_back(pieces[i]);
  if (disorder > 0) std::ranges::shuffle(pieces, random);
  return pieces;
}

std::vector<std::vector<MetricPoint>> truthOf(const std::vector<Rows>& attempts, const std::string& name) {
  std::vector<std::vector<MetricPoint>> truth;
  for (const Rows& rows : attempts) {
    auto& points = truth.emplace_back();
    for (const Row& row : rows)
      if (const auto cell = row.cells.find(name); cell != row.cells.end())
        points.push_back({row.step, row.time, cell->second});
  }
  return truth;
}

bool isSame(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

void expectSeries(const std::vector<MetricPoint>& found,
                  const std::vector<std::vector<MetricPoint>>& attempts) {
  std::vector<MetricPoint> truth;
  for (const auto& points : attempts) truth.insert(truth.end(), points.begin(), points.end());
  ASSERT_EQ(found.size(), truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ASSERT_EQ(found[i].step, truth[i].step) << i;
    ASSERT_EQ(found[i].time, truth[i].time) << i;
    ASSERT_TRUE(isSame(found[i].value, truth[i].value)) << i << ": " << found[i].value << truth[i].value;
  }
}

/// What forEachPixel() is to say, by looking at every sample.
std::vector<PixelPart> bruteForce(const std::vector<std::vector<MetricPoint>>& attempts,
                                  const PixelGrid& grid) {
  std::vector<PixelPart> parts;
  const auto place = [&grid](const MetricPoint& point) {
    const auto x = static_cast<double>(point.step);
    return x < grid.from ? -1 : x > grid.to ? grid.pixels + 1 : grid.pixelOf(point.step);
  };
  for (std::size_t attempt = 0; attempt < attempts.size(); ++attempt) {
    std::map<int, PixelPart> columns;
    for (const MetricPoint& point : attempts[attempt]) {
      const int pixel = place(point);
      if (pixel == -1) columns.erase(pixel);  // the nearest alone
      if (pixel == grid.pixels + 1 && columns.contains(pixel)) continue;
      auto& part =
          columns
              .try_emplace(pixel, PixelPart{static_cast<int>(attempt), pixel, {}, point.step, 0, point.step})
              .first->second;
      part.values.add(point.value);
      part.last = point.step;
      if (std::isfinite(point.value)) part.lastFinite = point.step;
    }
    for (const auto& [pixel, part] : columns) parts.push_back(part);
  }
  return parts;
}

void expectPixels(const MetricStore& store, const std::string& name,
                  const std::vector<std::vector<MetricPoint>>& truth, const PixelGrid& grid) {
  std::vector<PixelPart> found;
  store.forEachPixel(name, Rank(3), grid, [&found](const PixelPart& part) { found.push_back(part); });
  const std::vector<PixelPart> wanted = bruteForce(truth, grid);
  ASSERT_EQ(found.size(), wanted.size()) << grid.from << " … " << grid.to << " / " << grid.pixels;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const PixelPart &a = found[i], &b = wanted[i];
    SCOPED_TRACE(::testing::Message() << name << " pixel " << b.pixel << " of " << grid.pixels << ", "
                                      << grid.from << " … " << grid.to);
    ASSERT_EQ(a.pixel, b.pixel);
    ASSERT_EQ(a.attempt, b.attempt);
    ASSERT_EQ(a.values.finite, b.values.finite);
    ASSERT_EQ(a.values.notFinite, b.values.notFinite);
    ASSERT_EQ(a.first, b.first);
    ASSERT_EQ(a.last, b.last);
    ASSERT_EQ(a.lastFinite, b.lastFinite);
    if (b.values.finite == 0) continue;
    ASSERT_EQ(a.values.min, b.values.min);
    ASSERT_EQ(a.values.max, b.values.max);
    ASSERT_EQ(a.values.first, b.values.first);
    ASSERT_EQ(a.values.last, b.values.last);
    ASSERT_NEAR(a.values.mean(), b.values.mean(), 1e-6 * (1 + std::max(-b.values.min, b.values.max)));
  }
}

PixelGrid drawnGrid(Random& random, const MetricStore& store, const std::string& name) {
  const auto steps = store.steps(name).value_or(std::pair<Step, Step>(0, 0));
  const auto width = static_cast<double>(steps.second - steps.first + 10);
  std::uniform_real_distribution<double> anywhere(static_cast<double>(steps.first) - 5,
                                                  static_cast<double>(steps.second) + 5);
  PixelGrid grid{anywhere(random), 0, drawn(random, 1, isDrawn(random, 0.5) ? 20 : 2000)};
  grid.to = grid.from + width * std::pow(10.0, -drawn(random, 0, 3)) * (isDrawn(random, 0.1) ? 0 : 1);
  if (isDrawn(random, 0.3)) {
    grid.from = std::floor(grid.from);
    grid.to = std::ceil(grid.to);
  }
  return grid;
}

const char* const kNames[] = {"loss", "step_ms", "accuracy", "cpu_percent", "total_steps"};

void checkRun(std::uint64_t seed, int rowsPerAttempt) {
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  Random random(seed);
  const auto attempts = drawnRun(random, rowsPerAttempt);
  const auto arrival = drawnArrival(random, attempts);
  MetricStore store;
  std::shared_ptr<const MetricStore> snapshot;
  std::vector<MetricPoint> then;
  const std::size_t middle = arrival.size() / 2;
  for (std::size_t i = 0; i < arrival.size(); ++i) {
    if (i == middle) {
      snapshot = store.snapshot();
      then = store.series("loss", Rank(3));
    }
    store.add(arrival[i]);
  }
  expectSeries(snapshot->series("loss", Rank(3)), {then});
  std::size_t count = 0;
  for (const std::string name : kNames) {
    const auto truth = truthOf(attempts, name);
    ASSERT_NO_FATAL_FAILURE(expectSeries(store.series(name, Rank(3)), truth));
    for (const auto& points : truth) count += points.size();
    for (int i = 0; i < 12; ++i)
      ASSERT_NO_FATAL_FAILURE(expectPixels(store, name, truth, drawnGrid(random, store, name)));
  }
  ASSERT_EQ(store.sampleCount(), count);
}

TEST(MetricStoreProperty, AShortRunIsWhatCameInWhateverOrder) {
  for (std::uint64_t seed = 0; seed < 600 && !HasFatalFailure(); ++seed) checkRun(seed, 60);
}

TEST(MetricStoreProperty, ALongRunIsWhatCameInWhateverOrder) {
  for (std::uint64_t seed = 0; seed < 15 && !HasFatalFailure(); ++seed) checkRun(seed, 12'000);
}

TEST(MetricStoreProperty, ClocksThatJumpLoseNothing) {
  Random random(7);
  for (int round = 0; round < 50; ++round) {
    MetricStore store;
    std::vector<std::tuple<Step, TimePoint, double>> truth;
    std::vector<MetricPoint> points;
    for (int i = 0; i < 600; ++i)
      points.push_back(
          {drawn(random, -500, 500), TimePoint(std::chrono::hours(drawn(random, 0, 2'000'000))), 1.0 * i});
    points.push_back({Step{1} << 53, {}, 3});
    points.push_back({-(Step{1} << 53), {}, 4});
    for (const MetricPoint& point : points) truth.emplace_back(point.step, point.time, point.value);
    for (std::size_t i = 0; i < points.size(); i += 50)
      store.add({"loss",
                 Rank(0),
                 {points.begin() + static_cast<std::ptrdiff_t>(i),
                  points.begin() + static_cast<std::ptrdiff_t>(std::min(i + 50, points.size()))}});
    std::vector<std::tuple<Step, TimePoint, double>> found;
    for (const MetricPoint& point : store.series("loss", Rank(0)))
      found.emplace_back(point.step, point.time, point.value);
    std::ranges::sort(truth);
    std::ranges::sort(found);
    ASSERT_EQ(found, truth);
  }
}

TEST(MetricStoreProperty, OneSpikeAmongTenMillionIsSeenAtEachZoom) {
  constexpr Step kSteps = 10'000'000, kSpike = 6'543'210, kPiece = 1'000'000;
  MetricStore store;
  for (Step first = 0; first < kSteps; first += kPiece) {
    MetricSeriesBatch batch{"loss", Rank(0), {}};
    for (Step i = first; i < first + kPiece; ++i)
      batch.points.push_back({i, TimePoint(std::chrono::milliseconds(i)), i == kSpike ? 99.0 : 0.5});
    store.add(batch);
  }
  const Rank rank(0);
  for (double width = kSteps; width >= 1; width /= 3) {
    const double from = std::max(0.0, kSpike - width / 2);
    const auto spans = store.spans("loss", rank, from, from + width, 777);
    EXPECT_TRUE(std::ranges::any_of(spans, [](const PixelSpan& span) { return span.max == 99; })) << width;
    const auto band = spreadOverRanks(store, "loss", std::span(&rank, 1), {from, from + width, 777});
    EXPECT_TRUE(std::ranges::any_of(band, [](const RankSpread& part) { return part.max == 99; })) << width;
  }
}

TEST(RankSpread, IsThatOfTheSortedMeansInEachColumn) {
  Random random(3);
  MetricStore store;
  std::vector<Rank> ranks;
  std::vector<std::vector<double>> values(100);  // by column of ten steps
  for (int rank = 0; rank < 37; ++rank) {
    ranks.emplace_back(rank);
    MetricSeriesBatch batch{"loss", Rank(rank), {}};
    std::vector<double> sums(100);
    for (Step step = 0; step < 1000; ++step) {
      const double value = drawn(random, 0, 1000);
      sums[static_cast<std::size_t>(step / 10)] += value;
      batch.points.push_back({step, TimePoint(std::chrono::seconds(step)), value});
    }
    store.add(batch);
    for (std::size_t i = 0; i < 100; ++i) values[i].push_back(sums[i] / 10);
  }
  const auto spreads = spreadOverRanks(store, "loss", ranks, {0, 999.99, 100});
  ASSERT_EQ(spreads.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    std::ranges::sort(values[i]);
    EXPECT_EQ(spreads[i].ranks, 37);
    EXPECT_NEAR(spreads[i].median, values[i][18], 1e-3);
    EXPECT_NEAR(spreads[i].p10, values[i][3] * 0.4 + values[i][4] * 0.6, 1e-3);
    EXPECT_NEAR(spreads[i].p90, values[i][32] * 0.6 + values[i][33] * 0.4, 1e-3);
    EXPECT_LE(spreads[i].min, values[i].front());
    EXPECT_GE(spreads[i].max, values[i].back());
  }
}

}  // namespace
}  // namespace lockstep
