// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/metric_segment.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "base/digest.h"

namespace lockstep {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TimePoint at(long long nanos) {
  return TimePoint(std::chrono::nanoseconds(nanos));
}

/// What the stored golden segments hold; see writeGoldens below.
MetricSegment goldenSegment() {
  MetricSegment s;
  s.rank = Rank(3);
  s.sequence = 7;
  s.append(100, at(1'767'225'600'000'000'000), {{"loss", 2.302585092994046}, {"step_ms", 12.5}});
  s.append(101, at(1'767'225'600'101'000'001), {{"loss", kNaN}, {"step_ms", 12.25}, {"gpu_percent", 97}});
  s.append(103, at(1'767'225'599'900'000'000), {{"loss", kInfinity}});
  s.append(102, at(1'767'225'601'000'000'000), {{"loss", -0.0}, {"step_ms", 1e300}});
  return s;
}

bool sameCell(const std::optional<double>& a, const std::optional<double>& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a) return true;
  if (std::isnan(*a) || std::isnan(*b)) return std::isnan(*a) && std::isnan(*b);
  return std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(*b);
}

void expectSame(const MetricSegment& a, const MetricSegment& b) {
  EXPECT_EQ(a.rank, b.rank);
  EXPECT_EQ(a.level, b.level);
  EXPECT_EQ(a.sequence, b.sequence);
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    EXPECT_EQ(a.rows[i].step, b.rows[i].step);
    EXPECT_EQ(a.rows[i].time, b.rows[i].time);
  }
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    EXPECT_EQ(a.columns[c].name, b.columns[c].name);
    for (std::size_t i = 0; i < a.rows.size(); ++i)
      EXPECT_TRUE(sameCell(a.columns[c].cells[i], b.columns[c].cells[i]))
          << a.columns[c].name << " row " << i;
  }
}

MetricSegment randomSegment(std::mt19937_64& random) {
  MetricSegment s;
  s.rank = Rank(static_cast<int>(random() % 2000));
  s.sequence = random() % 100000;
  const auto rows = random() % 50;
  const std::vector<double> odd{kNaN, kInfinity, -kInfinity, 0.0, -0.0, 1e-320, 1e308, 0.1, 1.5};
  static const std::vector<std::string> names{"loss", "step_ms", "Größe", "a", "cpu_percent"};
  for (std::uint64_t i = 0; i < rows; ++i) {
    std::vector<std::pair<std::string_view, double>> values;
    for (const auto& name : names)
      if (random() % 3 != 0) values.emplace_back(name, odd[random() % odd.size()]);
    s.append(static_cast<Step>(random()), at(static_cast<long long>(random())), values);
  }
  return s;
}

std::string fileBytes(const std::string& name) {
  std::ifstream file(std::string(LOCKSTEP_TEST_DATA) + "/metrics/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string withChecksum(std::string body) {
  const std::uint32_t crc = crc32c(body);
  for (int i = 0; i < 4; ++i) body.push_back(static_cast<char>(crc >> (8 * i)));
  return body;
}

TEST(MetricSegment, KeepsEveryKindOfValueAndAbsence) {
  const auto decoded = decodeSegment(encodeSegment(goldenSegment()));
  ASSERT_TRUE(decoded) << describe(decoded.error());
  expectSame(goldenSegment(), *decoded);
  EXPECT_FALSE(decoded->columns[2].cells[0].has_value());
  EXPECT_TRUE(std::signbit(*decoded->columns[0].cells[3]));
}

TEST(MetricSegment, RandomSegmentsComeBackBitForBit) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 500; ++i) {
    const auto segment = randomSegment(random);
    const auto decoded = decodeSegment(encodeSegment(segment));
    ASSERT_TRUE(decoded) << describe(decoded.error());
    expectSame(segment, *decoded);
  }
}

TEST(MetricSegment, AnEmptyOneIsASegment) {
  const auto decoded = decodeSegment(encodeSegment({}));
  ASSERT_TRUE(decoded);
  EXPECT_TRUE(decoded->rows.empty());
}

TEST(MetricSegment, StoredVersionOneSegmentsDecodeForEver) {
  const auto raw = decodeSegment(fileBytes("v1-raw.lsm"));
  ASSERT_TRUE(raw) << describe(raw.error());
  expectSame(goldenSegment(), *raw);
  EXPECT_EQ(fileBytes("v1-raw.lsm"), encodeSegment(goldenSegment()))
      << "version 1 is written otherwise than before";
  const auto padded = decodeSegment(fileBytes("v1-extended.lsm"));
  ASSERT_TRUE(padded) << "bytes after the last column must be skipped: " << describe(padded.error());
  expectSame(goldenSegment(), *padded);
}

