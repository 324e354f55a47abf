// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/line_recognizer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

/// What one rank printed, as rows.
class Recognized {
 public:
  explicit Recognized(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) add(line);
  }
  void add(const std::string& line) {
    const auto match = matcher_.match(line);
    if (!match) return;
    for (PrintedRow& row : recognizer_.add(*match, matcher_.rules()[match->rule], TimePoint()))
      rows_.push_back(std::move(row));
  }
  [[nodiscard]] std::vector<std::pair<Step, double>> of(std::string_view name) const {
    std::vector<std::pair<Step, double>> points;
    for (const PrintedRow& row : rows_)
      for (const auto& [own, value] : row.values)
        if (own == name) points.emplace_back(row.step, value);
    return points;
  }
  [[nodiscard]] const RuleUse* use(std::string_view id) const {
    for (const auto& [number, use] : recognizer_.uses())
      if (matcher_.rules()[number].id == id) return &use;
    return nullptr;
  }

 private:
  LineMatcher matcher_ = std::move(LineMatcher::open().value());
  LineRecognizer recognizer_;
  std::vector<PrintedRow> rows_;
};

using Points = std::vector<std::pair<Step, double>>;

TEST(LineRecognizer, CountsBatchesOnOverTheEpochs) {
  const Recognized rank(
      {"[1, 2000] loss: 2.2", "[1, 4000] loss: 1.9", "[2, 2000] loss: 1.5", "[2, 4000] loss: 1.4"});
  EXPECT_EQ(rank.of("loss"), (Points{{1999, 2.2}, {3999, 1.9}, {5999, 1.5}, {7999, 1.4}}));
  EXPECT_EQ(rank.of("epoch").back(), (std::pair<Step, double>(7999, 2)));
}

TEST(LineRecognizer, OneOrTwoLinesAreNoReport) {
  const Recognized rank({"[1, 2000] loss: 2.2", "[1, 4000] loss: 1.9"});
  EXPECT_TRUE(rank.of("loss").empty());
  EXPECT_FALSE(rank.use("brackets")->isActive);
}

TEST(LineRecognizer, ReadsKeras) {
  std::vector<std::string> lines;
  for (int epoch = 1; epoch <= 2; ++epoch) {
    lines.push_back(fmt::format("Epoch {}/2", epoch));
    for (int batch = 1; batch <= 3; ++batch)
      lines.push_back(fmt::format("{}/3 [====>.........................] - ETA: 0s - loss: {}", batch,
                                  1.0 / (epoch * 10 + batch)));
  }
  const Recognized rank(lines);
  const Points loss = rank.of("loss");
  ASSERT_EQ(loss.size(), 6U);
  for (std::size_t i = 0; i < loss.size(); ++i) EXPECT_EQ(loss[i].first, static_cast<Step>(i));
}

TEST(LineRecognizer, SaysHowManyStepsThereWillBe) {
  EXPECT_EQ(Recognized({"Epoch 1/3", "1/4 [==>...] - loss: 0.5", "2/4 [==>...] - loss: 0.4",
                        "3/4 [==>...] - loss: 0.3"})
                .of("total_steps"),
            (Points{{0, 12}}));
  EXPECT_EQ(Recognized({"Epoch [1/5], Step [1/600], Loss: 0.3", "Epoch [1/5], Step [2/600], Loss: 0.3",
                        "Epoch [1/5], Step [3/600], Loss: 0.3"})
                .of("total_steps"),
            (Points{{0, 3000}}));
  EXPECT_EQ(Recognized({"step 1/90: loss 1", "step 2/90: loss 1", "step 3/90: loss 1"}).of("total_steps"),
            (Points{{1, 90}}));
  EXPECT_TRUE(Recognized({"step 1: loss 1", "step 2: loss 1", "step 3: loss 1"}).of("total_steps").empty());
}

TEST(LineRecognizer, TakesTheStepsOfHuggingFaceFromItsBar) {
  std::vector<std::string> lines;
  for (int step = 100; step <= 400; step += 100) {
    lines.push_back(fmt::format(" {}%|##| {}/1000 [00:10<00:10, 10.00it/s]", step / 10, step));
    lines.push_back(
        fmt::format("{{'loss': {}, 'learning_rate': 1e-05, 'epoch': {}}}", 1000.0 / step, step / 1000.0));
  }
  EXPECT_EQ(Recognized(lines).of("loss"), (Points{{99, 10}, {199, 5}, {299, 1000.0 / 300}, {399, 2.5}}));
}

