// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/metric_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "base/digest.h"

namespace lockstep {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TimePoint at(long long nanos) {
  return TimePoint(std::chrono::nanoseconds(nanos));
}

/// Ten rows of segment `number`; the loss of step 25 is no number, and one in seven rows has an accuracy.
MetricSegment rawSegment(std::uint64_t number) {
  MetricSegment raw;
  raw.rank = Rank(2);
  raw.sequence = number;
  for (int i = 0; i < 10; ++i) {
    const Step step = static_cast<Step>(number) * 10 + i;
    raw.append(step, at(1'000'000 * step),
               {{"loss", step == 25 ? kNaN : 0.1 * static_cast<double>(step % 97)}});
    if (step % 7 == 0) raw.append(step, at(1'000'000 * step + 1), {{"accuracy", static_cast<double>(step)}});
  }
  return raw;
}

std::vector<SegmentSummary> summariesOf(std::uint64_t first, std::uint64_t end) {
  SummaryBuilder builder;
  std::vector<SegmentSummary> all;
  for (std::uint64_t n = first; n < end; ++n)
    for (SegmentSummary& summary : builder.add(rawSegment(n))) all.push_back(std::move(summary));
  return all;
}

/// What the rows of raw segments come to, one after another.
ValueSummary truthOf(std::uint64_t first, std::uint64_t end, const std::string& name) {
  ValueSummary truth;
  for (std::uint64_t n = first; n < end; ++n)
    for (const auto& column : rawSegment(n).columns)
      if (column.name == name)
        for (const auto& cell : column.cells)
          if (cell) truth.add(*cell);
  return truth;
}

void expectSame(const ValueSummary& a, const ValueSummary& b) {
  EXPECT_EQ(a.finite, b.finite);
  EXPECT_EQ(a.notFinite, b.notFinite);
  if (b.finite == 0) return;
  EXPECT_EQ(a.min, b.min);
  EXPECT_EQ(a.max, b.max);
  EXPECT_EQ(a.first, b.first);
  EXPECT_EQ(a.last, b.last);
  EXPECT_NEAR(a.mean(), b.mean(), 1e-6 * (1 + std::fabs(b.mean())));
}

TEST(SummaryBuilder, EachBucketIsWhatItsSegmentsComeTo) {
  const std::size_t segmentsPerBucket[] = {1, 16, 32};
  std::size_t levels[3] = {};
  for (const SegmentSummary& summary : summariesOf(0, 4096)) {
    const auto level = static_cast<std::size_t>(summary.id.level) - 2;
    ++levels[level];
    const std::uint64_t width = segmentsPerBucket[level];
    ASSERT_EQ(summary.buckets.size(), summary.id.segments().size() / width);
    if (level == 0 && summary.id.sequence > 4) continue;  // they are all alike
    for (std::size_t i = 0; i < summary.buckets.size(); i += 5) {
      const std::uint64_t first = summary.id.segments().first + i * width;
      EXPECT_EQ(summary.buckets[i].first.step, static_cast<Step>(first) * 10);
      EXPECT_EQ(summary.buckets[i].last.step, static_cast<Step>(first + width) * 10 - 1);
      for (const auto& column : summary.columns)
        if (column.cells[i]) expectSame(column.cells[i]->values, truthOf(first, first + width, column.name));
    }
  }
  EXPECT_EQ(levels[0], 256U);
  EXPECT_EQ(levels[1], 16U);
  EXPECT_EQ(levels[2], 1U);
}

TEST(SummaryBuilder, AGroupThatItSawInPartGivesNone) {
  const auto summaries = summariesOf(5, 300);
  ASSERT_FALSE(summaries.empty());
  EXPECT_EQ(summaries.front().id.sequence, 1U) << "of 16 … 31";
  for (const SegmentSummary& summary : summaries) EXPECT_EQ(summary.id.level, SegmentLevel::Of16);
  EXPECT_EQ(summaries.size(), 17U);
}

TEST(SummaryBuilder, AGroupInWhichStepsGoBackGivesNone) {
  SummaryBuilder builder;
  for (std::uint64_t n = 0; n < 256; ++n) {
    MetricSegment raw = rawSegment(n);
    if (n == 40) raw.append(3, at(1), {{"loss", 1.0}});
    for (const SegmentSummary& summary : builder.add(raw)) {
      EXPECT_EQ(summary.id.level, SegmentLevel::Of16);
      EXPECT_NE(summary.id.sequence, 2U);
    }
  }
}

TEST(SegmentSummary, ComesBackAsItWasWritten) {
  for (const SegmentSummary& summary : summariesOf(0, 272)) {
    const auto back = decodeSummary(encodeSummary(summary));
    ASSERT_TRUE(back) << describe(back.error());
    EXPECT_EQ(back->id, summary.id);
    ASSERT_EQ(back->buckets.size(), summary.buckets.size());
    ASSERT_EQ(back->columns.size(), summary.columns.size());
    for (std::size_t i = 0; i < summary.buckets.size(); ++i) {
      EXPECT_EQ(back->buckets[i].first, summary.buckets[i].first);
      EXPECT_EQ(back->buckets[i].last, summary.buckets[i].last);
      for (std::size_t c = 0; c < summary.columns.size(); ++c) {
        EXPECT_EQ(back->columns[c].name, summary.columns[c].name);
        const auto &now = back->columns[c].cells[i], &then = summary.columns[c].cells[i];
        ASSERT_EQ(now.has_value(), then.has_value());
        if (!then) continue;
        expectSame(now->values, then->values);
        EXPECT_EQ(now->first, then->first);
        EXPECT_EQ(now->last, then->last);
      }
    }
  }
}

std::string withChecksum(std::string body) {
  const std::uint32_t crc = crc32c(body);
  for (int i = 0; i < 4; ++i) body.push_back(static_cast<char>(crc >> (8 * i)));
  return body;
}

TEST(SegmentSummary, HostileBytesWithARightChecksumAreBoundedAndConsistent) {
  std::mt19937_64 random(13);
  const std::string whole = encodeSummary(summariesOf(0, 16).front());
  const std::string body = whole.substr(0, whole.size() - 4);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = body.substr(0, random() % 3 == 0 ? random() % body.size() : body.size());
    if (bytes.size() > 8)
      for (auto changes = random() % 3 + 1; changes > 0; --changes)
        bytes[8 + random() % (bytes.size() - 8)] = static_cast<char>(random());
    const auto summary = decodeSummary(withChecksum(bytes));
    if (!summary) {
      ASSERT_EQ(summary.error().code, ErrorCode::DataLoss);
      continue;
    }
    ++read;
    ASSERT_TRUE(isAscending(*summary));
    for (const auto& column : summary->columns) {
      ASSERT_EQ(column.cells.size(), summary->buckets.size());
      for (std::size_t b = 0; b < column.cells.size(); ++b) {
        if (!column.cells[b]) continue;
        const auto& cell = *column.cells[b];
        ASSERT_GE(cell.first, summary->buckets[b].first.step);
        ASSERT_LE(cell.first, cell.last);
        ASSERT_LE(cell.last, summary->buckets[b].last.step);
        if (cell.values.finite == 0) continue;
        ASSERT_LE(cell.values.min, cell.values.max);
        ASSERT_TRUE(std::isfinite(cell.values.min) && std::isfinite(cell.values.max));
      }
    }
  }
  EXPECT_GT(read, 100) << "some changes are of values only";
}