TEST(MetricSegment, NoMutationIsEverReadAsData) {
  std::mt19937_64 random(11);
  const std::string whole = encodeSegment(goldenSegment());
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = whole;
    for (auto changes = random() % 4 + 1; changes > 0; --changes)
      bytes[random() % bytes.size()] ^= static_cast<char>(random() % 255 + 1);
    if (bytes == whole) continue;
    const auto decoded = decodeSegment(bytes);
    ASSERT_FALSE(decoded);
    EXPECT_EQ(decoded.error().code, ErrorCode::DataLoss);
  }
}

TEST(MetricSegment, NoTruncationOrExtensionIsEverReadAsData) {
  const std::string whole = encodeSegment(goldenSegment());
  for (std::size_t n = 0; n < whole.size(); ++n) {
    ASSERT_FALSE(decodeSegment(whole.substr(0, n))) << n;
    ASSERT_FALSE(decodeSegment(whole.substr(n + 1))) << n;
  }
  EXPECT_FALSE(decodeSegment(whole + '\0'));
  EXPECT_FALSE(decodeSegment(whole + whole));
}

TEST(MetricSegment, HostileBytesWithARightChecksumDoNotCrash) {
  std::mt19937_64 random(13);
  const std::string whole = encodeSegment(goldenSegment());
  const std::string body = whole.substr(0, whole.size() - 4);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = body.substr(0, random() % 3 == 0 ? random() % body.size() : body.size());
    if (bytes.size() > 8)
      for (auto changes = random() % 6 + 1; changes > 0; --changes)
        bytes[8 + random() % (bytes.size() - 8)] = static_cast<char>(random());
    const auto decoded = decodeSegment(withChecksum(bytes));
    if (!decoded) continue;
    for (const auto& column : decoded->columns) ASSERT_EQ(column.cells.size(), decoded->rows.size());
    std::size_t cells = 0;
    for (const auto& column : decoded->columns) cells += column.cells.size();
    ASSERT_LE((cells + decoded->rows.size()) * 16, 64 * (bytes.size() + 4));
  }
}

TEST(MetricSegment, ClaimsOfHugeCountsAreRefusedBeforeMemoryIsTaken) {
  for (const std::string& counts : {std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x01"),
                                    std::string("\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"),
                                    std::string("\xFF\xFF\x03\xFF\xFF\x03")}) {
    const std::string body =
        std::string("LSM\x1A\x01\0\0\0", 8) + std::string("\0\0", 2) + counts + std::string(100000, '\0');
    const auto decoded = decodeSegment(withChecksum(body));
    ASSERT_FALSE(decoded);
    EXPECT_NE(decoded.error().cause.find("claims"), std::string::npos);
  }
}

TEST(MetricSegment, SaysWhatItCannotRead) {
  std::string body = encodeSegment(goldenSegment());
  body.resize(body.size() - 4);
  std::string newer = body, flagged = body, level = body;
  newer[4] = 9;
  flagged[6] = 1;
  level[5] = 5;
  EXPECT_NE(decodeSegment(withChecksum(newer)).error().cause.find("version 9"), std::string::npos);
  EXPECT_NE(decodeSegment(withChecksum(flagged)).error().cause.find("flags"), std::string::npos);
  EXPECT_NE(decodeSegment(withChecksum(level)).error().cause.find("level 5"), std::string::npos);
}

TEST(MetricSegment, ASparseOneIsPaddedAndStillRead) {
  static const auto names = [] {
    std::vector<std::string> all;
    for (int i = 0; i < 40; ++i) all.push_back("metric_" + std::to_string(i));
    return all;
  }();
  MetricSegment s;
  for (int i = 0; i < 4000; ++i)
    s.append(i, at(i), {{names[static_cast<std::size_t>(i) % names.size()], 1.0}});
  const auto decoded = decodeSegment(encodeSegment(s));
  ASSERT_TRUE(decoded) << describe(decoded.error());
  expectSame(s, *decoded);
}

TEST(MetricSegment, NumbersThatFitTakeFourBytes) {
  MetricSegment narrow, wide;
  for (int i = 0; i < 1000; ++i) {
    narrow.append(i, at(i), {{"v", i * 0.5}});
    wide.append(i, at(i), {{"v", i * 0.1}});
  }
  EXPECT_LT(encodeSegment(narrow).size() + 3900, encodeSegment(wide).size());
}

}  // namespace
}  // namespace lockstep
