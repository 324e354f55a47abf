// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/log_book.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace lockstep {
namespace {

LogLine line(int second, std::string text, std::optional<Rank> rank = Rank(0), std::string node = "main") {
  LogLine l;
  l.time = TimePoint(std::chrono::seconds(second));
  l.text = std::move(text);
  l.rank = rank;
  l.node = std::move(node);
  return l;
}

std::vector<std::string> texts(const LogBook& book) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < book.size(); ++i) all.emplace_back(book.line(i).text);
  return all;
}

using Texts = std::vector<std::string>;
using Places = std::vector<std::size_t>;

TEST(LogBook, LateLinesFindTheirPlace) {
  LogBook book;
  EXPECT_EQ(book.add({line(1, "a"), line(3, "c")}), (Places{0, 1}));
  EXPECT_EQ(book.add({line(5, "e"), line(2, "b")}), (Places{1, 3}));
  EXPECT_EQ(book.add({line(0, "first"), line(9, "last")}), (Places{0, 5}));
  EXPECT_EQ(texts(book), (Texts{"first", "a", "b", "c", "e", "last"}));
  EXPECT_TRUE(book.add({}).empty());
}

TEST(LogBook, LinesOfOneTimeKeepTheOrderInWhichTheyCame) {
  LogBook book;
  book.add({line(1, "a"), line(1, "b")});
  EXPECT_EQ(book.add({line(1, "c"), line(1, "d")}), (Places{2, 3}));
  EXPECT_EQ(texts(book), (Texts{"a", "b", "c", "d"}));
}

TEST(LogBook, RandomArrivalEqualsAStableSort) {
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    LogBook book;
    std::vector<LogLine> all;
    for (int batch = 0; batch < 20; ++batch) {
      std::vector<LogLine> lines;
      for (auto n = random() % 10; n > 0; --n)
        lines.push_back(
            line(static_cast<int>(random() % 40), std::to_string(batch) + "/" + std::to_string(n)));
      const auto places = book.add(lines);
      ASSERT_EQ(places.size(), lines.size());
      ASSERT_TRUE(std::is_sorted(places.begin(), places.end()));
      all.insert(all.end(), lines.begin(), lines.end());
      std::stable_sort(lines.begin(), lines.end(), [](auto& a, auto& b) { return a.time < b.time; });
      for (std::size_t i = 0; i < places.size(); ++i) ASSERT_EQ(book.line(places[i]).text, lines[i].text);
    }
    std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.time < b.time; });
    ASSERT_EQ(book.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(book.line(i).text, all[i].text);
  }
}

TEST(LogBook, KeepsWhatALineIs) {
  LogBook book;
  auto odd = line(1, std::string(700'000, 'x'), std::nullopt, "worker_0");
  odd.level = LogLevel::Error;
  book.add({line(0, ""), odd, line(2, "z", Rank(7))});
  EXPECT_EQ(book.line(0).text, "");
  EXPECT_EQ(book.line(1).text.size(), 700'000U);
  EXPECT_EQ(book.line(1).level, LogLevel::Error);
  EXPECT_FALSE(book.line(1).rank);
  EXPECT_EQ(book.line(2).rank, Rank(7));
  EXPECT_EQ(book.nodes(), (Texts{"main", "worker_0"}));
  EXPECT_EQ(book.ranks(), (std::vector<Rank>{Rank(0), Rank(7)}));
  book.clear();
  EXPECT_EQ(book.size(), 0U);
  EXPECT_TRUE(book.nodes().empty());
}

TEST(LogBook, KeepsTheNewestWithinItsLimits) {
  LogBook book(LogBook::Limits{100, 1'000'000});
  for (int i = 0; i < 1000; ++i) {
    book.add({line(i, "n" + std::to_string(i)), line(i % 7, "late " + std::to_string(i))});
    book.dropOldest(book.surplus());
    ASSERT_LE(book.size(), 100U);
  }
  EXPECT_EQ(book.size() + book.dropped(), 2000U);
  ASSERT_GE(book.size(), 90U);
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_EQ(book.line(book.size() - 1 - i).text, "n" + std::to_string(999 - i));
  book.clear();
  EXPECT_EQ(book.dropped(), 0U);
  EXPECT_EQ(book.surplus(), 0U);
}

TEST(LogBook, KeepsNoMoreTextThanItsLimit) {
  LogBook book(LogBook::Limits{1'000'000, 1 << 20});
  std::size_t bytes = 0;
  for (int i = 0; i < 300; ++i) {
    book.add({line(i, std::string(50'000, static_cast<char>('a' + i % 26)))});
    book.dropOldest(book.surplus());
    bytes = book.size() * 50'000;
    ASSERT_LE(bytes, std::size_t{1} << 20);
  }
  EXPECT_GT(bytes, 800'000U);
  for (std::size_t i = 0; i < book.size(); ++i)
    EXPECT_EQ(book.line(book.size() - 1 - i).text,
              std::string(50'000, static_cast<char>('a' + (299 - i) % 26)));
  book.add({line(1000, std::string(3 << 20, 'x'))});
  book.dropOldest(book.surplus());
  EXPECT_EQ(book.size(), 0U) << "a line of its own that is larger than all may be";
}

TEST(LogBook, FindsWhatAFilterAccepts) {
  LogBook book;
  for (int i = 0; i < 10; ++i) book.add({line(i, "n" + std::to_string(i), Rank(i % 3))});
  LogFilter filter;
  filter.ranks = {Rank(1)};
  EXPECT_EQ(book.matching(filter), (std::vector<std::uint32_t>{1, 4, 7}));
  EXPECT_EQ(book.matching(filter, 5), (std::vector<std::uint32_t>{7}));
}

}  // namespace
}  // namespace lockstep
