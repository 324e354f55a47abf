// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/layouts/dashboard_layout.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

MetricStore storeOf(std::string_view name) {
  MetricStore store;
  store.add({std::string(name), Rank(3), {{7, TimePoint{}, 1.0}}});
  return store;
}

DashboardCard cardOf(CardKind kind, std::vector<CardQuantity> quantities = {}) {
  DashboardCard card;
  card.kind = kind;
  card.quantities = std::move(quantities);
  return card;
}

TEST(DashboardLayout, ACardIsMeasuredWhereOneOfItsQuantitiesIs) {
  const DashboardCard two = cardOf(CardKind::Chart, {{std::string(metric::kLoss)}, {"own"}});
  EXPECT_TRUE(isMeasured(two, storeOf("own")));
  EXPECT_TRUE(isMeasured(two, storeOf(metric::kLoss)));
  EXPECT_FALSE(isMeasured(two, storeOf(metric::kStepMs)));
  EXPECT_TRUE(isMeasured(cardOf(CardKind::StepTime), storeOf(metric::kWaitMs)));
  EXPECT_FALSE(isMeasured(cardOf(CardKind::StepTime), storeOf(metric::kLoss)));
  EXPECT_TRUE(isMeasured(cardOf(CardKind::Tiles), storeOf(metric::kGpuXid)));
  EXPECT_TRUE(isMeasured(cardOf(CardKind::Tiles), storeOf(metric::kCpuPercent)));
  EXPECT_FALSE(isMeasured(cardOf(CardKind::Tiles), storeOf(metric::kLoss)));
  EXPECT_TRUE(isMeasured(cardOf(CardKind::HeatMap), storeOf("own")));
  EXPECT_FALSE(isMeasured(cardOf(CardKind::HeatMap, {{std::string(metric::kLoss)}}), storeOf("own")));
  EXPECT_FALSE(isMeasured(cardOf(CardKind::HeatMap), MetricStore()));
}

TEST(DashboardLayout, CardsOfOtherSizesAndCurvesShowTheSame) {
  const DashboardCard one = cardOf(CardKind::Chart, {{"own"}});
  DashboardCard other = one;
  other.columns = 3;
  other.curves = CurveOptions{};
  EXPECT_TRUE(showSame(one, other));
  other.quantities.front().axis = CardAxis::Right;
  EXPECT_FALSE(showSame(one, other));
}

}  // namespace
}  // namespace lockstep
