// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/layouts/built_in_layouts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "metrics/layouts/layout_text.h"

namespace lockstep {
namespace {

TEST(BuiltInLayouts, AreThoseThatTheManualNames) {
  std::vector<std::string> names;
  for (const DashboardLayout& layout : builtInLayouts()) names.push_back(layout.name);
  EXPECT_EQ(names, (std::vector<std::string>{"Overview", "Learning", "Speed", "GPUs", "Network",
                                             "Hunt the straggler"}));
  EXPECT_EQ(findBuiltIn("Speed"), &builtInLayouts()[2]);
  EXPECT_EQ(findBuiltIn("speed"), nullptr);
}

TEST(BuiltInLayouts, ShowWhatTheCatalogueKnowsAndNothingTwice) {
  for (const DashboardLayout& layout : builtInLayouts()) {
    EXPECT_GE(layout.cards.size(), 4U) << layout.name;
    for (std::size_t i = 0; i < layout.cards.size(); ++i) {
      for (const CardQuantity& one : layout.cards[i].quantities)
        EXPECT_NE(findMetric(one.name), nullptr) << layout.name << ": " << one.name;
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_FALSE(showSame(layout.cards[i], layout.cards[k]))
            << layout.name << ": cards " << k << " and " << i;
    }
  }
}

TEST(BuiltInLayouts, StayTheSameWhenTheyAreWrittenAndRead) {
  for (const DashboardLayout& layout : builtInLayouts()) {
    const auto again = parseLayout(layoutText(layout));
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(*again, layout) << layout.name;
  }
}

TEST(BuiltInLayouts, EveryQuantityOfAGpuHasItsCard) {
  std::set<std::string_view> shown;
  for (const DashboardCard& card : findBuiltIn("GPUs")->cards)
    for (const CardQuantity& one : card.quantities) shown.insert(one.name);
  for (const MetricInfo& metric : metricCatalogue()) {
    const bool isOfRanks = metric.group == MetricGroup::Gpu && metric.source == MetricSource::Rank;
    EXPECT_EQ(shown.contains(metric.name), isOfRanks) << metric.name;
  }
}

}  // namespace
}  // namespace lockstep
