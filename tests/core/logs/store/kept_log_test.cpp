// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/kept_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "logs/store/log_reader.h"
#include "temp_dir.h"

namespace lockstep {
namespace {
namespace fs = std::filesystem;

LogLine line(int second, std::string text, std::optional<Rank> rank = Rank(0), std::string node = "main") {
  static int made = 0;
  LogLine l;
  l.id = "id" + std::to_string(made++);
  l.time = TimePoint(std::chrono::seconds(second));
  l.text = std::move(text);
  l.rank = rank;
  l.node = std::move(node);
  return l;
}

using Texts = std::vector<std::string>;

Texts texts(KeptLog& log) {
  LogReader reader(log.snapshot());
  Texts all;
  for (std::uint64_t i = 0; i < reader.size(); ++i) all.emplace_back(reader.line(i).text);
  return all;
}

TEST(KeptLog, LateLinesFindTheirPlace) {
  KeptLog log;
  EXPECT_EQ(log.snapshot()->size(), 0U);
  EXPECT_EQ(log.add({line(1, "a"), line(3, "c")}).size(), 2U);
  const auto before = log.snapshot();
  log.add({line(5, "e"), line(2, "b"), line(3, "c2")});
  EXPECT_EQ(texts(log), (Texts{"a", "b", "c", "c2", "e"}));
  EXPECT_EQ(before->size(), 2U);
  EXPECT_EQ(log.snapshot()->commonStart(*before), 1U);
  EXPECT_EQ(log.snapshot()->indexOf(before->idOf(1), 1), 2U);
  EXPECT_EQ(log.add({}).size(), 0U);
  EXPECT_FALSE(log.problem());
}

TEST(KeptLog, ALineOf100MegabytesIsThereAgainAfterARestart) {
  const TempDir dir;
  const std::string huge = std::string(100 << 20, 'x') + "y";
  {
    KeptLog log(dir.path());
    log.add({line(1, "a"), line(2, huge), line(3, "b")});
    EXPECT_FALSE(log.problem());
  }
  KeptLog log(dir.path());
  LogReader reader(log.snapshot());
  ASSERT_EQ(reader.size(), 3U);
  EXPECT_EQ(reader.line(1).text.size(), LogReader::kMaxShown);
  EXPECT_TRUE(reader.isCut());
  EXPECT_EQ(reader.wholeText(1), huge);
  EXPECT_EQ(reader.line(2).text, "b");
}

TEST(KeptLog, ALineThatIsMoreThanTheLimitTakesNoLaterOneWithIt) {
  const TempDir dir;
  KeptLog log(dir.path(), {1 << 20});
  log.add({line(1, "a"), line(2, std::string(4 << 20, 'x'))});
  log.add({line(3, "b")});
  EXPECT_FALSE(log.problem());
  const Texts all = texts(log);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back(), "b");
  EXPECT_EQ(all.size() + log.dropped(), 3U) << "what is gone is counted";
}

TEST(KeptLog, KeepsWhatALineIs) {
  KeptLog log;
  auto odd = line(1, std::string(700'000, 'x'), std::nullopt, "worker 1%");
  odd.level = LogLevel::Error;
  log.add({line(0, ""), odd, line(2, "z", Rank(7))});
  LogReader reader(log.snapshot());
  EXPECT_EQ(reader.line(0).text, "");
  EXPECT_EQ(reader.line(1).level, LogLevel::Error);
  EXPECT_FALSE(reader.line(1).rank);
  EXPECT_EQ(reader.line(1).node, "worker 1%");
  EXPECT_EQ(reader.wholeText(1).size(), 700'000U);
  EXPECT_EQ(reader.line(2).rank, Rank(7));
  EXPECT_EQ(reader.line(2).time, TimePoint(std::chrono::seconds(2)));
  EXPECT_EQ(log.snapshot()->nodes(), (Texts{"main", "worker 1%"}));
  EXPECT_EQ(log.snapshot()->ranks(), (std::vector<Rank>{Rank(0), Rank(7)}));
}

TEST(KeptLog, LinesAreThereAgainAndComeOnlyOnce) {
  const TempDir dir;
  const fs::path folder = dir.path() / "runs" / "r1";
  std::vector<LogLine> lines;
  for (int i = 0; i < 5000; ++i)
    lines.push_back(line(i * 7 % 1000, "text " + std::to_string(i), Rank(i % 3)));
  Texts first;
  {
    KeptLog log(folder);
    EXPECT_EQ(log.add(std::vector<LogLine>(lines.begin(), lines.begin() + 3000)).size(), 3000U);
    first = texts(log);
  }
  KeptLog log(folder);
  EXPECT_FALSE(log.problem());
  EXPECT_EQ(texts(log), first);
  EXPECT_EQ(log.snapshot()->ranks().size(), 3U);
  EXPECT_EQ(log.add(lines).size(), 2000U) << "a source that begins anew";
  EXPECT_EQ(log.snapshot()->size(), 5000U);
  EXPECT_EQ((fs::status(folder).permissions() & fs::perms::all), fs::perms::owner_all) << "logs are private";
}

// Wherever the program ends while it writes: whole lines are there, and the source brings the others again.
TEST(KeptLog, AnEndWithinALineLosesNoneAndInventsNone) {
  const TempDir dir;
  std::vector<LogLine> lines;
  for (int i = 0; i < 12; ++i) lines.push_back(line(i, "text " + std::to_string(i)));
  Texts all;
  {
    KeptLog log(dir.path() / "whole");
    log.add(lines);
    all = texts(log);
  }
  const fs::path file = dir.path() / "whole" / "000001.log";
  const auto size = fs::file_size(file);
  for (std::uintmax_t cut = 0; cut <= size; cut += 1) {
    const fs::path folder = dir.path() / "cut";
    fs::remove_all(folder);
    fs::create_directory(folder);
    fs::copy_file(file, folder / "000001.log");
    fs::resize_file(folder / "000001.log", cut);
    KeptLog log(folder);
    const Texts kept = texts(log);
    ASSERT_TRUE(std::equal(kept.begin(), kept.end(), all.begin())) << cut;
    ASSERT_EQ(log.add(lines).size(), lines.size() - kept.size()) << cut;
    ASSERT_EQ(texts(log), all) << cut;
  }
}

TEST(KeptLog, WhatIsNotOursInAFileIsPassedOver) {
  const TempDir dir;
  {
    KeptLog log(dir.path());
    log.add({line(1, "a")});
  }
  std::ofstream(dir.path() / "000001.log", std::ios::app) << std::string(5000, '\0') << "\nnonsense\n\n";
  std::ofstream(dir.path() / "readme.txt") << "x";
  std::ofstream(dir.path() / "x.log") << "x";
  KeptLog log(dir.path());
  EXPECT_EQ(texts(log), Texts{"a"});
  log.add({line(2, "b")});
  EXPECT_EQ(texts(log), (Texts{"a", "b"}));
}

TEST(KeptLog, KeepsTheNewestWithinItsLimit) {
  const TempDir dir;
  {
    KeptLog log(dir.path(), {1 << 20});
    for (int i = 0; i < 400; ++i) {
      std::vector<LogLine> lines;
      for (int n = 0; n < 20; ++n)
        lines.push_back(line(i, std::to_string(i * 20 + n) + " " + std::string(300, 'x')));
      log.add(lines);
      ASSERT_LT(log.snapshot()->bytes(), std::uint64_t{1'200'000});
    }
    EXPECT_EQ(log.snapshot()->size() + log.dropped(), 8000U);
    EXPECT_EQ(log.snapshot()->dropped(), log.dropped());
    EXPECT_GT(log.snapshot()->size(), 2000U);
    const Texts all = texts(log);
    EXPECT_TRUE(all.back().starts_with("7999 "));
  }
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(dir.path())) bytes += fs::file_size(entry);
  EXPECT_LT(bytes, 1'200'000U);
  KeptLog log(dir.path(), {1 << 20});
  EXPECT_GT(log.snapshot()->size(), 2000U);
}

TEST(KeptLog, WhatIsOldestGoesFirstInWhateverOrderItCame) {
  const TempDir dir;
  KeptLog log(dir.path() / "run", {8U << 20U});
  std::vector<LogLine> newest;
  for (int i = 0; i < 100; ++i) newest.push_back(line(1'000'000 + i, "newest"));
  log.add(std::move(newest));
  for (int second = 0; second < 20'000; second += 1000) {
    std::vector<LogLine> past;
    for (int i = 0; i < 1000; ++i) past.push_back(line(second + i, std::string(500, 'x')));
    log.add(std::move(past));
  }
  EXPECT_GT(log.dropped(), 1000U);
  LogReader reader(log.snapshot());
  ASSERT_GT(reader.size(), 10'000U);
  EXPECT_EQ(reader.line(reader.size() - 1).text, "newest");
  EXPECT_EQ(reader.line(reader.size() - 100).text, "newest");
  EXPECT_EQ(reader.line(reader.size() - 101).time, TimePoint(std::chrono::seconds(19'999)));
  EXPECT_EQ(reader.line(0).time, TimePoint(std::chrono::seconds(log.dropped()))) << "the past has no gap";
}

TEST(KeptLog, KnowsUntilWhenItIsWhole) {
  const TempDir dir;
  const fs::path folder = dir.path() / "run";
  const auto at = [](int second) { return TimePoint(std::chrono::seconds(second)); };
  {
    KeptLog log(folder);
    EXPECT_FALSE(log.wholeUntil());
    log.noteWholeUntil(at(500));
    log.add({line(1, "a"), line(1000, "b")});
    EXPECT_FALSE(log.wholeUntil()) << "it was noted of nothing";
    log.noteWholeUntil(at(500));
    EXPECT_EQ(log.wholeUntil(), at(500));
    log.noteWholeUntil(at(400));
    EXPECT_EQ(log.wholeUntil(), at(500)) << "it only moves on";
    log.noteWholeUntil(at(700));
  }
  EXPECT_EQ(KeptLog(folder).wholeUntil(), at(700));
  std::ofstream(folder / "whole-until") << "2200-01-01T00:00:00Z\n";
  {
    KeptLog log(folder);
    EXPECT_FALSE(log.wholeUntil()) << "later than the newest line";
    log.noteWholeUntil(at(800));
  }
  EXPECT_EQ(KeptLog(folder).wholeUntil(), at(800)) << "what is wrong is replaced";
  std::ofstream(folder / "whole-until") << "soon";
  EXPECT_FALSE(KeptLog(folder).wholeUntil());
  fs::remove(folder / "000001.log");
  std::ofstream(folder / "whole-until") << "1970-01-01T00:10:00Z\n";
  EXPECT_FALSE(KeptLog(folder).wholeUntil()) << "the lines have gone";
}

TEST(KeptLog, ASecondOwnerKeepsItsLinesInMemory) {
  const TempDir dir;
  KeptLog first(dir.path());
  first.add({line(1, "a")});
  KeptLog second(dir.path());
  ASSERT_TRUE(second.problem());
  EXPECT_EQ(second.problem()->code, ErrorCode::FailedPrecondition);
  EXPECT_EQ(second.add({line(1, "b")}).size(), 1U);
  EXPECT_EQ(texts(second), Texts{"b"});
  EXPECT_EQ(texts(first), Texts{"a"});
}

TEST(KeptLog, WithoutAFolderLinesAreKeptInMemoryAndItSaysWhy) {
  const TempDir dir;
  std::ofstream(dir.path() / "file") << "x";
  KeptLog log(dir.path() / "file" / "below");
  ASSERT_TRUE(log.problem());
  EXPECT_NE(log.problem()->what.find("below"), std::string::npos);
  log.add({line(1, "a")});
  EXPECT_EQ(texts(log), Texts{"a"});
}

TEST(KeptLog, RandomArrivalEqualsAStableSortAlsoAfterRestarts) {
  const TempDir dir;
  std::mt19937 random(5);
  for (int round = 0; round < 10; ++round) {
    const fs::path folder = dir.path() / std::to_string(round);
    auto log = std::make_unique<KeptLog>(folder);
    std::vector<LogLine> all;
    for (int batch = 0; batch < 20; ++batch) {
      std::vector<LogLine> lines;
      for (auto n = random() % 300; n > 0; --n)
        lines.push_back(
            line(static_cast<int>(random() % 40), std::to_string(batch) + "/" + std::to_string(n)));
      log->add(lines);
      all.insert(all.end(), lines.begin(), lines.end());
      if (random() % 5 == 0) {
        log.reset();
        log = std::make_unique<KeptLog>(folder);
      }
      auto sorted = all;
      std::stable_sort(sorted.begin(), sorted.end(), [](auto& a, auto& b) { return a.time < b.time; });
      Texts expected;
      for (const auto& l : sorted) expected.push_back(l.text);
      ASSERT_EQ(texts(*log), expected);
    }
  }
}

TEST(KeptLog, OfAnotherOwnerNoLineIsTheSame) {
  KeptLog one, other;
  one.add(std::vector<LogLine>(3));
  other.add(std::vector<LogLine>(3));
  const auto before = one.snapshot();
  one.add(std::vector<LogLine>(2));
  EXPECT_EQ(one.snapshot()->sameLines(*before), (std::vector<SameLines>{{0, 0, 3}}));
  EXPECT_TRUE(other.snapshot()->sameLines(*before).empty());
}

}  // namespace
}  // namespace lockstep
