// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/line_matcher.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

LineMatcher builtIn() {
  return std::move(LineMatcher::open().value());
}

std::string ruleOf(LineMatcher& matcher, std::string_view line) {
  const auto match = matcher.match(line);
  return match ? std::string(matcher.rules()[match->rule].id) : "none";
}

double valueOf(const LineMatch& match, std::string_view name) {
  for (const auto& [own, value] : match.values)
    if (own == name) return value;
  ADD_FAILURE() << "there is no " << name;
  return 0;
}

TEST(LineMatcher, EachRuleTakesItsExample) {
  LineMatcher matcher = builtIn();
  for (const LineRule& rule : lineRules()) EXPECT_EQ(ruleOf(matcher, rule.example), rule.id) << rule.example;
}

struct Line {
  const char* text;
  const char* rule;
  std::optional<double> epoch;
  std::optional<Step> step, batch, batches;
  const char* quantity = nullptr;
  double value = 0;
};

const std::vector<Line> kLines{
    {"[2, 12000] loss: 1.297", "brackets", 2, {}, 12000, {}, "loss", 1.297},
    {"Train Epoch: 3 [6400/60000 (11%)]\tLoss: 0.25", "train-epoch", 3, {}, 6400, 60000, "loss", 0.25},
    {"Epoch: [0][ 10/5005]\tTime  0.5 ( 0.6)\tData  0.1 ( 0.2)\tLoss 6.93e+00 (7.0e+00)\tAcc@1   0.39 (  "
     "0.1)",
     "imagenet",
     0,
     {},
     10,
     5005,
     "loss",
     6.93},
    {"Epoch [2/5], Step [100/600], Loss: 0.3512", "epoch-step", 2, {}, 100, 600, "loss", 0.3512},
    {"  5%|▌         | 500/10000 [01:23<26:00,  6.25it/s]", "tqdm", {}, {}, 500, 10000, "step_ms", 160},
    {"Epoch 0: 100%|██████████| 937/937 [00:10<00:00, 92.1it/s, v_num=0, train_loss=0.512]",
     "tqdm",
     0,
     {},
     937,
     937,
     "loss",
     0.512},
    {" 50%|█████     | 5/10 [00:07<00:07,  1.50s/it, loss=0.3]", "tqdm", {}, {}, 5, 10, "step_ms", 1500},
    {"469/469 [==============================] - 3s 6ms/step - loss: 0.4012 - accuracy: 0.8801",
     "keras",
     {},
     {},
     469,
     469,
     "accuracy",
     0.8801},
    {"469/469 - 3s - loss: 0.4012 - accuracy: 0.8801 - 3s/epoch - 6ms/step",
     "keras",
     {},
     {},
     469,
     469,
     "step_ms",
     6},
    {"\x1b[1m469/469\x1b[0m \x1b[32m━━━━━━━━\x1b[0m\x1b[37m\x1b[0m \x1b[1m3s\x1b[0m 6ms/step - loss: 0.4012",
     "keras",
     {},
     {},
     469,
     469,
     "loss",
     0.4012},
    {"{'loss': 0.51, 'grad_norm': 1.2, 'learning_rate': 4.5e-05, 'epoch': 0.32}",
     "hugging-face",
     0.32,
     {},
     {},
     {},
     "gradient_norm",
     1.2},
    {"{'eval_loss': 0.41, 'eval_runtime': 1.2, 'epoch': 1.0}",
     "hugging-face",
     1,
     {},
     {},
     {},
     "val_loss",
     0.41},
    {R"({"epoch": 1, "step": 120, "loss": 0.5})", "json", 1, 120, {}, {}, "loss", 0.5},
    {" iteration      100/   1000 | consumed samples: 25600 | elapsed time per iteration (ms): 300.1 | lm "
     "loss: 6.5E+00 |",
     "megatron",
     {},
     100,
     {},
     {},
     "loss",
     6.5},
    {"iter 100: loss 2.1873, time 300.10ms, mfu 31.20%", "step", {}, 100, {}, {}, "mfu_percent", 31.2},
    {"step=100 loss=0.5 lr=1e-3", "step", {}, 100, {}, {}, "learning_rate", 1e-3},
    {"Step #500\tLoss: 0.25", "step", {}, 500, {}, {}, "loss", 0.25},
    {"[Step 500] loss: 0.25", "step", {}, 500, {}, {}, "loss", 0.25},
    {"Iter #3: 102.5 img/sec per GPU", "horovod-benchmark", {}, {}, 3, {}, "samples_per_second", 102.5},
    {"Epoch 3/10 - loss: 0.4012 - acc: 0.8801", "epoch", 3, {}, {}, {}, "accuracy", 0.8801},
    {"Epoch: 4, train loss: 0.3, val loss: 0.4", "epoch", 4, {}, {}, {}, "val_loss", 0.4},
    // What stands before:
    {"[1,0]<stdout>:Step #500\tLoss: 0.25", "step", {}, 500, {}, {}, "loss", 0.25},
    {"[0]<stdout>:Step #500\tLoss: 0.25", "step", {}, 500, {}, {}, "loss", 0.25},
    {"[rank 3] [2, 12000] loss: 1.297", "brackets", 2, {}, 12000, {}, "loss", 1.297},
    {"2026-01-02 03:04:05,678 - INFO - step 7: loss 0.5", "step", {}, 7, {}, {}, "loss", 0.5},
    {"INFO:root:step 7: loss 0.5", "step", {}, 7, {}, {}, "loss", 0.5},
};

