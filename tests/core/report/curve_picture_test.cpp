// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/curve_picture.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

RunCurve curveOf(std::initializer_list<RunCurve::Part> parts) {
  RunCurve curve;
  curve.parts = parts;
  return curve;
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(CurvePicture, NothingIsNothing) {
  EXPECT_EQ(curvePicture({}, MetricUnit::None, "loss"), "");
}

TEST(CurvePicture, ALineABandAndTicks) {
  const std::string svg = curvePicture(
      curveOf({{0, 1, 0.5, 2}, {1000, 0.5, 0.25, 1}, {2000, 0.25, 0.25, 0.25}}), MetricUnit::None, "loss");
  for (const char* part : {"<polyline", "<polygon", "aria-label=\"loss\"", ">1 k<", ">0.5<"})
    EXPECT_TRUE(has(svg, part)) << part << "\n" << svg;
  EXPECT_FALSE(has(svg, "nan"));
}

TEST(CurvePicture, OneRankHasNoBand) {
  EXPECT_FALSE(has(curvePicture(curveOf({{0, 1, 1, 1}, {1, 2, 2, 2}}), MetricUnit::None, "x"), "<polygon"));
}

TEST(CurvePicture, OneValueIsADot) {
  const std::string svg = curvePicture(curveOf({{7, 0, 0, 0}}), MetricUnit::Percent, "x");
  EXPECT_TRUE(has(svg, "<circle")) << svg;
  EXPECT_FALSE(has(svg, "nan"));
}

TEST(CurvePicture, ExtremesLeaveAPictureOfNumbers) {
  for (const double value : {1e300, -1e300, 1e-300, 5e-324})
    for (const double other : {0.0, 1.0, -1e300}) {
      const std::string svg =
          curvePicture(curveOf({{-1'000'000, value, value, value}, {1'000'000, other, other, other}}),
                       MetricUnit::Bytes, "x");
      EXPECT_FALSE(has(svg, "nan")) << value << " " << other;
      EXPECT_FALSE(has(svg, "inf")) << value << " " << other;
      EXPECT_LT(svg.size(), 20'000U);
    }
}

TEST(CurvePicture, TitlesAreNoMarkup) {
  EXPECT_TRUE(has(curvePicture(curveOf({{0, 1, 1, 1}}), MetricUnit::None, "\"><script>"),
                  "&quot;&gt;&lt;script&gt;"));
}

TEST(ValueWithUnit, ReadsWell) {
  EXPECT_EQ(valueWithUnit(0.43121, MetricUnit::None), "0.4312");
  EXPECT_EQ(valueWithUnit(23, MetricUnit::Percent), "23 %");
  EXPECT_EQ(valueWithUnit(1.5e9, MetricUnit::Bytes), "1.5 GB");
  EXPECT_EQ(valueWithUnit(12.31, MetricUnit::Milliseconds), "12.31 ms");
  EXPECT_EQ(valueWithUnit(2500, MetricUnit::Milliseconds), "2.5 s");
  EXPECT_EQ(valueWithUnit(2.5e6, MetricUnit::Count), "2.5 M");
  EXPECT_EQ(valueWithUnit(std::nan(""), MetricUnit::Percent), "nan");
}

}  // namespace
}  // namespace lockstep
