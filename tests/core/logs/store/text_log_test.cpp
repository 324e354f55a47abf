// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/text_log.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <random>
#include <thread>

#include "base/time_text.h"
#include "logs/store/log_reader.h"
#include "temp_dir.h"

namespace lockstep {
namespace {
namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes, bool append = false) {
  std::ofstream(path, append ? std::ios::app | std::ios::binary : std::ios::binary) << bytes;
}

std::vector<std::string> linesOf(std::string_view bytes) {
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
  }
  return lines;
}

std::vector<std::string> texts(const std::shared_ptr<const LogSnapshot>& snapshot) {
  LogReader reader(snapshot);
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < reader.size(); ++i) all.push_back(reader.wholeText(i));
  return all;
}

TextLog opened(const fs::path& path) {
  auto log = TextLog::open({path});
  EXPECT_TRUE(log) << describe(log.error());
  EXPECT_TRUE(log->refresh({}));
  return *std::move(log);
}

TEST(TextLog, AnyBytesAreLines) {
  const TempDir dir;
  const std::string bytes[] = {"",
                               "\n",
                               "\n\n\n",
                               "a",
                               "a\n",
                               "a\nb",
                               "a\r\nb\r\n",
                               std::string("nul\0l\nb\0\n", 9),
                               "\xff\xfe\n\xc3",
                               std::string(200'000, 'x') + "\nshort\n" + std::string(70'000, 'y'),
                               std::string(65'535, 'x') + "\n" + std::string(65'535, 'y') + "\nz",
                               std::string(65'536, 'x') + "\n" + std::string(65'535, '\n') + "z"};
  for (const auto& content : bytes) {
    write(dir.path() / "a.log", content);
    const TextLog log = opened(dir.path() / "a.log");
    EXPECT_EQ(texts(log.snapshot()), linesOf(content)) << content.substr(0, 30) << " " << content.size();
  }
}

TEST(TextLog, DrawnFilesHaveTheirLinesHoweverTheyGrow) {
  const TempDir dir;
  std::mt19937 random(3);
  for (int round = 0; round < 25; ++round) {
    const fs::path path = dir.path() / ("f" + std::to_string(round));
    std::string content;
    write(path, "");
    TextLog log = opened(path);
    for (int part = 0; part < 8; ++part) {
      std::string more;
      for (auto n = random() % 400; n > 0; --n) {
        const auto length = random() % 50 == 0 ? random() % 90'000 : random() % 300;
        more += std::string(length, static_cast<char>('a' + random() % 26));
        if (random() % 20 != 0) more += random() % 10 == 0 ? "\r\n" : "\n";
      }
      content += more;
      const auto before = log.snapshot();
      const auto beforeTexts = texts(before);
      write(path, more, true);
      const auto change = log.refresh({}, static_cast<int>(1 + random() % 3));
      ASSERT_TRUE(change);
      EXPECT_EQ(*change, more.empty() ? TextLog::Change::None : TextLog::Change::Grown);
      const auto now = texts(log.snapshot());
      ASSERT_EQ(now, linesOf(content));
      EXPECT_EQ(texts(before), beforeTexts) << "a snapshot has changed";
      const auto common = log.snapshot()->commonStart(*before);
      ASSERT_TRUE(
          std::equal(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(common), beforeTexts.begin()));
      EXPECT_GE(common + 1, beforeTexts.size());
    }
  }
}

