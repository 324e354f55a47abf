// SPDX-License-Identifier: GPL-3.0-or-later
// What is written of a past, of which parts may only be known as summaries, against the plain list of the samples: all of it,
// or nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>

#include "base/atomic_file.h"
#include "base/time_text.h"
#include "metrics/sample_csv.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Random = std::mt19937_64;

const TimePoint kBegin(1'700'000'000s);
const Rank kRank(3);
constexpr Step kFirst = std::numeric_limits<Step>::min(), kLast = std::numeric_limits<Step>::max();

int drawn(Random& random, int from, int to) {
  return std::uniform_int_distribution(from, to)(random);
}

/// A rank's samples by the segment that they are in; steps go back at a restart.
std::vector<std::vector<MetricPoint>> drawnSegments(Random& random) {
  std::vector<std::vector<MetricPoint>> segments;
  const int restart = drawn(random, 3, 12);
  TimePoint time = kBegin;
  Step step = 0;
  for (int n = 0; n < 9; ++n) {
    auto& points = segments.emplace_back();
    if (n == restart) step /= 2;
    for (int rows = drawn(random, 600, 3000); rows > 0; --rows) {
      time += std::chrono::nanoseconds(drawn(random, 1, 50'000'000));
      points.push_back({step, time, drawn(random, -1000, 1000) / 8.0});
      step += drawn(random, 1, 2);
    }
  }
  return segments;
}

class PastRun {
 public:
  explicit PastRun(Random& random) : segments_(drawnSegments(random)) {
    for (std::uint64_t n = 0; n < segments_.size(); ++n)
      store_.add({"loss", kRank, segments_[static_cast<std::size_t>(n)], {n, n + 1}});
    store_.keepWithin(0, {});
  }

  /// Reads again what is coarse there, as somebody who looks closely makes it happen.
  void lookAt(Step from, Step to) {
    for (const CoarseSpan& part : store_.coarseIn({{kRank}, from, to, 0})) {
      std::vector<MetricSeriesBatch> batches;
      for (std::uint64_t n = part.segments.first; n < part.segments.end; ++n)
        batches.push_back({"loss", kRank, segments_[static_cast<std::size_t>(n)], {n, n + 1}});
      store_.add(CoarsePart{kRank, part.segments, {}, std::move(batches)});
    }
  }
  [[nodiscard]] std::shared_ptr<const MetricStore> until(TimePoint end) {
    return store_.snapshot()->until([end](Rank) { return end; });
  }
  /// By looking at each sample.
  [[nodiscard]] std::vector<MetricPoint> truth(TimePoint end, Step from, Step to) const {
    std::vector<MetricPoint> points;
    for (const auto& segment : segments_)
      for (const MetricPoint& point : segment)
        if (point.time <= end && point.step >= from && point.step <= to) points.push_back(point);
    return points;
  }
  [[nodiscard]] TimePoint drawnEnd(Random& random) const {
    const auto& segment = segments_[static_cast<std::size_t>(drawn(random, 0, 8))];
    return segment[static_cast<std::size_t>(drawn(random, 0, static_cast<int>(segment.size()) - 1))].time;
  }

 private:
  std::vector<std::vector<MetricPoint>> segments_;
  MetricStore store_;
};

std::string csvOf(const std::vector<MetricPoint>& points) {
  std::string text(kSampleCsvHead);
  for (const MetricPoint& point : points)
    text += fmt::format("3,loss,{},{},{}\n", point.step, toRfc3339(point.time), point.value);
  return text;
}

class SampleCsvPast : public ::testing::Test {
 protected:
  /// Whether it is written, and then exactly what there was.
  bool expectAllOrNothing(PastRun& run, TimePoint end, Step from, Step to) {
    const auto past = run.until(end);
    const auto truth = run.truth(end, from, to);
    const SampleSelection selection{"loss", {kRank}, from, to};
    const auto written = writeSampleCsv(file_, *past, std::span(&selection, 1), {});
    if (written) {
      EXPECT_EQ(*readFile(file_), csvOf(truth));
      return true;
    }
    EXPECT_EQ(written.error().code, ErrorCode::FailedPrecondition);
    // Of all steps it is known whether there is a reason.
    if (from == kFirst && to == kLast) {
      EXPECT_LT(past->series("loss", kRank).size(), truth.size());
    }
    return false;
  }

  TempDir dir_;
  std::string file_ = (dir_.path() / "loss.csv").string();
};

TEST_F(SampleCsvPast, IsAllThatThereWasOrNothing) {
  int whole = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Random random(seed);
    PastRun run(random);
    for (int look = 0; look < 12; ++look) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", look " << look);
      const TimePoint end = run.drawnEnd(random);
      const Step from = drawn(random, 0, 25'000), to = from + drawn(random, 0, 4'000);
      if (look % 3 == 2) run.lookAt(from, to);
      (expectAllOrNothing(run, end, from, to) ? whole : refused) += 1;
      (expectAllOrNothing(run, end, kFirst, kLast) ? whole : refused) += 1;
    }
  }
  EXPECT_GT(whole, 50);
  EXPECT_GT(refused, 50);
}

TEST_F(SampleCsvPast, IsWrittenOnceItIsLoaded) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(100 + seed);
    PastRun run(random);
    const TimePoint end = run.drawnEnd(random);
    // All that had ended is there as samples; the bucket in whose midst the end is, is not.
    const auto known = run.until(end)->steps("loss");
    if (!known) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Step from = std::max<Step>(0, known->second - 500), to = known->second + 500;
    run.lookAt(from, to);
    EXPECT_TRUE(expectAllOrNothing(run, end, from, to));
    run.lookAt(kFirst, kLast);
    EXPECT_TRUE(expectAllOrNothing(run, end, kFirst, kLast));
  }
}

}  // namespace
}  // namespace lockstep
