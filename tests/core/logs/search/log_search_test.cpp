// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/search/range_search.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <thread>

#include "base/time_text.h"
#include "logs/store/kept_log.h"
#include "logs/store/log_reader.h"
#include "logs/store/text_log.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

const TimePoint kBegin = *parseRfc3339("2026-11-25T10:00:00Z");

std::string drawnText(std::mt19937& random) {
  const char* const kWords[] = {"epoch",   "loss",  "ERROR", "WARNING", "nccl",
                                "timeout", "DEBUG", "step",  "\xff",    "x"};
  std::string text;
  for (auto n = random() % 8; n > 0; --n) text += std::string(kWords[random() % std::size(kWords)]) + " ";
  return text + std::to_string(random() % 1000);
}

LogQuery drawnQuery(std::mt19937& random) {
  LogQuery query;
  const char* const kTyped[] = {
      "loss", "nccl timeout", "/[0-9]{3}$/", "NOT loss", "error OR /^epoch/", "x AND NOT /7$/", ""};
  if (random() % 2) query.text = TextQuery::parse(kTyped[random() % std::size(kTyped)]).value();
  if (random() % 3 == 0) query.ranks = {Rank(static_cast<int>(random() % 5)), std::nullopt};
  if (random() % 4 == 0) query.minLevel = static_cast<LogLevel>(random() % 4);
  if (random() % 4 == 0) query.from = kBegin + std::chrono::seconds(random() % 4000);
  if (random() % 4 == 0) query.to = kBegin + std::chrono::seconds(random() % 4000);
  if (random() % 5 == 0) query.nodes = {"worker_1", "a.log"};
  return query;
}

/// Line by line, with what LogFilter has always said.
std::vector<std::uint64_t> bruteForce(const std::shared_ptr<const LogSnapshot>& snapshot,
                                      const LogQuery& query) {
  LogReader reader(snapshot);
  std::vector<std::uint64_t> found;
  std::optional<TextScan> scan;
  if (query.text) scan.emplace(*query.text);
  for (std::uint64_t i = 0; i < reader.size(); ++i) {
    const LogLineView line = reader.line(i);
    if (query.acceptsFacts(line) && (!scan || scan->matches(line.text))) found.push_back(i);
  }
  return found;
}

std::vector<std::uint64_t> listOf(const LineSet& set) {
  std::vector<std::uint64_t> list;
  for (std::uint64_t n = 0; n < set.size(); ++n) list.push_back(set.at(n));
  return list;
}

/// What is found in pieces, put together.
struct Together {
  std::shared_ptr<const LogSnapshot> snapshot;
  LineSet found, errors, warnings;
  std::uint64_t searched = 0;

  void add(const std::vector<SearchedLines>& lines) {
    for (const SearchedLines& piece : lines) {
      const auto [first, end] = piece.range;
      EXPECT_EQ(found.countIn(first, end), 0U) << "searched twice";
      found = found.replaced(first, end, piece.found);
      errors = errors.replaced(first, end, piece.errors);
      warnings = warnings.replaced(first, end, piece.warnings);
      searched += end - first;
    }
  }
  void expect(const std::vector<std::uint64_t>& truth) const {
    ASSERT_EQ(listOf(found), truth);
    LogReader reader(snapshot);
    for (const auto& [set, level] : {std::pair(&errors, LogLevel::Error), {&warnings, LogLevel::Warning}}) {
      std::vector<std::uint64_t> wanted;
      for (const std::uint64_t line : truth)
        if (reader.line(line).level == level) wanted.push_back(line);
      ASSERT_EQ(listOf(*set), wanted);
    }
  }
};

