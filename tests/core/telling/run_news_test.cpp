// SPDX-License-Identifier: GPL-3.0-or-later
#include "telling/run_news.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "made_up_news.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

struct NewsOfRunTest : ::testing::Test {
  TrainingRun run = liveRun();
  DiagnosisReport report;
  MutedFindings muted;
  TimePoint now = kNewsTime;

  std::vector<std::string> titles(NewsOfRun& of) {
    std::vector<std::string> titles;
    for (const RunNews& one : of.take(run, &report, muted, now)) titles.push_back(titleOf(one));
    now += 3s;
    return titles;
  }
};

using Titles = std::vector<std::string>;

TEST_F(NewsOfRunTest, AFindingIsToldOnceUntilItComesAgain) {
  NewsOfRun of;
  report.findings = {findingOf(3)};
  EXPECT_EQ(titles(of), Titles{"cifar: rank 3 is slow"});
  EXPECT_EQ(titles(of), Titles{});
  report.findings[0].end = now;
  EXPECT_EQ(titles(of), Titles{});
  report.findings[0].end.reset();
  EXPECT_EQ(titles(of), Titles{"cifar: rank 3 is slow"});
}

TEST_F(NewsOfRunTest, ThatItIsOverIsToldToWhoWantsToKnow) {
  NewsOfRun of({FindingSeverity::Warning, true});
  report.findings = {findingOf(3)};
  EXPECT_EQ(titles(of).size(), 1U);
  report.findings[0].end = now;
  EXPECT_EQ(titles(of), Titles{"cifar: rank 3 is slow (over)"});
  EXPECT_EQ(titles(of), Titles{});
}

TEST_F(NewsOfRunTest, WhatIsTooSmallOrMutedIsNotTold) {
  NewsOfRun of;
  report.findings = {findingOf(3, FindingSeverity::Notice)};
  EXPECT_EQ(titles(of), Titles{});
  report.findings[0].severity = FindingSeverity::Critical;
  muted.mute(run.id, report.findings[0].key(), now + 1h);
  EXPECT_EQ(titles(of), Titles{});
  muted.unmute(run.id, report.findings[0].key());
  EXPECT_EQ(titles(of).size(), 1U) << "it goes on";
}

TEST_F(NewsOfRunTest, OfManyAtOnceSomeAreTold) {
  NewsOfRun of;
  for (int rank = 0; rank < 50; ++rank) report.findings.push_back(findingOf(rank));
  const auto news = of.take(run, &report, muted, now);
  ASSERT_EQ(news.size(), static_cast<std::size_t>(NewsOfRun::kMostAMinute));
  EXPECT_EQ(news.back().more, 50 - NewsOfRun::kMostAMinute);
  EXPECT_NE(textOf(news.back()).find("and 44 more"), std::string::npos) << textOf(news.back());
  now += 61s;
  report.findings = {findingOf(99)};
  EXPECT_EQ(titles(of).size(), 1U);
}

TEST_F(NewsOfRunTest, WhatAMinuteHasNoRoomForIsToldBehindIt) {
  NewsOfRun of;
  for (int rank = 0; rank < NewsOfRun::kMostAMinute; ++rank) report.findings.push_back(findingOf(rank));
  EXPECT_EQ(titles(of).size(), static_cast<std::size_t>(NewsOfRun::kMostAMinute));
  for (const int rank : {97, 98, 99}) report.findings.push_back(findingOf(rank));
  EXPECT_EQ(titles(of), Titles{}) << "the minute is full";
  report.findings.pop_back();  // over before it could be told
  now += 61s;
  EXPECT_EQ(titles(of), (Titles{"cifar: rank 97 is slow", "cifar: rank 98 is slow"}));
  EXPECT_EQ(titles(of), Titles{});
}

TEST_F(NewsOfRunTest, TheEndOfARunCountsWhatWasNotToldYet) {
  NewsOfRun of;
  for (int rank = 0; rank < NewsOfRun::kMostAMinute; ++rank) report.findings.push_back(findingOf(rank));
  EXPECT_FALSE(titles(of).empty());
  report.findings.push_back(findingOf(99));
  EXPECT_EQ(titles(of), Titles{});
  run.nodes[0].state = JobRunState::Failed;
  const auto news = of.take(run, &report, muted, now);
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].kind, RunNews::Kind::RunEnded);
  EXPECT_EQ(textOf(news[0]), "and 1 more");
}

// A report lists what has ended until the run does.
TEST_F(NewsOfRunTest, AnEarlierEndOfTheSameFindingIsNotToldAgain) {
  NewsOfRun of({FindingSeverity::Warning, true});
  RunFinding earlier = findingOf(3);
  earlier.end = now;
  report.findings = {findingOf(3), earlier};
  EXPECT_EQ(titles(of), Titles{"cifar: rank 3 is slow"});
  EXPECT_EQ(titles(of), Titles{});
  report.findings = {earlier, earlier};
  EXPECT_EQ(titles(of).front(), "cifar: rank 3 is slow (over)");
}

TEST_F(NewsOfRunTest, TheEndOfARunThatWentOnIsNews) {
  NewsOfRun of;
  EXPECT_EQ(titles(of), Titles{});
  run.nodes[0].state = JobRunState::Failed;
  run.failure = "rank 1 ended with exit code 3";
  const auto news = of.take(run, nullptr, muted, now);
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(titleOf(news[0]), "cifar: FAILED");
  EXPECT_EQ(textOf(news[0]), run.failure);
  EXPECT_TRUE(of.take(run, nullptr, muted, now).empty());
}

TEST_F(NewsOfRunTest, ARunThatWasOverBeforeIsNone) {
  run.nodes[0].state = JobRunState::Succeeded;
  report.findings = {findingOf(3)};
  NewsOfRun of;
  EXPECT_EQ(titles(of), Titles{});
}

TEST(RunNews, TheDocumentHasWhatTheTextsSay) {
  RunNews news = newsOfFinding();
  news.name = "caf\xff\n";
  const auto document = nlohmann::json::parse(documentOf(news));
  EXPECT_EQ(document.at("event"), "finding-began");
  EXPECT_EQ(document.at("run").at("id"), "cifar-1");
  EXPECT_EQ(document.at("finding").at("kind"), "straggler");
  EXPECT_EQ(document.at("text"), "its loader; more workers");
  EXPECT_EQ(documentOf(news).find('\n'), std::string::npos);
}

}  // namespace
}  // namespace lockstep
