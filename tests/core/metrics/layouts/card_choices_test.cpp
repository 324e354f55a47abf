// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/layouts/card_choices.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

MetricStore storeWith(std::initializer_list<std::string_view> names) {
  MetricStore store;
  for (const std::string_view name : names) store.add({std::string(name), Rank(0), {{0, TimePoint{}, 1.0}}});
  return store;
}

bool contains(const QuantityGroup& group, std::string_view name) {
  return std::find(group.names.begin(), group.names.end(), name) != group.names.end();
}

TEST(CardChoices, WhatTheRunMeasuresComesFirst) {
  const auto groups = quantitiesToChoose(storeWith({metric::kStepMs, metric::kLoss, "validation_f1"}));
  ASSERT_GE(groups.size(), 4U);
  EXPECT_EQ(groups[0].names, (std::vector{std::string(metric::kLoss)}));
  EXPECT_EQ(groups[1].names, (std::vector{std::string(metric::kStepMs)}));
  EXPECT_EQ(groups[2].first, nullptr);
  EXPECT_EQ(groups[2].names, (std::vector<std::string>{"validation_f1"}));
  for (std::size_t i = 0; i < groups.size(); ++i) EXPECT_EQ(groups[i].isMeasured, i < 3) << i;
  EXPECT_TRUE(contains(groups[3], metric::kMeanLoss));
  for (std::size_t i = 3; i < groups.size(); ++i) EXPECT_FALSE(contains(groups[i], metric::kLoss)) << i;
}

TEST(CardChoices, WithoutARunItIsTheCatalogueOfWhatRanksMeasure) {
  std::size_t count = 0, expected = 0;
  for (const QuantityGroup& group : quantitiesToChoose(MetricStore())) {
    EXPECT_FALSE(group.isMeasured);
    EXPECT_FALSE(contains(group, metric::kJobRunCpu));
    count += group.names.size();
  }
  for (const MetricInfo& metric : metricCatalogue()) expected += metric.source == MetricSource::Rank ? 1 : 0;
  EXPECT_EQ(count, expected);
}

TEST(CardChoices, WhatTheServiceMeasuresIsThereWhereTheRunHasIt) {
  const auto groups = quantitiesToChoose(storeWith({metric::kJobRunCpu}));
  EXPECT_TRUE(contains(groups.front(), metric::kJobRunCpu));
}

}  // namespace
}  // namespace lockstep
