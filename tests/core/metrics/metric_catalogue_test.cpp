// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/metric_catalogue.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "metrics/rank_values.h"

namespace lockstep {
namespace {

TEST(MetricCatalogue, NamesEachQuantityOnce) {
  std::set<std::string_view> names, titles;
  for (const MetricInfo& info : metricCatalogue()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(titles.insert(info.title).second) << info.name << ": two are called " << info.title;
    EXPECT_STRNE(info.title, "") << info.name;
    EXPECT_EQ(findMetric(info.name), &info);
  }
  EXPECT_GT(names.size(), 40U);
  EXPECT_EQ(findMetric("of_a_script"), nullptr);
  EXPECT_EQ(findMetric(""), nullptr);
}

// A unit stands at the end of a name of ours, so that a name says what its numbers are.
TEST(MetricCatalogue, UnitsAreThoseOfTheNames) {
  const std::vector<std::pair<std::string, std::set<MetricUnit>>> endings{
      {"_percent", {MetricUnit::Percent, MetricUnit::PercentOfOneCore}},
      {"_ms", {MetricUnit::Milliseconds}},
      {"_bytes_per_second", {MetricUnit::BytesPerSecond}},
      {"_per_second", {MetricUnit::PerSecond}},
      {"_bytes", {MetricUnit::Bytes}},
      {"_watts", {MetricUnit::Watts}},
      {"_celsius", {MetricUnit::Celsius}},
      {"_mhz", {MetricUnit::Megahertz}},
      {"", {MetricUnit::None, MetricUnit::Count}}};
  for (const MetricInfo& info : metricCatalogue()) {
    if (info.source == MetricSource::JobRun) continue;  // the service's names
    for (const auto& [ending, units] : endings) {
      if (!info.name.ends_with(ending)) continue;
      EXPECT_TRUE(units.contains(info.unit)) << info.name;
      break;
    }
  }
}

TEST(MetricCatalogue, AxesFitTheUnits) {
  for (const MetricInfo& info : metricCatalogue()) {
    const bool isShare = info.unit == MetricUnit::Percent || info.unit == MetricUnit::PercentOfOneCore;
    EXPECT_EQ(info.axis.atLeastTo, isShare ? 100 : 0) << info.name;
    EXPECT_FALSE(info.axis.scale == MetricScale::Logarithmic && info.axis.fromZero)
        << info.name << ": a logarithm knows no 0";
  }
}

TEST(MetricCatalogue, GroupsStandTogether) {
  std::set<MetricGroup> seen;
  MetricGroup last = metricCatalogue().front().group;
  for (const MetricInfo& info : metricCatalogue()) {
    EXPECT_STRNE(titleOf(info.group), "");
    if (info.group == last) continue;
    EXPECT_TRUE(seen.insert(last).second);
    EXPECT_FALSE(seen.contains(info.group)) << info.name << " stands apart from its group";
    last = info.group;
  }
}

TEST(MetricCatalogue, ARateSaysItsUnitInItsTitle) {
  EXPECT_STREQ(symbolOf(MetricUnit::PerSecond), "1/s");
  EXPECT_STREQ(symbolInHeading(MetricUnit::PerSecond), "");
  EXPECT_STREQ(symbolInHeading(MetricUnit::PercentOfOneCore), "% of one core");
}

TEST(MetricCatalogue, OneNumberOfAllRanks) {
  const std::array<double, 3> values{4, 1, 7};
  EXPECT_EQ(valueAcross(AcrossRanks::Mean, values), 4);
  EXPECT_EQ(valueAcross(AcrossRanks::Max, values), 7);
  EXPECT_EQ(valueAcross(AcrossRanks::Sum, values), 12);
  EXPECT_EQ(valueAcross(AcrossRanks::Last, values), 7);
  EXPECT_FALSE(valueAcross(AcrossRanks::Mean, {}));
  const std::array<double, 2> broken{std::nan(""), 3};
  EXPECT_EQ(valueAcross(AcrossRanks::Max, broken), 3) << "one rank that diverged hides no other";
  EXPECT_TRUE(std::isnan(valueAcross(AcrossRanks::Mean, broken).value_or(0)));
}

TEST(RankColumns, ShowQuantitiesOfRanksWithAHead) {
  std::set<std::string_view> metrics;
  for (const RankMetricColumn& column : rankColumns()) {
    const MetricInfo* info = findMetric(column.metric);
    ASSERT_NE(info, nullptr) << column.metric << " is not in the catalogue";
    EXPECT_EQ(info->source, MetricSource::Rank) << column.metric;
    EXPECT_STRNE(info->shortTitle, "") << column.metric << " has no title for the head of a column";
    EXPECT_TRUE(metrics.insert(column.metric).second) << column.metric;
  }
}

TEST(RankColumns, HaveEachAPlaceOfTheirOwn) {
  for (const auto view : {&RankMetricColumn::inWindow, &RankMetricColumn::inTerminal}) {
    int place = 0;
    for (const RankMetricColumn& column : rankColumnsIn(view))
      EXPECT_EQ(column.*view, ++place) << column.metric;
    EXPECT_GT(place, 0);
  }
}

}  // namespace
}  // namespace lockstep