void expectRangesAgree(const std::shared_ptr<const LogSnapshot>& snapshot, const LogQuery& query,
                       std::vector<std::uint64_t> truth, std::mt19937& random) {
  const std::uint64_t size = snapshot->size();
  const std::vector<LineRange> ranges{{0, random() % 3}, {size / 3, size / 3}, {size / 2, size}};
  std::erase_if(truth, [&](std::uint64_t line) { return line >= ranges[0].end && line < size / 2; });
  Together sliced{snapshot, {}, {}, {}}, byMany{snapshot, {}, {}, {}};
  RangeSearch search(snapshot, query, ranges);
  while (!search.isDone()) sliced.add(search.advance(std::chrono::microseconds(random() % 300)));
  sliced.expect(truth);
  bool wasLast = false;
  searchRanges(snapshot, query, ranges, 3, {}, [&](const RangesFound& found) {
    byMany.add(found.lines);
    wasLast = found.isLast;
  });
  byMany.expect(truth);
  EXPECT_TRUE(wasLast);
  EXPECT_EQ(byMany.searched, ranges[0].end + size - size / 2);
}

void expectSearchesAgree(const std::shared_ptr<const LogSnapshot>& snapshot, std::mt19937& random) {
  for (int i = 0; i < 25; ++i) {
    const LogQuery query = drawnQuery(random);
    const auto truth = bruteForce(snapshot, query);
    LogSearch search(snapshot, query);
    while (!search.advance(std::chrono::microseconds(random() % 300))) {
      ASSERT_LE(search.found().isEmpty() ? 0 : search.found().at(search.found().size() - 1) + 1,
                search.searched());
    }
    ASSERT_EQ(listOf(search.found()), truth);
    ASSERT_EQ(listOf(searchAll(snapshot, query, 3, {})), truth);
    expectRangesAgree(snapshot, query, truth, random);
  }
}

TEST(LogSearch, FindsInATextFileWhatLineByLineFinds) {
  const TempDir dir;
  std::mt19937 random(4);
  std::ofstream out(dir.path() / "a.log", std::ios::binary);
  for (int i = 0; i < 8000; ++i) {
    if (random() % 5) out << toRfc3339(kBegin + std::chrono::seconds(i / 2)) << " ";
    if (random() % 2) out << "[rank " << (i / 3000) * 2 + static_cast<int>(random() % 2) << "] ";
    out << drawnText(random) << (random() % 7 ? "\n" : "\r\n");
  }
  out << "the last one without an end: loss";
  out.close();
  auto log = TextLog::open({dir.path() / "a.log"});
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->refresh({}));
  expectSearchesAgree(log->snapshot(), random);
  EXPECT_EQ(log->snapshot()->ranks().size(), 6U) << "a search has seen them";
}

TEST(LogSearch, FindsInKeptLinesWhatLineByLineFinds) {
  std::mt19937 random(6);
  KeptLog log;
  for (int batch = 0; batch < 30; ++batch) {
    std::vector<LogLine> lines;
    for (int i = 0; i < 200; ++i) {
      LogLine line;
      line.time = kBegin + std::chrono::seconds(batch * 100 + static_cast<int>(random() % 200));
      line.text = drawnText(random);
      line.level = levelOf(line.text);
      line.node = "worker_" + std::to_string(random() % 3);
      if (random() % 4) line.rank = Rank(static_cast<int>(random() % 5));
      lines.push_back(line);
    }
    log.add(lines);
  }
  expectSearchesAgree(log.snapshot(), random);
}

TEST(LogSearch, FindsInMergedFilesWhatLineByLineFinds) {
  const TempDir dir;
  std::mt19937 random(8);
  std::vector<std::filesystem::path> paths;
  for (int file = 0; file < 3; ++file) {
    paths.push_back(dir.path() / (std::string(1, static_cast<char>('a' + file)) + ".log"));
    std::ofstream out(paths.back(), std::ios::binary);
    for (int i = 0; i < 4000; ++i)
      out << toRfc3339(kBegin + std::chrono::seconds(i + static_cast<int>(random() % 3))) << " "
          << drawnText(random) << "\n";
  }
  auto log = TextLog::open(paths);
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->refresh({}));
  ASSERT_EQ(log->snapshot()->size(), 12'000U);
  expectSearchesAgree(log->snapshot(), random);
}