TEST(SegmentSummary, IsNoSegmentOfRowsAndTheOtherWayRound) {
  const std::string summary = encodeSummary(summariesOf(0, 16).front());
  EXPECT_EQ(summary[4], 2) << "what a reader of version 1 says no to";
  EXPECT_FALSE(decodeSegment(summary));
  EXPECT_FALSE(decodeSummary(encodeSegment(rawSegment(0))));
  for (std::size_t n = 0; n < summary.size(); n += 7) EXPECT_FALSE(decodeSummary(summary.substr(0, n)));
}

/// The summary that is kept and that docs/formats/metric-segments.md shows.
SegmentSummary keptSummary() {
  SegmentSummary summary;
  summary.id = {Rank(3), SegmentLevel::Of16, 7};
  const long long begin = 1'767'225'600'000'000'000;
  summary.buckets = {{{100, at(begin)}, {119, at(begin + 1'000'000'000)}},
                     {{120, at(begin + 1'050'000'000)}, {139, at(begin + 2'000'000'000)}}};
  ValueSummary loss, gap, accuracy;
  for (const double value : {2.5, 1.5, 2.0}) loss.add(value);
  gap.add(kNaN);
  accuracy.add(0.1);
  summary.columns = {{"loss", {SegmentSummary::Cell{loss, 100, 119}, SegmentSummary::Cell{gap, 125, 125}}},
                     {"accuracy_percent", {std::nullopt, SegmentSummary::Cell{accuracy, 130, 130}}}};
  return summary;
}

TEST(SegmentSummary, StoredVersionTwoSummariesDecodeForEver) {
  std::ifstream file(std::string(LOCKSTEP_TEST_DATA) + "/metrics/v2-x16.lsm", std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), encodeSummary(keptSummary())) << "version 2 is written otherwise than before";
  const auto summary = decodeSummary(text.str());
  ASSERT_TRUE(summary) << describe(summary.error());
  EXPECT_EQ(summary->columns.at(0).cells.at(0)->values.mean(), 2.0);
  EXPECT_EQ(summary->columns.at(1).cells.at(1)->values.first, 0.1);
}

}  // namespace
}  // namespace lockstep
