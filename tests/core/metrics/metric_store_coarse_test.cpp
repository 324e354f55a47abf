// SPDX-License-Identifier: GPL-3.0-or-later
// What is coarse in a store against brute force: drawn runs, restarts, ranges and widths; given up and read again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <random>

#include "metrics/metric_store.h"
#include "metrics/sample_csv.h"
#include "metrics/sample_joiner.h"
#include "metrics/segments/metric_summary.h"

namespace lockstep {
namespace {

using Random = std::mt19937_64;

int drawn(Random& random, int from, int to) {
  return std::uniform_int_distribution<int>(from, to)(random);
}

bool isDrawn(Random& random, double share) {
  return std::uniform_real_distribution<double>(0, 1)(random) < share;
}

double drawnValue(Random& random) {
  const int kind = drawn(random, 0, 40);
  if (kind == 0) return std::numeric_limits<double>::quiet_NaN();
  if (kind == 1) return -std::numeric_limits<double>::infinity();
  if (kind < 20) return static_cast<double>(drawn(random, -1000, 1000));
  return std::uniform_real_distribution<double>(-1, 1)(random);
}

/// A rank's segments, in one or two attempts: the second goes on from where a checkpoint was.
std::vector<MetricSegment> drawnRun(Random& random, int rowsPerSegment) {
  std::vector<MetricSegment> run;
  const int restart = isDrawn(random, 0.4) ? drawn(random, 10, 60) : 1000;
  Step step = 0;
  long long time = 1'000'000;
  for (int n = 0; n < 80; ++n) {
    MetricSegment& segment = run.emplace_back();
    segment.sequence = static_cast<std::uint64_t>(n);
    if (n == restart) step = step / 2;
    for (int rows = drawn(random, 1, rowsPerSegment); rows > 0; --rows) {
      std::vector<NamedValue> values{{"loss", drawnValue(random)}};
      if (isDrawn(random, 0.8)) values.emplace_back("step_ms", drawnValue(random));
      if (isDrawn(random, 0.02)) values.emplace_back("accuracy", drawnValue(random));
      segment.append(step, TimePoint(std::chrono::microseconds(time)), values);
      step += drawn(random, 1, 3);
      time += drawn(random, 1, 2'000'000);
    }
  }
  return run;
}

struct CoarseRun {
  std::vector<MetricSegment> segments;
  MetricStore whole;   // every sample, all along
  MetricStore coarse;  // what this is about

