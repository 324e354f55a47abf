// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/smoothing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace lockstep {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr SmoothingKind kAll[] = {SmoothingKind::Debiased, SmoothingKind::TimeWeighted,
                                  SmoothingKind::Gaussian, SmoothingKind::RunningMedian};

PixelSpan point(double x, double value, int attempt = 0) {
  return {x, value, value, value, value, attempt};
}

/// Uneven steps, gaps and restarts.
std::vector<PixelSpan> drawn(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<PixelSpan> spans;
  double x = 0;
  int attempt = 0;
  for (int i = 0; i < 300; ++i) {
    x += std::uniform_real_distribution(0.5, 20.0)(random);
    if (random() % 90 == 0) {
      ++attempt;
      x /= 2;
    }
    const double value = random() % 40 == 0 ? kNaN : std::normal_distribution(3.0, 2.0)(random);
    spans.push_back(point(x, value, attempt));
  }
  return spans;
}

/// Whether nothing but values of one attempt lies from i to k.
bool isOneStretch(const std::vector<PixelSpan>& spans, std::size_t i, std::size_t k) {
  const auto [from, to] = std::minmax(i, k);
  for (std::size_t at = from; at <= to; ++at)
    if (std::isnan(spans[at].last) || spans[at].attempt != spans[i].attempt) return false;
  return true;
}

/// By its definition, over all points.
double expected(const std::vector<PixelSpan>& spans, std::size_t i, const Smoothing& how, double range) {
  double sum = 0, total = 0;
  std::vector<double> around;
  for (std::size_t k = 0; k < spans.size(); ++k) {
    if (!isOneStretch(spans, i, k)) continue;
    const double distance = spans[k].x - spans[i].x;
    double weight = 0;
    switch (how.kind) {
      case SmoothingKind::None:
        break;
      case SmoothingKind::Debiased:
        weight = k > i ? 0 : std::pow(how.amount, static_cast<double>(i - k));
        break;
      case SmoothingKind::TimeWeighted:
        weight = k > i ? 0 : std::pow(std::min(std::sqrt(how.amount), 0.999), -distance * 1000 / range);
        break;
      case SmoothingKind::Gaussian: {
        const double deviation = how.amount * kWidestDeviation * range;
        if (std::fabs(distance) <= 3 * deviation) weight = std::exp(-0.5 * std::pow(distance / deviation, 2));
        break;
      }
      case SmoothingKind::RunningMedian:
        if (std::fabs(distance) <= how.amount * kWidestReach * range) around.push_back(spans[k].last);
        break;
    }
    sum += weight * spans[k].last;
    total += weight;
  }
  if (how.kind != SmoothingKind::RunningMedian) return sum / total;
  std::ranges::sort(around);
  const std::size_t half = around.size() / 2;
  return around.size() % 2 == 1 ? around[half] : (around[half - 1] + around[half]) / 2;
}

}  // namespace

TEST(Smoothing, IsWhatItsDefinitionSays) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto spans = drawn(seed);
    for (const SmoothingKind kind : kAll) {
      for (const double amount : {0.3, 0.6, 0.95}) {
        const Smoothing how{kind, amount};
        const auto result = smoothed(spans, how, 1500);
        ASSERT_EQ(result.size(), spans.size());
        for (std::size_t i = 0; i < spans.size(); ++i) {
          ASSERT_EQ(std::isnan(result[i].last), std::isnan(spans[i].last))
              << "a gap stays one, and only that";
          if (std::isnan(spans[i].last)) continue;
          ASSERT_NEAR(result[i].last, expected(spans, i, how, 1500), 1e-9)
              << "seed " << seed << ", kind " << static_cast<int>(kind) << ", amount " << amount << ", at "
              << i;
          ASSERT_EQ(result[i].x, spans[i].x);
          ASSERT_EQ(result[i].min, result[i].max);
        }
      }
    }
  }
}

TEST(Smoothing, DebiasedIsTensorBoards) {
  const std::vector<PixelSpan> spans{point(0, 1), point(1, 3), point(2, 2)};
  const auto result = smoothed(spans, {SmoothingKind::Debiased, 0.6}, 10);
  EXPECT_DOUBLE_EQ(result[0].last, 1);
  // last = last * 0.6 + value * 0.4, divided by 1 - 0.6^n
  EXPECT_NEAR(result[1].last, (0.4 * 0.6 + 3 * 0.4) / (1 - 0.36), 1e-12);
  EXPECT_NEAR(result[2].last, ((0.4 * 0.6 + 1.2) * 0.6 + 0.8) / (1 - 0.216), 1e-12);
}

TEST(Smoothing, WithoutAnAmountNothingChanges) {
  const std::vector<PixelSpan> spans{{0, 1, 5, 2, 3, 0}, {1, 0, 2, 1, 1, 0}};
  for (const SmoothingKind kind : kAll) {
    const auto result = smoothed(spans, {kind, 0}, 10);
    EXPECT_EQ(result[0].max, 5);
    EXPECT_EQ(result[0].first, 3);
  }
  EXPECT_EQ(smoothed(spans, {SmoothingKind::None, 0.9}, 10)[1].max, 2);
  EXPECT_TRUE(smoothed({}, {SmoothingKind::Gaussian, 0.9}, 10).empty());
}

TEST(Smoothing, AMedianForgetsASpike) {
  std::vector<PixelSpan> spans;
  for (int i = 0; i < 100; ++i) spans.push_back(point(i, i == 50 ? 1e9 : 2));
  for (const PixelSpan& span : smoothed(spans, {SmoothingKind::RunningMedian, 0.9}, 100))
    EXPECT_EQ(span.last, 2);
}

TEST(Smoothing, OddRangesAndAmountsDoNoHarm) {
  const std::vector<PixelSpan> spans{point(0, 1), point(0, 2),
                                     point(1, std::numeric_limits<double>::infinity()), point(2, 3)};
  for (const SmoothingKind kind : kAll)
    for (const double range : {0.0, -1.0, kNaN, std::numeric_limits<double>::infinity()})
      for (const double amount : {0.5, 1.0, 7.0}) {
        const auto result = smoothed(spans, {kind, amount}, range);
        ASSERT_EQ(result.size(), 4U);
        EXPECT_TRUE(std::isfinite(result[0].last) && std::isfinite(result[3].last));
      }
}

}  // namespace lockstep
