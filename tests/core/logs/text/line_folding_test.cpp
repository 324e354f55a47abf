// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/text/line_folding.h"

#include <gtest/gtest.h>

#include <random>

namespace lockstep {
namespace {

struct Line {
  std::uint32_t source;
  std::string text;
};

LineFolding folded(const std::vector<Line>& lines) {
  LineFolding folding;
  for (const Line& line : lines) folding.append(line.source, line.text);
  return folding;
}

/// Which lines stand for others, and for how many: "0+3 5".
std::string shown(const LineFolding& folding) {
  std::string text;
  for (std::uint32_t at = 0; at < folding.size(); ++at) {
    const auto* group = folding.groupOf(at);
    if (group != nullptr && group->shown() != at) continue;
    text += (text.empty() ? "" : " ") + std::to_string(at);
    if (group != nullptr) text += "+" + std::to_string(group->count - 1);
  }
  return text;
}

TEST(LineFolding, ATracebackIsOneLineThoughOthersWriteInBetween) {
  EXPECT_EQ(shown(folded({{0, "start"},
                          {0, "Traceback (most recent call last):"},
                          {1, "epoch 1"},
                          {0, "  File \"a.py\", line 1, in f"},
                          {1, "  indented, and of another rank"},
                          {0, "    f()"},
                          {0, "ValueError: no"},
                          {0, "after"}})),
            "0 1+3 2 4 7");
}

TEST(LineFolding, ExceptionsThatCauseOthersBelongTogether) {
  EXPECT_EQ(shown(folded({{0, "Traceback (most recent call last):"},
                          {0, "  File \"a.py\", line 1"},
                          {0, "KeyError: 'x'"},
                          {0, ""},
                          {0, "During handling of the above exception, another exception occurred:"},
                          {0, ""},
                          {0, "Traceback (most recent call last):"},
                          {0, "  File \"b.py\", line 1"},
                          {0, "RuntimeError: y"},
                          {0, "Exception raised from f at x.cpp:1:"},
                          {0, "frame #0: f"},
                          {0, "go on"}})),
            "0+10 11");
}

TEST(LineFolding, WhatNcclTellsInOneGoIsOneLineAndItsWarningsAreSeen) {
  EXPECT_EQ(shown(folded({{0, "h NCCL INFO a"},
                          {1, "h NCCL INFO a"},
                          {0, "h NCCL INFO b"},
                          {1, "h NCCL INFO b"},
                          {0, "h NCCL WARN c"},
                          {0, "h NCCL INFO d"},
                          {1, "x"}})),
            "0+1 1+1 4 5 6");
}

TEST(LineFolding, OfAProgressBarTheNewestLineIsSeen) {
  EXPECT_EQ(shown(folded({{0, "Epoch 1:  10%|#"},
                          {0, "Epoch 1:  20%|##"},
                          {1, "Epoch 1:   5%|"},
                          {0, "Epoch 1: 100%|###"},
                          {0, "Epoch 2:   0%|"},
                          {0, "loss 0.3"},
                          {0, "Epoch 2:  10%|#"}})),
            "2 3+2 4 5 6");
  // Two bars of one process.
  EXPECT_EQ(shown(folded({{0, "all:  10%|#"}, {0, "one:  10%|#"}, {0, "all:  20%|#"}, {0, "one:  20%|#"}})),
            "2+1 3+1");
}

TEST(LineFolding, NothingIsFoldedThatIsNotKnown) {
  EXPECT_EQ(shown(folded({{0, "  indented"}, {0, "frame #1"}, {0, ""}, {0, "  indented"}})), "0 1 2 3");
}

std::vector<Line> drawnLines(std::mt19937& random, int count) {
  static const std::vector<std::string> kTexts{"Traceback (most recent call last):",
                                               "  File \"a.py\"",
                                               "ValueError: x",
                                               "plain",
                                               "",
                                               "h NCCL INFO a",
                                               "Epoch 1:  10%|#",
                                               "Epoch 2:  10%|#",
                                               "During handling of the above exception",
                                               "frame #1"};
  std::vector<Line> lines;
  for (int i = 0; i < count; ++i)
    lines.push_back({static_cast<std::uint32_t>(random() % 5), kTexts[random() % kTexts.size()]});
  return lines;
}

TEST(LineFolding, WhatIsTakenBackAndAppendedAnewIsAsIfItHadComeOnce) {
  std::mt19937 random(11);
  for (int round = 0; round < 15; ++round) {
    std::vector<Line> lines = drawnLines(random, 9000);
    LineFolding grown = folded(lines);
    for (int late = 0; late < 5; ++late) {
      const auto at = static_cast<std::uint32_t>(random() % lines.size());
      lines.insert(lines.begin() + at, drawnLines(random, 1).front());
      std::uint32_t from = grown.truncate(at);
      ASSERT_LE(from, at);
      ASSERT_LE(at - from, LineFolding::kBetweenCheckpoints);
      for (; from < lines.size(); ++from) grown.append(lines[from].source, lines[from].text);
    }
    ASSERT_EQ(shown(grown), shown(folded(lines))) << "round " << round;
  }
}

TEST(LineFolding, TellsFromWhereItChanged) {
  std::mt19937 random(12);
  LineFolding folding;
  std::vector<std::uint32_t> before;  // for how many lines each stood
  const auto standsFor = [&](std::uint32_t at) {
    const auto* group = folding.groupOf(at);
    if (group == nullptr) return std::uint32_t{1};
    return group->shown() == at ? group->count : 0;
  };
  for (const Line& line : drawnLines(random, 3000)) {
    folding.append(line.source, line.text);
    const std::uint32_t from = folding.takeChangedFrom();
    ASSERT_LT(from, folding.size());
    for (std::uint32_t at = 0; at < from; ++at) ASSERT_EQ(standsFor(at), before[at]) << at;
    before.resize(folding.size());
    for (std::uint32_t at = 0; at < folding.size(); ++at) before[at] = standsFor(at);
  }
  EXPECT_EQ(folding.takeChangedFrom(), folding.size());
}

}  // namespace
}  // namespace lockstep
