// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/layouts/layout_text.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep {
namespace {

DashboardLayout everything() {
  DashboardLayout layout{
      "My \"own\" ü", {CurveAxis::WallTime, CurveSmoothing::Gaussian, 0.25, CurveScale::Linear}, {}};
  DashboardCard chart;
  chart.title = "Loss and rate";
  chart.quantities = {{"loss_of_nobody", CardAxis::Left}, {"learning_rate_of_nobody", CardAxis::Right}};
  chart.columns = 3;
  chart.rows = 2;
  chart.onlyWhereMeasured = true;
  chart.curves = CurveOptions{CurveAxis::Epochs, CurveSmoothing::RunningMedian, 0.9, CurveScale::Logarithmic};
  layout.cards.push_back(chart);
  for (const CardKind kind : {CardKind::HeatMap, CardKind::StepTime, CardKind::Tiles}) {
    DashboardCard card;
    card.kind = kind;
    layout.cards.push_back(card);
  }
  layout.cards[1].quantities = {{"wait_of_nobody", CardAxis::Left}};
  layout.cards[2].overTime = true;
  return layout;
}

std::string complaintOf(std::string_view text) {
  const auto layout = parseLayout(text);
  return layout ? std::string() : describe(layout.error());
}

TEST(LayoutText, EveryFieldComesBack) {
  const auto again = parseLayout(layoutText(everything()));
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(*again, everything());
}

TEST(LayoutText, WhatIsNotSaidIsTheUsual) {
  const auto layout = parseLayout(R"({"name":"a","cards":[{"quantities":[{"name":"x"}]}],"more":7})");
  ASSERT_TRUE(layout) << describe(layout.error());
  DashboardCard card;
  card.quantities = {{"x", CardAxis::Left}};
  EXPECT_EQ(*layout, (DashboardLayout{"a", {}, {card}}));
}

TEST(LayoutText, ComplaintsNameTheFieldAndWhatMayStandThere) {
  const struct {
    const char* text;
    const char* field;
    const char* remedy;
  } rows[] = {
      {R"({"cards":[]})", "name is null", "1 to 200 bytes"},
      {R"({"name":7,"cards":[]})", "name is 7", "a text"},
      {R"({"name":"a","cards":{}})", "cards is {}", "a list of 0 to 64"},
      {R"({"name":"a","cards":[7]})", "cards[0] is 7", "an object"},
      {R"({"name":"a","cards":[{"kind":"pie"}]})", "cards[0].kind is \"pie\"",
       "chart, heat-map, step-time, tiles"},
      {R"({"name":"a","cards":[{"kind":"tiles"},{"kind":"tiles","columns":4}]})", "cards[1].columns is 4",
       "1 to 3"},
      {R"({"name":"a","cards":[{"kind":"tiles","rows":1.5}]})", "cards[0].rows is 1.5", "1 to 2"},
      {R"({"name":"a","cards":[{}]})", "cards[0].quantities is null", "a list of 1 to 6"},
      {R"({"name":"a","cards":[{"kind":"tiles","quantities":[{"name":"x"}]}]})", "cards[0].quantities is",
       "0 to 0"},
      {R"({"name":"a","cards":[{"quantities":[{"name":""}]}]})", "cards[0].quantities[0].name is \"\"",
       "1 to 200"},
      {R"({"name":"a","cards":[{"quantities":[{"name":"x","axis":"top"}]}]})",
       "quantities[0].axis is \"top\"", "left, right"},
      {R"({"name":"a","cards":[{"kind":"tiles","onlyWhereMeasured":1}]})", "onlyWhereMeasured is 1",
       "true or false"},
      {R"({"name":"a","cards":[{"kind":"step-time","overTime":"yes"}]})", "overTime is \"yes\"",
       "true or false"},
      {R"({"name":"a","curves":{"amount":1},"cards":[]})", "curves.amount is 1", "0 to 0.999"},
      {R"({"name":"a","cards":[{"kind":"tiles","curves":{"x":3}}]})", "cards[0].curves.x is 3",
       "step, epoch"},
      {R"({"name":"a","cards":[{"kind":"tiles","curves":[]}]})", "cards[0].curves is []", "an object"},
      {"[1]", "no JSON object", ""},
  };
  for (const auto& row : rows) {
    const std::string complaint = complaintOf(row.text);
    EXPECT_NE(complaint.find(row.field), std::string::npos) << row.text << "\n" << complaint;
    EXPECT_NE(complaint.find(row.remedy), std::string::npos) << row.text << "\n" << complaint;
  }
}

TEST(LayoutText, ManyCardsAndLongTextsAreRefused) {
  DashboardLayout layout = everything();
  layout.cards.resize(DashboardLayout::kMaxCards, layout.cards.back());
  EXPECT_TRUE(parseLayout(layoutText(layout)));
  layout.cards.push_back(layout.cards.back());
  EXPECT_NE(complaintOf(layoutText(layout)).find("0 to 64"), std::string::npos);
  layout = everything();
  layout.cards[0].quantities.resize(7, {"x", CardAxis::Left});
  EXPECT_NE(complaintOf(layoutText(layout)).find("1 to 6"), std::string::npos);
  layout = everything();
  layout.name.assign(201, 'x');
  const std::string complaint = complaintOf(layoutText(layout));
  EXPECT_NE(complaint.find("name is"), std::string::npos);
  EXPECT_LT(complaint.size(), 400U);
  EXPECT_NE(complaintOf(std::string(kMaxLayoutBytes + 1, ' ')).find("more than"), std::string::npos);
}

}  // namespace
}  // namespace lockstep
