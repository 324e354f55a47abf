// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/merged_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "base/time_text.h"
#include "logs/store/log_reader.h"
#include "logs/store/text_log.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

struct Written {
  TimePoint time{};  // the latest of its file so far
  std::size_t file = 0;
  std::string text;
};

/// Writes lines to several files and knows in which order they belong.
class Writer {
 public:
  Writer(const std::filesystem::path& folder, std::size_t files) : latest_(files), lines_(files) {
    for (std::size_t i = 0; i < files; ++i) {
      paths_.push_back(folder / ("rank" + std::to_string(i) + ".log"));
      out_.emplace_back(paths_.back(), std::ios::app);
    }
  }
  [[nodiscard]] const std::vector<std::filesystem::path>& paths() const { return paths_; }
  void write(std::size_t file, std::optional<TimePoint> time) {
    const std::string text = (time ? toRfc3339(*time) + " " : std::string()) + "file " +
                             std::to_string(file) + " line " + std::to_string(lines_[file].size());
    if (time) latest_[file] = std::max(latest_[file], *time);
    lines_[file].push_back({latest_[file], file, text});
    out_[file] << text << "\n";
  }
  [[nodiscard]] std::vector<std::string> truth() {
    for (auto& out : out_) out.flush();
    std::vector<Written> all;
    for (const auto& lines : lines_) all.insert(all.end(), lines.begin(), lines.end());
    std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.time < b.time; });
    std::vector<std::string> texts;
    for (auto& line : all) texts.push_back(std::move(line.text));
    return texts;
  }

 private:
  std::vector<std::filesystem::path> paths_;
  std::vector<std::ofstream> out_;
  std::vector<TimePoint> latest_;
  std::vector<std::vector<Written>> lines_;
};

std::vector<std::string> mergedTexts(const LogSnapshot& snapshot) {
  LogReader reader(std::make_shared<LogSnapshot>(snapshot));
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < reader.size(); ++i) all.emplace_back(reader.line(i).text);
  return all;
}

TEST(MergedOrder, IsAStableMergeByTimeHoweverTheFilesGrow) {
  const TempDir dir;
  std::mt19937 random(17);
  for (int round = 0; round < 3; ++round) {
    std::filesystem::create_directory(dir.path() / std::to_string(round));
    Writer writer(dir.path() / std::to_string(round), 2 + static_cast<std::size_t>(round) * 2);
    auto log = TextLog::open(writer.paths());
    ASSERT_TRUE(log);
    TimePoint now = *parseRfc3339("2026-11-25T10:00:00Z");
    for (int step = 0; step < 5; ++step) {
      for (auto n = random() % 3000; n > 0; --n) {
        now += std::chrono::milliseconds(random() % 3);
        const auto late = std::chrono::milliseconds(random() % 40 == 0 ? random() % 2000 : 0);
        writer.write(random() % writer.paths().size(),
                     random() % 10 == 0 ? std::nullopt : std::optional(now - late));
      }
      const auto before = log->snapshot();
      const auto beforeTexts = mergedTexts(*before);
      const auto truth = writer.truth();
      ASSERT_TRUE(log->refresh({}));
      const auto texts = mergedTexts(*log->snapshot());
      ASSERT_EQ(texts, truth);
      const auto common = log->snapshot()->commonStart(*before);
      ASSERT_TRUE(std::equal(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(common),
                             beforeTexts.begin()));
      ASSERT_EQ(mergedTexts(*before), beforeTexts) << "a snapshot has changed";
    }
  }
}

TEST(MergedOrder, AFileThatLagsPutsItsLinesWhereTheyBelong) {
  const TempDir dir;
  Writer writer(dir.path(), 2);
  const TimePoint begin = *parseRfc3339("2026-11-25T10:00:00Z");
  for (int i = 0; i < 20'000; ++i) writer.write(0, begin + std::chrono::seconds(i));
  EXPECT_EQ(writer.truth().size(), 20'000U);
  auto log = TextLog::open(writer.paths());
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->refresh({}));
  const auto before = log->snapshot();
  writer.write(1, begin + std::chrono::seconds(15'000));
  const auto truth = writer.truth();
  ASSERT_TRUE(log->refresh({}));
  EXPECT_EQ(mergedTexts(*log->snapshot()), truth);
  const auto common = log->snapshot()->commonStart(*before);
  EXPECT_GE(common, 8192U);
  EXPECT_LE(common, 15'001U);
}

}  // namespace
}  // namespace lockstep