TEST(LineRecognizer, AnEvaluationsBarIsNoStep) {
  std::vector<std::string> lines;
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (int batch = 1; batch <= 4; ++batch)
      lines.push_back(
          fmt::format("Epoch {}: {}%|##| {}/4 [00:10<00:10, 10.00it/s, loss=0.5]", epoch, batch * 25, batch));
    for (int batch = 1; batch <= 9; ++batch)
      lines.push_back(fmt::format(" {}%|##| {}/9 [00:10<00:10, 10.00it/s]", batch * 11, batch));
  }
  const Points loss = Recognized(lines).of("loss");
  ASSERT_EQ(loss.size(), 8U);
  EXPECT_EQ(loss.back().first, 7);
}

TEST(LineRecognizer, ABarBeforeTheTrainingDoesNotSetItsLength) {
  std::vector<std::string> lines;
  for (int i = 1; i <= 9; ++i)
    lines.push_back(fmt::format(" {}%|##| {}/9 [00:10<00:10, 10.00it/s]", i * 11, i));
  for (int i = 1; i <= 4; ++i)
    lines.push_back(fmt::format(" {}%|##| {}/4 [00:10<00:10, 10.00it/s, loss=0.5]", i * 25, i));
  const Points loss = Recognized(lines).of("loss");
  ASSERT_EQ(loss.size(), 4U);
  EXPECT_EQ(loss.back().first - loss.front().first, 3);
}

TEST(LineRecognizer, OneLineAnEpochCountsInEpochs) {
  const Recognized rank({"Epoch 1/3 - loss: 0.5 - acc: 0.8", "Epoch 2/3 - loss: 0.4 - acc: 0.9",
                         "Epoch 3/3 - loss: 0.3 - acc: 0.95"});
  EXPECT_EQ(rank.of("loss"), (Points{{0, 0.5}, {1, 0.4}, {2, 0.3}}));
}

// The rest of Lockstep counts so, too: the first step is 0.
TEST(LineRecognizer, ABatchThatIsDoneIsTheStepBefore) {
  const Recognized done({"1/9 [>...] - loss: 3", "2/9 [>...] - loss: 2", "3/9 [>...] - loss: 1"});
  EXPECT_EQ(done.of("loss"), (Points{{0, 3}, {1, 2}, {2, 1}}));
  const Recognized numbered(
      {"Epoch: [0][0/9] Loss 3 (3)", "Epoch: [0][1/9] Loss 2 (2)", "Epoch: [0][2/9] Loss 1 (1)"});
  EXPECT_EQ(numbered.of("loss"), (Points{{0, 3}, {1, 2}, {2, 1}}));
}

TEST(LineRecognizer, NanIsAValue) {
  const Recognized rank({"step 1: loss 0.5", "step 2: loss nan", "step 3: loss nan"});
  ASSERT_EQ(rank.of("loss").size(), 3U);
  EXPECT_TRUE(std::isnan(rank.of("loss")[2].second));
}

TEST(LineRecognizer, WhatJumpsToAndFroIsNoProgress) {
  Recognized rank({});
  for (int i = 0; i < 20; ++i) rank.add(fmt::format("step {}: delay {}", (i * 7919) % 100, i));
  ASSERT_NE(rank.use("step"), nullptr);
  EXPECT_EQ(rank.use("step")->offBecause, "its steps go back");
}

TEST(LineRecognizer, LinesThatReportDifferentThingsAreNoReport) {
  Recognized rank({});
  for (int i = 0; i < 20; ++i) rank.add(fmt::format("step {}: q{}={}", i, i, i));
  EXPECT_EQ(rank.use("step")->offBecause, "its lines report different things");
  EXPECT_TRUE(rank.of("q0").empty());
}

// Behind a step of the script, positions within an epoch say nothing more.
TEST(LineRecognizer, StepsFromTheBeginningWin) {
  std::vector<std::string> lines;
  for (int step = 1000; step < 1010; ++step) {
    lines.push_back(fmt::format(" 10%|##| {}/99 [00:10<00:10, 10.00it/s]", step - 1000));
    lines.push_back(fmt::format("step={} loss=0.5", step));
  }
  const Recognized rank(lines);
  EXPECT_EQ(rank.of("loss").back().first, 1009);
  EXPECT_GE(rank.of("step_ms").back().first, 1000);
}

}  // namespace
}  // namespace lockstep
