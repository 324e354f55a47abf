// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/monitoring/mql.h"

#include <gtest/gtest.h>

#include <random>

#include "rehearsal/monitoring/aggregate.h"

namespace lockstep::rehearsal {
namespace {

constexpr long long kMinute = 60'000;

std::string problemOf(const std::string& text) {
  const auto query = parseMql(text);
  return query ? "" : query.error();
}

TEST(Mql, ReadsWhatTheDocumentsShow) {
  const auto query =
      parseMql(R"(GpuUtilization[5m]{resourceId = "ocid1.x", gpu =~ "0|1*"}.groupBy(gpu).max())");
  ASSERT_TRUE(query) << query.error();
  EXPECT_EQ(query->metric, "GpuUtilization");
  EXPECT_EQ(query->intervalMillis, 5 * kMinute);
  ASSERT_EQ(query->filters.size(), 2U);
  EXPECT_EQ(query->filters[0].value, "ocid1.x");
  EXPECT_TRUE(query->filters[1].isFuzzy);
  ASSERT_EQ(query->steps.size(), 1U);
  EXPECT_EQ(query->steps[0].groupBy, std::vector<std::string>{"gpu"});
  EXPECT_EQ(query->steps[0].statistic, Statistic::Max);
}

TEST(Mql, AcceptsAndRefuses) {
  for (const char* good :
       {"a[1m].mean()", "gpu.memory_usage[60m]{}.sum()", "a[24h].percentile(0.95)", "a[1d].grouping().p99()",
        " a [ 1m ] { b = \"c\" , \"d e\" != \"f\" } . groupBy ( b , c ) . mean ( ) ", "a[1m].mean() > 75",
        "a[1m].absent(20m)", "a[1m].groupBy(b).mean().grouping().max()", "a[1m].rate() in (1, 2.5)",
        "a[1m].sum() not in (-1, 1e3)", "a[1m]{b = \"q\\\"uote}\"}.count()", "a[1m].first()", "a[1m].last()",
        "a[1m].increment()", "a[1m].avg()", "a[1m]{b=\"\"}.min() == 0"})
    EXPECT_EQ(problemOf(good), "") << good;
  for (const char* bad : {"",
                          "a",
                          "a[1m]",
                          "a.mean()",
                          "a[0m].mean()",
                          "a[61m].mean()",
                          "a[25h].mean()",
                          "a[2d].mean()",
                          "a[1s].mean()",
                          "a[m].mean()",
                          "a[1m].median()",
                          "a[1m].mean",
                          "a[1m].mean(",
                          "a[1m].mean() x",
                          "a[1m]{b}.mean()",
                          "a[1m]{b=c}.mean()",
                          "a[1m]{b=\"c}.mean()",
                          "a[1m]{=\"c\"}.mean()",
                          "a[1m]{\"\"=\"c\"}.mean()",
                          "a[1m].groupBy(\"\").mean()",
                          "a[1m]{b=\"c\",}.mean()",
                          "a[1m].percentile()",
                          "a[1m].percentile(0)",
                          "a[1m].percentile(1.5)",
                          "a[1m].percentile(nan)",
                          "a[1m].groupBy().mean()",
                          "a[1m].groupBy(b)",
                          "a[1m].grouping()",
                          "a[1m].mean() >",
                          "a[1m].mean() > inf",
                          "a[1m].mean() in 5",
                          "a[1m].mean() && b[1m].mean()",
                          "[1m].mean()",
                          "a[1m].absent(5)",
                          "a[1m]mean()"})
    EXPECT_FALSE(parseMql(bad)) << bad;
  EXPECT_FALSE(parseMql("a[1m]{b=\"" + std::string(9000, 'x') + "\"}.mean()"));
  std::string steps = "a[1m]";
  for (int i = 0; i < 20; ++i) steps += ".mean()";
  EXPECT_FALSE(parseMql(steps));
}

TEST(Mql, FuzzyPatterns) {
  EXPECT_TRUE(matchesFuzzy("a*|b*", "beta"));
  EXPECT_TRUE(matchesFuzzy("*x*", "axb"));
  EXPECT_TRUE(matchesFuzzy("*", ""));
  EXPECT_FALSE(matchesFuzzy("a|b", "ab"));
  EXPECT_FALSE(matchesFuzzy("", "a"));
  EXPECT_FALSE(matchesFuzzy(std::string(200, '*') + "b", std::string(8000, 'a')));  // and soon
}

// Whatever the text: an answer, in time, without going beside it; what is accepted has what a query must
// have.
TEST(Mql, HostileTexts) {
  std::mt19937 random(7);
  const std::string alphabet = "abm1d0.[]{}()=~!<>\"'\\,| \n\t\x80\xff-&*";
  const std::string seed = R"(Cpu[5m]{a = "b", c =~ "d*|e"}.groupBy(a, c).percentile(0.95) > 1)";
  int accepted = 0;
  for (int i = 0; i < 30'000; ++i) {
    std::string text = i % 2 == 0 ? seed : std::string();
    const std::size_t changes = 1 + random() % 6;
    for (std::size_t n = 0; n < (i % 2 == 0 ? changes : random() % 60); ++n) {
      const char c = alphabet[random() % alphabet.size()];
      const std::size_t at = text.empty() ? 0 : random() % text.size();
      if (text.empty() || random() % 3 == 0) {
        text.insert(at, 1, c);
      } else if (random() % 2 == 0) {
        text[at] = c;
      } else {
        text.erase(at, 1 + random() % 4);
      }
    }
    const auto query = parseMql(text);
    if (!query) {
      EXPECT_FALSE(query.error().empty());
      continue;
    }
    ++accepted;
    EXPECT_FALSE(query->metric.empty()) << text;
    EXPECT_FALSE(query->steps.empty()) << text;
    EXPECT_GE(query->intervalMillis, kMinute) << text;
  }
  EXPECT_GT(accepted, 10);
}

std::vector<double> valuesOf(const std::string& text, const std::vector<MetricSeries>& series,
                             Windows windows = {0, 3 * kMinute, kMinute, kMinute}) {
  const auto query = parseMql(text);
  EXPECT_TRUE(query) << text;
  std::vector<double> values;
  if (!query) return values;
  for (const MetricSeries& one : aggregate(series, *query, windows))
    for (const MetricSample& sample : one.samples) values.push_back(sample.value);
  return values;
}

TEST(Mql, Statistics) {
  // Two samples in the first minute, none in the second, one that counts three times in the third.
  const std::vector<MetricSeries> one{{{{"r", "a"}}, {{1000, 10, 1}, {31'000, 40, 1}, {121'000, 100, 3}}}};
  using Values = std::vector<double>;
  EXPECT_EQ(valuesOf("m[1m].mean()", one), (Values{25, 100}));
  EXPECT_EQ(valuesOf("m[1m].sum()", one), (Values{50, 300}));
  EXPECT_EQ(valuesOf("m[1m].count()", one), (Values{2, 3}));
  EXPECT_EQ(valuesOf("m[1m].min()", one), (Values{10, 100}));
  EXPECT_EQ(valuesOf("m[1m].max()", one), (Values{40, 100}));
  EXPECT_EQ(valuesOf("m[1m].first()", one), (Values{10, 100}));
  EXPECT_EQ(valuesOf("m[1m].last()", one), (Values{40, 100}));
  EXPECT_EQ(valuesOf("m[1m].absent()", one), (Values{0, 1, 0}));
  EXPECT_EQ(valuesOf("m[1m].absent(2m)", one), (Values{0, 0, 0}));
  EXPECT_EQ(valuesOf("m[1m].increment()", one), (Values{30, 60}));
  EXPECT_EQ(valuesOf("m[1m].rate()", one), (Values{1, 60.0 / 90}));
  EXPECT_EQ(valuesOf("m[1m].percentile(0.5)", one), (Values{10, 100}));
  EXPECT_EQ(valuesOf("m[1m].p90()", one), (Values{40, 100}));
  EXPECT_EQ(valuesOf("m[1m].mean() > 30", one), (Values{100}));
  // Windows of two minutes, one every minute.
  EXPECT_EQ(valuesOf("m[2m].count()", one, {0, 3 * kMinute, 2 * kMinute, kMinute}), (Values{2, 3, 3}));
}

TEST(Mql, Groups) {
  const std::vector<MetricSeries> three{{{{"run", "a"}, {"gpu", "0"}}, {{1000, 1, 1}}},
                                        {{{"run", "a"}, {"gpu", "1"}}, {{2000, 3, 1}}},
                                        {{{"run", "b"}}, {{3000, 8, 1}}}};
  using Values = std::vector<double>;
  EXPECT_EQ(valuesOf("m[1m].mean()", three), (Values{1, 3, 8}));
  EXPECT_EQ(valuesOf("m[1m].grouping().mean()", three), (Values{4}));
  EXPECT_EQ(valuesOf("m[1m].groupBy(run).mean()", three), (Values{2, 8}));
  EXPECT_EQ(valuesOf("m[1m].groupBy(gpu).mean()", three), (Values{1, 3}));  // b has no gpu
  EXPECT_EQ(valuesOf("m[1m].groupBy(run).sum().grouping().max()", three), (Values{8}));
  const auto query = parseMql("m[1m].groupBy(run).mean()");
  EXPECT_EQ(aggregate(three, *query, {0, kMinute, kMinute, kMinute})[0].dimensions,
            (std::map<std::string, std::string>{{"run", "a"}}));
}

}  // namespace
}  // namespace lockstep::rehearsal
