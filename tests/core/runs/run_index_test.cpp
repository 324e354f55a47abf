// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/search/run_index.h"

#include <gtest/gtest.h>

#include "base/time_text.h"

using namespace lockstep;

namespace {

const TimePoint kNow = *parseRfc3339("2026-11-27T12:00:00Z");

RunSummary summary(const std::string& name) {
  RunSummary run;
  run.id = RunId(name + "-1a2b");
  run.name = name;
  run.state = RunState::Succeeded;
  run.created = kNow - std::chrono::hours(3);
  run.finished = kNow - std::chrono::hours(1);
  run.nodes = 2;
  return run;
}

struct RunIndexTest : testing::Test {
  RunIndex index;

  void SetUp() override {
    RunSummary cifar = summary("Cifar-DDP");
    cifar.marks = {{"baseline", "paper"}, "The one of Friday", "lr-sweep", true, false};
    cifar.results = {{"a_score", 0.25, 100, 0.2, 80, {}, {}}};
    cifar.commit = "abcdef0123";
    RunSummary bert = summary("bert");
    bert.state = RunState::Failed;
    bert.failure = "CUDA out of memory";
    bert.nodes = 8;
    bert.perHour = 16;
    bert.nodeTime.ended = std::chrono::hours(16);
    RunSummary gone = summary("gone");
    gone.marks.isArchived = true;
    gone.state = RunState::Running;
    gone.finished.reset();
    index = RunIndex({cifar, bert, gone});
  }
  std::string found(const std::string& text, bool withArchived = false) {
    const auto query = parseRunQuery(text, kNow);
    EXPECT_TRUE(query) << text;
    std::string names;
    for (const std::uint32_t at : index.search(*query, kNow, withArchived))
      names += index.runs()[at].name.substr(0, 1);
    return names;
  }
};

}  // namespace

TEST_F(RunIndexTest, WordsAreLookedForWhereverPeopleWouldLook) {
  EXPECT_EQ(found(""), "Cb");
  EXPECT_EQ(found("CIFAR"), "C");
  EXPECT_EQ(found("friday"), "C");
  EXPECT_EQ(found("baseline"), "C");
  EXPECT_EQ(found("sweep"), "C");
  EXPECT_EQ(found("1a2b"), "Cb");
  EXPECT_EQ(found("b -cifar"), "b");
  EXPECT_EQ(found("memory"), "");
}

TEST_F(RunIndexTest, Fields) {
  EXPECT_EQ(found("name:ddp"), "C");
  EXPECT_EQ(found("tag:paper"), "C");
  EXPECT_EQ(found("tag:pap"), "");  // a tag is whole
  EXPECT_EQ(found("-tag:paper"), "b");
  EXPECT_EQ(found("state:fail"), "b");
  EXPECT_EQ(found("failure:memory"), "b");
  EXPECT_EQ(found("commit:abcd"), "C");
  EXPECT_EQ(found("is:pinned"), "C");
  EXPECT_EQ(found("group:lr"), "C");
}

TEST_F(RunIndexTest, ArchivedRunsAreFoundWhereTheyAreNamed) {
  EXPECT_EQ(found("gone"), "");
  EXPECT_EQ(found("gone", true), "g");
  EXPECT_EQ(found("is:archived"), "g");
  EXPECT_EQ(found("-is:archived"), "Cb");
  EXPECT_EQ(found("is:live", true), "g");
}

TEST_F(RunIndexTest, Numbers) {
  EXPECT_EQ(found("a_score<0.3"), "C");
  EXPECT_EQ(found("a_score<0.2"), "");
  EXPECT_EQ(found("best.a_score<=0.2"), "C");
  EXPECT_EQ(found("nodes>=2"), "Cb");
  EXPECT_EQ(found("nodes>2"), "b");
  EXPECT_EQ(found("elapsed>1h"), "Cb");
  EXPECT_EQ(found("elapsed>2h"), "");
  EXPECT_EQ(found("elapsed>2h", true), "g");  // it goes on
  EXPECT_EQ(found("created>2026-11-27"), "Cb");
  EXPECT_EQ(found("created<1h"), "Cb");
  EXPECT_EQ(found("cost>31"), "b");
  EXPECT_EQ(found("cost>32"), "");
}

TEST_F(RunIndexTest, Findings) {
  RunSummary bad = index.runs()[0], good = index.runs()[1];
  bad.findings = RunFindings{2, "critical", {"stall", "straggler"}};
  good.findings = RunFindings{};
  EXPECT_EQ(found("findings>=0"), "");  // nobody has looked
  index.replace(0, bad);
  index.replace(1, good);
  EXPECT_EQ(found("findings>=0").size(), 2u);
  EXPECT_EQ(found("findings>0"), found("id:" + bad.id.value));
  EXPECT_EQ(found("findings=0"), found("id:" + good.id.value));
}

TEST_F(RunIndexTest, WhatIsAbsentHoldsNeitherWay) {
  EXPECT_EQ(found("unheard_of<1"), "");
  EXPECT_EQ(found("unheard_of!=1"), "");
  EXPECT_EQ(found("-unheard_of<1"), "Cb");
}

TEST_F(RunIndexTest, AReplacedRunIsSearchedAsItIsNow) {
  RunSummary changed = index.runs()[1];
  changed.marks.tags = {"fresh"};
  index.replace(1, changed);
  EXPECT_EQ(found("fresh"), "b");
  index.addFirst(summary("new"));
  EXPECT_EQ(found(""), "nCb");
  EXPECT_EQ(found("fresh"), "b");
}

TEST(RunCost, IsTheTimeOfTheNodesThatRanAtThePriceOfOne) {
  RunSummary run = summary("x");
  EXPECT_FALSE(costUntil(run, kNow));  // no price, no cost: never zero
  run.nodes = 4;
  run.perHour = 8;
  run.nodeTime = {std::chrono::hours(3), 1, kNow - std::chrono::hours(2)};
  EXPECT_DOUBLE_EQ(*costUntil(run, kNow), 10);
}