TEST(LogSearch, GoesOnWhereTheLogHasGrown) {
  std::mt19937 random(9);
  KeptLog log;
  LogQuery query;
  query.text = TextQuery::parse("loss").value();
  LogSearch search(log.snapshot(), query);
  for (int batch = 0; batch < 60; ++batch) {
    std::vector<LogLine> lines;
    for (int i = 0; i < 100; ++i) {
      LogLine line;
      line.time = kBegin + std::chrono::seconds(batch * 10 + static_cast<int>(random() % 15));
      line.text = drawnText(random);
      lines.push_back(line);
    }
    log.add(lines);
    const auto newer = log.snapshot();
    const std::uint64_t common = newer->commonStart(*search.snapshot());
    LineSet found = search.found();
    found.truncate(common);
    search = LogSearch(newer, query, common, std::move(found));
    ASSERT_TRUE(search.advance(std::chrono::seconds(100)));
    ASSERT_EQ(listOf(search.found()), bruteForce(newer, query));
  }
}

TEST(LogSearch, EndsWhenItIsStopped) {
  const TempDir dir;
  std::ofstream(dir.path() / "a") << std::string(1'000'000, '\n');
  auto log = TextLog::open({dir.path() / "a"});
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->refresh({}));
  std::stop_source stop;
  stop.request_stop();
  LogQuery query;
  query.text = TextQuery::parse("NOT x").value();
  LogSearch search(log->snapshot(), query);
  EXPECT_FALSE(search.advance(std::chrono::seconds(100), stop.get_token()));
  EXPECT_TRUE(searchAll(log->snapshot(), query, 2, stop.get_token()).isEmpty());
  std::uint64_t reported = 0;
  searchAll(log->snapshot(), query, 2, {}, [&](const LineSet& found, std::uint64_t searched) {
    EXPECT_EQ(found.size(), searched);
    reported = searched;
  });
  EXPECT_EQ(reported, 1'000'000U);
}

TEST(LogSearch, ALineOfManyMegabytesIsSearchedWhole) {
  const TempDir dir;
  std::ofstream(dir.path() / "a") << "first\n"
                                  << std::string(20'000'000, 'x') << "needle" << std::string(70'000, 'y')
                                  << "\nneedle\n";
  auto log = TextLog::open({dir.path() / "a"});
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->refresh({}));
  LogQuery query;
  query.text = TextQuery::parse("needle").value();
  EXPECT_EQ(listOf(searchAll(log->snapshot(), query, 1, {})), (std::vector<std::uint64_t>{1, 2}));
}

TEST(RangeSearch, TheNewestLinesComeFirst) {
  KeptLog log;
  std::vector<LogLine> lines(200'000);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].time = kBegin + std::chrono::milliseconds(i);
    lines[i].text = "x";
  }
  log.add(std::move(lines));
  RangeSearch search(log.snapshot(), {}, {{0, 200'000}});
  std::uint64_t before = 200'000;
  while (!search.isDone())
    for (const SearchedLines& piece : search.advance(std::chrono::hours(1))) {
      EXPECT_EQ(piece.range.end, before);
      before = piece.range.first;
    }
  EXPECT_EQ(before, 0U);
}

TEST(RangeSearch, AHardExpressionIsSaid) {
  KeptLog log;
  LogLine line;
  line.text = std::string(200, 'a') + "!";
  log.add({line, line});
  LogQuery query;
  query.text = TextQuery::parse("/(a+)+$/").value();
  RangeSearch search(log.snapshot(), query, {{0, 2}});
  (void)search.advance(std::chrono::hours(1));
  EXPECT_TRUE(search.tooHard());
  bool isSaid = false;
  searchRanges(log.snapshot(), query, {{0, 2}}, 2, {},
               [&](const RangesFound& found) { isSaid |= found.tooHard.has_value(); });
  EXPECT_TRUE(isSaid);
}

TEST(RangeSearch, OneThatIsStoppedReportsNothingMore) {
  KeptLog log;
  log.add(std::vector<LogLine>(300'000));
  std::stop_source stop;
  int reports = 0;
  stop.request_stop();
  searchRanges(log.snapshot(), {}, {{0, 300'000}}, 2, stop.get_token(),
               [&](const RangesFound&) { ++reports; });
  EXPECT_EQ(reports, 0);
}

}  // namespace
}  // namespace lockstep