TEST(TextLog, LinesCanBeReadInAnyOrder) {
  const TempDir dir;
  std::string content;
  for (int i = 0; i < 50'000; ++i) content += "line " + std::to_string(i) + "\n";
  write(dir.path() / "a", content);
  const TextLog log = opened(dir.path() / "a");
  LogReader reader(log.snapshot());
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto n = random() % 50'000;
    EXPECT_EQ(reader.line(n).text, "line " + std::to_string(n));
    EXPECT_EQ(log.snapshot()->indexOf(log.snapshot()->idOf(n), random() % 50'000), n);
  }
  EXPECT_EQ(reader.line(7).node, "a");
  EXPECT_LT(log.memory(), content.size() / 4);
}

TEST(TextLog, AHugeLineIsCutForViewAndNotLost) {
  const TempDir dir;
  const std::string huge(5'000'000, 'h');
  write(dir.path() / "a", "before\n" + huge + "end\nafter\n");
  const TextLog log = opened(dir.path() / "a");
  LogReader reader(log.snapshot());
  ASSERT_EQ(reader.size(), 3U);
  EXPECT_EQ(reader.line(1).text.size(), LogReader::kMaxShown);
  EXPECT_TRUE(reader.isCut());
  EXPECT_EQ(reader.wholeText(1), huge + "end");
  EXPECT_EQ(reader.line(2).text, "after");
  EXPECT_FALSE(reader.isCut());
  EXPECT_EQ(reader.line(0).text, "before");
}

TEST(TextLog, TimesAreThoseOfTheLineBeforeWhereALineSaysNone) {
  const TempDir dir;
  std::string content = "no time yet\n2026-11-25 10:00:00 first\n  at x\n";
  for (int i = 0; i < 9000; ++i) content += "  a frame of a stack\n";
  content += "2026-11-25 11:00:00 second\n";
  write(dir.path() / "a", content);
  const TextLog log = opened(dir.path() / "a");
  LogReader reader(log.snapshot());
  const TimePoint first = *parseRfc3339("2026-11-25T10:00:00Z"),
                  second = *parseRfc3339("2026-11-25T11:00:00Z");
  EXPECT_EQ(reader.line(0).time, TimePoint());
  EXPECT_EQ(reader.line(1).time, first);
  EXPECT_EQ(reader.line(2).time, first);
  EXPECT_EQ(reader.line(8999).time, first) << "some blocks further";
  EXPECT_EQ(reader.line(9003).time, second);
  EXPECT_EQ(reader.lowerBound(first), 1U);
  EXPECT_EQ(reader.lowerBound(second), 9003U);
  EXPECT_EQ(reader.lowerBound(second + std::chrono::seconds(1)), reader.size());
}

TEST(TextLog, ACutOrWrittenOverOrRotatedFileIsReadAnew) {
  const TempDir dir;
  const fs::path path = dir.path() / "a";
  write(path, "one\ntwo\nthree\n");
  TextLog log = opened(path);
  const auto old = log.snapshot();
  write(path, "new\n");
  EXPECT_EQ(*log.refresh({}), TextLog::Change::Replaced);
  EXPECT_EQ(texts(log.snapshot()), (std::vector<std::string>{"new"}));
  EXPECT_EQ(old->size(), 3U);
  LogReader reader(old);
  EXPECT_EQ(reader.line(2).text, "") << "what is gone reads as empty";
  write(path, "as long but other bytes\n");
  EXPECT_EQ(*log.refresh({}), TextLog::Change::Replaced);
  EXPECT_EQ(texts(log.snapshot()), (std::vector<std::string>{"as long but other bytes"}));
  fs::rename(path, dir.path() / "a.1");
  EXPECT_EQ(*log.refresh({}), TextLog::Change::None) << "between the two steps of a rotation";
  EXPECT_EQ(log.snapshot()->size(), 1U);
  write(path, "rotated\n");
  EXPECT_EQ(*log.refresh({}), TextLog::Change::Replaced);
  EXPECT_EQ(texts(log.snapshot()), (std::vector<std::string>{"rotated"}));
}

TEST(TextLog, WhatIsNoFileIsRefusedByName) {
  const TempDir dir;
  for (const fs::path& path : {dir.path() / "none", dir.path(), fs::path("/dev/null")}) {
    const auto log = TextLog::open({path});
    ASSERT_FALSE(log) << path;
    EXPECT_NE(log.error().what.find(path.string()), std::string::npos);
    EXPECT_FALSE(log.error().cause.empty());
  }
  EXPECT_FALSE(TextLog::open({}));
}

TEST(TextLog, AStoppedReadingGoesOn) {
  const TempDir dir;
  write(dir.path() / "a", "a\nb\n");
  auto log = TextLog::open({dir.path() / "a"});
  ASSERT_TRUE(log);
  std::stop_source stopped;
  stopped.request_stop();
  ASSERT_TRUE(log->refresh(stopped.get_token()));
  EXPECT_EQ(log->snapshot()->size(), 0U);
  ASSERT_TRUE(log->refresh({}));
  EXPECT_EQ(log->snapshot()->size(), 2U);
}

TEST(TextLog, OthersReadWhileItGrows) {
  const TempDir dir;
  const fs::path path = dir.path() / "a";
  write(path, "0\n");
  TextLog log = opened(path);
  std::shared_ptr<const LogSnapshot> shared = log.snapshot();
  std::mutex mutex;
  std::atomic<bool> isWrong = false;
  std::jthread other([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::shared_ptr<const LogSnapshot> mine;
      {
        const std::lock_guard lock(mutex);
        mine = shared;
      }
      LogReader reader(mine);
      for (std::uint64_t i = 0; i < reader.size(); i += 1 + reader.size() / 7)
        if (reader.line(i).text != std::to_string(i)) isWrong = true;
    }
  });
  std::uint64_t next = 1;
  for (int round = 0; round < 200; ++round) {
    std::string more;
    for (int i = 0; i < 500; ++i) more += std::to_string(next++) + "\n";
    write(path, more, true);
    ASSERT_TRUE(log.refresh({}));
    const std::lock_guard lock(mutex);
    shared = log.snapshot();
  }
  EXPECT_FALSE(isWrong);
}

}  // namespace
}  // namespace lockstep