TEST(LineMatcher, ReadsTheUsualShapes) {
  LineMatcher matcher = builtIn();
  for (const Line& line : kLines) {
    SCOPED_TRACE(line.text);
    EXPECT_EQ(ruleOf(matcher, line.text), line.rule);
    const auto match = matcher.match(line.text);
    if (!match) continue;
    EXPECT_EQ(match->epoch, line.epoch);
    EXPECT_EQ(match->step, line.step);
    EXPECT_EQ(match->batch, line.batch);
    EXPECT_EQ(match->batches, line.batches);
    EXPECT_DOUBLE_EQ(valueOf(*match, line.quantity), line.value);
  }
}

TEST(LineMatcher, LeavesOtherLinesAlone) {
  LineMatcher matcher = builtIn();
  for (const char* line : {"", "loss", "Downloading: 45%|████▌     | 45/100 [00:01<00:00, 30.00it/s]",
                           "Validation DataLoader 0: 100%|██████████| 157/157 [00:00<00:00, 250.1it/s]",
                           "Map: 100%|██████████| 60000/60000 [00:01<00:00, 50000 examples/s]",
                           "45%|████▌     | 45M/100M [00:01<00:00, 30.0MB/s]",
                           "Loading checkpoint shards: 100%|██████████| 2/2 [00:01<00:00, 1.1it/s]",
                           "loaded 10 files in 3 s", "NCCL INFO Channel 00/02 : 0 1", "10.0.0.5:29400",
                           "{'a': 'b'}", "Epochs are good", "2026-01-01 12:00:00 starting 3 workers"})
    EXPECT_EQ(ruleOf(matcher, line), "none") << line;
}

TEST(LineMatcher, OwnExpressionsGoFirst) {
  const std::vector<std::string> own{R"(it (?<step>\d+) cost=(?<loss>\S+) speed=(?<img_per_s>\S+))"};
  auto matcher = LineMatcher::open(own);
  ASSERT_TRUE(matcher);
  const auto match = matcher->match("it 12 cost=0.5 speed=100 step 3: loss 9");
  ASSERT_TRUE(match);
  EXPECT_EQ(matcher->rules()[match->rule].id, "own");
  EXPECT_EQ(match->step, 12);
  EXPECT_EQ(valueOf(*match, "loss"), 0.5);
  EXPECT_EQ(valueOf(*match, "img_per_s"), 100);
  EXPECT_EQ(ruleOf(*matcher, "iter 100: loss 2.1"), "step");
}

TEST(LineMatcher, SaysWhatIsWrongWithAnOwnExpression) {
  const auto malformed = LineMatcher::open(std::vector<std::string>{"(?<loss>"});
  ASSERT_FALSE(malformed);
  EXPECT_EQ(malformed.error().code, ErrorCode::InvalidArgument);
  const auto nameless = LineMatcher::open(std::vector<std::string>{R"(loss (\S+))"});
  ASSERT_FALSE(nameless);
  EXPECT_NE(nameless.error().cause.find("named group"), std::string::npos);
  EXPECT_FALSE(LineMatcher::open(std::vector<std::string>(17, R"((?<loss>\S+))")));
}

TEST(LineMatcher, GivesUpWhatTakesTooLong) {
  auto matcher = LineMatcher::open(std::vector<std::string>{R"((?<loss>(a+)+)\d$)"});
  ASSERT_TRUE(matcher);
  EXPECT_FALSE(matcher->match(std::string(200, 'a') + "!7x"));
  EXPECT_EQ(matcher->givenUp(), 1U);
}

TEST(LineMatcher, NumbersBeyondAllStepsAreNone) {
  LineMatcher matcher = builtIn();
  const auto match = matcher.match("step 99999999999999999999: loss 0.5");
  ASSERT_TRUE(match);
  EXPECT_FALSE(match->step);
}

}  // namespace
}  // namespace lockstep