  [[nodiscard]] std::vector<MetricSeriesBatch> batches(const SegmentSpan& span) const {
    SampleJoiner joiner;
    for (std::uint64_t n = span.first; n < std::min<std::uint64_t>(span.end, segments.size()); ++n)
      joiner.add(segments[n]);
    return joiner.take();
  }
  /// Reads a part again, as a MetricReader does.
  void refine(const CoarseSpan& part) {
    coarse.add(CoarsePart{part.rank, part.segments, {}, batches(part.segments)});
  }
};

using Parts = std::map<std::pair<int, int>, PixelPart>;  // by attempt and pixel

Parts partsOf(const MetricStore& store, const std::string& name, const PixelGrid& grid) {
  Parts parts;
  store.forEachPixel(name, Rank(0), grid, [&](const PixelPart& part) {
    if (part.pixel < 0 || part.pixel > grid.pixels) return;  // neighbours
    const auto [place, isNew] = parts.try_emplace({part.attempt, part.pixel}, part);
    if (!isNew) place->second.values.append(part.values);
  });
  return parts;
}

/// Nothing is missing from a picture, and nothing lies outside of what there is around it.
void expectCovers(const MetricStore& store, const MetricStore& whole, const std::string& name,
                  const PixelGrid& grid) {
  const Parts truth = partsOf(whole, name, grid), found = partsOf(store, name, grid);
  for (const auto& [place, part] : truth) {
    SCOPED_TRACE(testing::Message() << name << " attempt " << place.first << " pixel " << place.second
                                    << " of " << grid.pixels << ", " << grid.from << " … " << grid.to);
    const auto there = found.find(place);
    ASSERT_NE(there, found.end());
    const ValueSummary& values = there->second.values;
    ASSERT_GE(values.finite, part.values.finite > 0 ? 1U : 0U);
    ASSERT_GE(values.notFinite, part.values.notFinite > 0 ? 1U : 0U);
    if (part.values.finite == 0) continue;
    ASSERT_LE(values.min, part.values.min);
    ASSERT_GE(values.max, part.values.max);
  }
}

void expectSame(const MetricStore& store, const MetricStore& whole, const std::string& name,
                const PixelGrid& grid) {
  const Parts truth = partsOf(whole, name, grid), found = partsOf(store, name, grid);
  ASSERT_EQ(found.size(), truth.size());
  for (const auto& [place, part] : truth) {
    const auto there = found.find(place);
    ASSERT_NE(there, found.end());
    const ValueSummary &a = there->second.values, &b = part.values;
    ASSERT_EQ(a.finite, b.finite);
    ASSERT_EQ(a.notFinite, b.notFinite);
    if (b.finite == 0) continue;
    ASSERT_EQ(a.min, b.min);
    ASSERT_EQ(a.max, b.max);
    ASSERT_NEAR(a.mean(), b.mean(), 1e-5 * (1 + std::max(std::fabs(b.min), std::fabs(b.max))));
  }
}

const char* const kNames[] = {"loss", "step_ms", "accuracy"};

PixelGrid drawnGrid(Random& random, const MetricStore& store) {
  const auto steps = store.steps("loss").value();
  std::uniform_real_distribution<double> anywhere(static_cast<double>(steps.first) - 5,
                                                  static_cast<double>(steps.second) + 5);
  const double from = std::floor(anywhere(random));
  return {from, from + std::ceil(std::pow(10.0, drawn(random, 0, 4))), drawn(random, 1, 700)};
}

/// The bucket that a step of an attempt is in, if it is coarse there.
std::optional<CoarseBlock::Bucket> bucketWith(const Attempt& attempt, Step step) {
  for (const auto& chunk : attempt.chunks)
    for (const auto& bucket : chunk->buckets())
      if (bucket.first.step <= step && step <= bucket.last.step) return bucket;
  return std::nullopt;
}

/// Rows are found where they are, or in the bucket that they are in.
void expectReaches(const MetricStore& store, const MetricStore& whole, TimePoint time) {
  const auto found = store.reachedAt(Rank(0), time), truth = whole.reachedAt(Rank(0), time);
  ASSERT_EQ(found.has_value(), truth.has_value());
  if (!truth) return;
  ASSERT_EQ(found->attempt, truth->attempt);
  const auto bucket =
      bucketWith(store.attempts(Rank(0))[static_cast<std::size_t>(truth->attempt)], truth->step);
  ASSERT_GE(found->step, bucket ? bucket->first.step : truth->step);
  ASSERT_LE(found->step, bucket ? bucket->last.step : truth->step);
}

void expectFindsRow(const MetricStore& store, const MetricStore& whole, Step step) {
  const auto found = store.nearestRow(Rank(0), static_cast<double>(step));
  const auto truth = whole.nearestRow(Rank(0), static_cast<double>(step));
  ASSERT_TRUE(found && truth);
  ASSERT_EQ(truth->step, step);
  ASSERT_EQ(found->step, step);
  const auto attempts = store.attempts(Rank(0));
  std::size_t newest = attempts.size() - 1;
  while (step < attempts[newest].minStep() || step > attempts[newest].maxStep()) --newest;
  // What is coarse has a row of each step; the newest attempt may have left this one out.
  if (truth->time < attempts[newest].minTime || truth->time > attempts[newest].maxTime) return;
  const auto bucket = bucketWith(attempts[newest], step);
  ASSERT_GE(found->time, bucket ? bucket->first.time : truth->time);
  ASSERT_LE(found->time, bucket ? bucket->last.time : truth->time);
}

/// The last sample by then, by looking at all; of what is coarse that of the bucket before.
void expectLast(const MetricStore& store, const MetricStore& whole, const std::string& name, TimePoint time) {
  std::optional<MetricPoint> truth;
  for (const MetricPoint& point : whole.series(name, Rank(0)))
    if (point.time <= time) truth = point;
  const auto reached = whole.reachedAt(Rank(0), time);
  const auto known = reached ? whole.last(name, Rank(0), *reached) : std::nullopt;
  ASSERT_EQ(known.has_value(), truth.has_value());
  if (truth) {
    ASSERT_EQ(known->time, truth->time);
  }
  const auto by = store.reachedAt(Rank(0), time);
  const auto found = by ? store.last(name, Rank(0), *by) : std::nullopt;
  if (!found) return;
  ASSERT_TRUE(truth) << "what had not come yet";
  ASSERT_LE(found->time, time);
}

void checkRows(const CoarseRun& run, Random& random) {
  ASSERT_EQ(run.coarse.times(), run.whole.times());
  const auto [begin, end] = run.whole.times().value();
  const auto all = run.whole.series("loss", Rank(0));
  for (int i = 0; i < 40; ++i) {
    const double share = std::uniform_real_distribution<double>(-0.05, 1.05)(random);
    const auto since = static_cast<std::int64_t>(share * static_cast<double>((end - begin).count()));
    ASSERT_NO_FATAL_FAILURE(expectReaches(run.coarse, run.whole, begin + TimePoint::duration(since)));
    const MetricPoint& point =
        all[static_cast<std::size_t>(drawn(random, 0, static_cast<int>(all.size()) - 1))];
    ASSERT_NO_FATAL_FAILURE(expectReaches(run.coarse, run.whole, point.time));
    ASSERT_NO_FATAL_FAILURE(expectFindsRow(run.coarse, run.whole, point.step));
    if (i % 8 > 0) continue;
    ASSERT_NO_FATAL_FAILURE(expectLast(run.coarse, run.whole, "step_ms", point.time));
  }
}

/// Points of what is coarse are samples, each at a time within its bucket.
void checkPoints(const CoarseRun& run, const std::string& name) {
  std::map<Step, std::vector<double>> truth;
  for (const MetricPoint& point : run.whole.series(name, Rank(0))) truth[point.step].push_back(point.value);
  const auto points = run.coarse.points(name, Rank(0));
  ASSERT_GE(points.size(), run.coarse.series(name, Rank(0)).size());
  ASSERT_LE(points.size(), run.whole.sampleCount(name, Rank(0)));
  ASSERT_FALSE(points.empty());
  for (const MetricPoint& point : points) ASSERT_TRUE(truth.contains(point.step)) << name << point.step;
  ASSERT_EQ(run.coarse.sampleCount(name, Rank(0)), run.whole.sampleCount(name, Rank(0)));
}

void check(CoarseRun& run, Random& random) {
  for (const std::string name : kNames) {
    if (!run.whole.steps(name)) continue;
    ASSERT_EQ(run.coarse.steps(name), run.whole.steps(name));
    ASSERT_NO_FATAL_FAILURE(checkPoints(run, name));
    ASSERT_NO_FATAL_FAILURE(expectSame(run.coarse, run.whole, name, {-10, 1e7, 1}));
    for (int i = 0; i < 6; ++i)
      ASSERT_NO_FATAL_FAILURE(expectCovers(run.coarse, run.whole, name, drawnGrid(random, run.whole)));
  }
  ASSERT_EQ(run.coarse.sampleCount(), run.whole.sampleCount());
  ASSERT_NO_FATAL_FAILURE(checkRows(run, random));
}

void refineAll(CoarseRun& run, Random& random) {
  for (auto parts = run.coarse.coarseIn({{}, -100, 1'000'000'000, 0}); !parts.empty();
       parts = run.coarse.coarseIn({{}, -100, 1'000'000'000, 0})) {
    std::ranges::shuffle(parts, random);
    for (const CoarseSpan& part : parts) run.refine(part);
  }
  ASSERT_FALSE(run.coarse.hasCoarse());
  for (const std::string name : kNames) {
    const auto found = run.coarse.series(name, Rank(0)), truth = run.whole.series(name, Rank(0));
    ASSERT_EQ(found.size(), truth.size()) << name;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      ASSERT_EQ(found[i].step, truth[i].step);
      ASSERT_EQ(found[i].time, truth[i].time);
      ASSERT_TRUE(found[i].value == truth[i].value ||
                  (std::isnan(found[i].value) && std::isnan(truth[i].value)));
    }
  }
}

// Summaries in whatever order, and the segments that none stands for; then finer ones in their place.
TEST(MetricStoreCoarse, SummariesAreWhatTheirSamplesComeTo) {
  for (std::uint64_t seed = 0; seed < 150 && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    CoarseRun run{drawnRun(random, 60), {}, {}};
    run.whole.add(run.batches({0, 1000}));
    SummaryBuilder builder;
    std::vector<CoarsePart> parts;
    std::vector<bool> covered(run.segments.size());
    for (const MetricSegment& segment : run.segments)
      for (SegmentSummary& summary : builder.add(segment)) {
        for (auto n = summary.id.segments().first; n < summary.id.segments().end; ++n) covered[n] = true;
        parts.push_back({Rank(0), {}, {std::move(summary)}, {}});
      }
    std::ranges::shuffle(parts, random);
    for (const CoarsePart& part : parts) run.coarse.add(part);
    for (std::uint64_t n = 0; n < covered.size(); ++n)
      if (!covered[n]) run.coarse.add(run.batches({n, n + 1}));
    ASSERT_TRUE(run.coarse.hasCoarse());
    ASSERT_NO_FATAL_FAILURE(check(run, random));
    const auto some = run.coarse.coarseIn({{}, 0, 1'000'000, 0});
    for (const CoarseSpan& part : some)
      if (isDrawn(random, 0.5)) run.refine(part);
    ASSERT_NO_FATAL_FAILURE(check(run, random));
    ASSERT_NO_FATAL_FAILURE(refineAll(run, random));
  }
}

// What is given up for want of memory, and read again, over and over.
TEST(MetricStoreCoarse, WhatIsGivenUpAndReadAgainIsAsBefore) {
  for (std::uint64_t seed = 0; seed < 60 && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(1000 + seed);
    CoarseRun run{drawnRun(random, 900), {}, {}};
    for (std::uint64_t n = 0; n < run.segments.size(); n += 8) {
      run.whole.add(run.batches({n, n + 8}));
      run.coarse.add(run.batches({n, n + 8}));
      const Step from = drawn(random, 0, 40'000);
      if (isDrawn(random, 0.5)) run.coarse.keepWithin(run.coarse.bytes() / 3, {{}, from, from + 1000, 1});
      for (const CoarseSpan& part : run.coarse.coarseIn({{}, from, from + 1000, 0})) run.refine(part);
    }
    ASSERT_NO_FATAL_FAILURE(check(run, random));
    run.coarse.keepWithin(0, {});
    ASSERT_TRUE(run.coarse.hasCoarse());
    ASSERT_NO_FATAL_FAILURE(check(run, random));
    ASSERT_NO_FATAL_FAILURE(refineAll(run, random));
  }
}

MetricSeriesBatch steps(Step first, Step count, const SegmentSpan& segments) {
  MetricSeriesBatch batch{"loss", Rank(0), {}, segments};
  for (Step i = first; i < first + count; ++i)
    batch.points.push_back({i, TimePoint(std::chrono::milliseconds(i)), static_cast<double>(i)});
  return batch;
}

TEST(MetricStoreCoarse, WhatNobodyCanReadAgainIsKept) {
  MetricStore store;
  store.add(steps(0, 20'000, {}));
  store.keepWithin(0, {});
  EXPECT_FALSE(store.hasCoarse());
  store.add(steps(20'000, 20'000, {0, 10}));
  store.add(steps(40'000, 10, {10, 11}));
  store.keepWithin(0, {});
  EXPECT_TRUE(store.isCoarse(Rank(0), 30'000, 30'000));
  EXPECT_FALSE(store.isCoarse(Rank(0), 0, 16'000));
  EXPECT_EQ(store.series("loss", Rank(0)).front().step, 0);
  EXPECT_EQ(store.last("loss", Rank(0))->step, 40'009);
}

TEST(MetricStoreCoarse, ASnapshotKeepsWhatItHas) {
  MetricStore store;
  store.add(steps(0, 20'000, {0, 10}));
  const auto snapshot = store.snapshot();
  store.keepWithin(0, {});
  EXPECT_TRUE(store.hasCoarse());
  EXPECT_FALSE(snapshot->hasCoarse());
  EXPECT_EQ(snapshot->series("loss", Rank(0)).size(), 20'000U);
}

TEST(MetricStoreCoarse, ItTakesAFractionOfTheMemory) {
  MetricStore store;
  store.add(steps(0, 200'000, {0, 100}));
  const std::size_t bytes = store.bytes();
  store.keepWithin(0, {});
  EXPECT_LT(store.bytes(), bytes / 15);
}

TEST(MetricStoreCoarse, SamplesThatAreNotAllHereAreNotExportedAsIfTheyWere) {
  MetricStore store;
  store.add(steps(0, 20'000, {0, 10}));
  store.keepWithin(0, {});
  const SampleSelection selection{"loss", {Rank(0)}, 100, 200};
  const auto written = writeSampleCsv(std::filesystem::temp_directory_path() / "never-written.csv", store,
                                      std::span(&selection, 1), {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::FailedPrecondition);
}

}  // namespace
}  // namespace lockstep
