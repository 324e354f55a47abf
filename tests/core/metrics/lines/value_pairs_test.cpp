// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/value_pairs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

struct Case {
  const char* text;
  ValuePairs::Pairs pairs;
};

std::string shown(const ValuePairs::Pairs& pairs) {
  std::string text;
  for (const auto& [name, value] : pairs) text += name + "=" + std::to_string(value) + " ";
  return text;
}

const std::vector<Case> kCases{
    {"loss: 2.187", {{"loss", 2.187}}},
    {"loss: 0.4012 - accuracy: 0.8801 - val_loss: 0.5",
     {{"loss", 0.4012}, {"accuracy", 0.8801}, {"val_loss", 0.5}}},
    {"'loss': 0.51, 'grad_norm': 1.25, 'learning_rate': 4.5e-05, 'epoch': 0.32",
     {{"loss", 0.51}, {"gradient_norm", 1.25}, {"learning_rate", 4.5e-05}, {"epoch", 0.32}}},
    {R"("step": 100, "loss": 0.51, "lr": 1e-3)", {{"loss", 0.51}, {"learning_rate", 1e-3}}},
    {"Loss 6.9e+00 (7.0e+00)", {{"loss", 6.9}}},
    {"Time  0.500 ( 0.600)\tData  0.100 ( 0.200)", {{"time", 0.5}, {"data", 0.1}}},
    {"loss 2.1873, time 300.10ms, mfu 31.20%", {{"loss", 2.1873}, {"step_ms", 300.1}, {"mfu_percent", 31.2}}},
    {"train loss 10.9, val loss 10.95", {{"loss", 10.9}, {"val_loss", 10.95}}},
    {"elapsed time per iteration (ms): 300.1 | learning rate: 1.5E-4 | lm loss: 6.5E+00 | grad norm: 1.2 |",
     {{"step_ms", 300.1}, {"learning_rate", 1.5e-4}, {"loss", 6.5}, {"gradient_norm", 1.2}}},
    {"102.5 img/sec, 1200 tokens/s", {{"samples_per_second", 102.5}, {"tokens_per_second", 1200}}},
    {"3s 6ms/step - loss: 0.4", {{"loss", 0.4}, {"step_ms", 6}}},
    {"step_time: 0.25s", {{"step_ms", 250}}},
    {"accuracy: 76.5%", {{"accuracy_percent", 76.5}}},
    {"lr=0.1 loss=-0.5 acc=.75", {{"learning_rate", 0.1}, {"loss", -0.5}, {"accuracy", 0.75}}},
    {"loss: 0.5.", {{"loss", 0.5}}},
    // No numbers of a quantity:
    {"took 5 to load 10 files", {}},
    {"progress: 10/100, at: 12:34:56, version: 1.2.3, eta: 5", {}},
    {"shape: 3x224, hash: 3fa2, file: 7.png", {}},
    {"", {}},
    {"loss:", {}},
};

TEST(ValuePairs, ReadsWhatScriptsPrint) {
  ValuePairs pairs;
  for (const Case& one : kCases) EXPECT_EQ(shown(pairs.find(one.text)), shown(one.pairs)) << one.text;
}

TEST(ValuePairs, KeepsWhatIsNoNumber) {
  ValuePairs pairs;
  const auto found = pairs.find("loss: nan, grad_norm: inf, reward: -inf");
  ASSERT_EQ(found.size(), 3U) << shown(found);
  EXPECT_TRUE(std::isnan(found[0].second));
  EXPECT_EQ(found[1].second, INFINITY);
  EXPECT_EQ(found[2].second, -INFINITY);
}

TEST(ValuePairs, TakesEachNameOnceAndNotTooMany) {
  ValuePairs pairs;
  EXPECT_EQ(pairs.find("loss: 1, loss: 2").size(), 1U);
  std::string many;
  for (int i = 0; i < 200; ++i) many += "q" + std::to_string(i) + "=1, ";
  EXPECT_EQ(pairs.find(many).size(), 64U);
}

}  // namespace
}  // namespace lockstep
