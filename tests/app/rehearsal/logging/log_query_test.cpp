// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_query.h"

#include <gtest/gtest.h>

#include "rehearsal/support/wildcard.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

SearchedRecord record(const std::string& source, const std::string& message, long long time = 1000) {
  SearchedRecord r;
  r.time = time;
  r.id = "id-1";
  r.source = source;
  r.subject = "stdout";
  r.content = {
      {"source", source}, {"subject", "stdout"}, {"data", {{"message", message}, {"rank", 2}, {"ok", true}}}};
  return r;
}

LogRow row(const SearchedRecord& r) {
  return {std::make_shared<const SearchedRecord>(r)};
}

/// What comes out of `search "c" | <operators>`, as the service would show it.
json run(const std::string& operators, const std::vector<SearchedRecord>& records) {
  const auto query = parseLogQuery("search \"c\" | " + operators);
  EXPECT_TRUE(query.has_value()) << operators << ": " << (query ? "" : query.error());
  if (!query) return json();
  LogPipeline pipeline(*query);
  for (const auto& r : records) pipeline.take(row(r));
  pipeline.finish();
  json list = json::array();
  for (const LogRow& r : pipeline.rows()) list.push_back(shownRow(r));
  return list;
}

bool accepts(const std::string& condition, const SearchedRecord& r) {
  return run("where " + condition, {r}).size() == 1;
}

SearchedRecord step(long long time, int rank, double loss, const std::string& text = "step") {
  SearchedRecord r = record("run", text, time);
  r.content["data"]["rank"] = rank;
  r.content["data"]["loss"] = loss;
  return r;
}

const std::vector<SearchedRecord> kSteps{step(60'000, 0, 4), step(61'000, 1, 2), step(120'000, 0, 3),
                                         step(125'000, 1, 1)};

TEST(LogQuery, ReadsTheQueryOfAds) {
  const auto query =
      parseLogQuery(R"(SEARCH "comp/group/log" | WHERE source = '*ocid1.run' | SORT BY datetime DESC)");
  ASSERT_TRUE(query.has_value()) << query.error();
  ASSERT_EQ(query->streams.size(), 1u);
  EXPECT_EQ(query->streams[0].compartment, "comp");
  EXPECT_EQ(query->streams[0].group, "group");
  EXPECT_EQ(query->streams[0].log, "log");
  EXPECT_TRUE(query->descending);
  EXPECT_TRUE(query->isRowWise);
  EXPECT_EQ(query->stages.size(), 1u);
}

TEST(LogQuery, JoinsConditions) {
  const SearchedRecord r = record("ocid1.a", "loss 0.5");
  EXPECT_TRUE(accepts("source = '*ocid1.b' or source = '*ocid1.a'", r));
  EXPECT_FALSE(accepts("source = '*ocid1.b' or source = '*ocid1.c'", r));
  EXPECT_TRUE(accepts("source = '*ocid1.a' and data.message = 'loss*'", r));
  EXPECT_FALSE(accepts("source = '*ocid1.a' and data.message = 'gain*'", r));
  EXPECT_TRUE(accepts("not (data.message = 'gain*')", r));
  EXPECT_TRUE(accepts("not not data.ok", r));
  EXPECT_TRUE(accepts("source = '*b' and subject = 'x' or data.rank = 2", r));
  EXPECT_TRUE(accepts("data.rank >= 2 and data.rank < 3 and datetime = 1000 and data.ok", r));
  EXPECT_TRUE(accepts("logContent = '*loss*'", r));
  EXPECT_TRUE(accepts("data.absent = null", r));
  EXPECT_TRUE(accepts("\"data\".\"message\" != 'x'", r));
  EXPECT_FALSE(accepts("\"data.message\" = 'loss 0.5'", r)) << "one name, not a path";
  EXPECT_TRUE(accepts("[1, data.rank] = [1, 2]", r));
  EXPECT_TRUE(accepts("datetime < 3h and datetime = 1s", r));
}

TEST(LogQuery, AWholeOcidNeverEqualsASource) {
  EXPECT_FALSE(accepts("source = 'ocid1.a'", record("ocid1.a", "x")));
  EXPECT_TRUE(accepts("source = '*ocid1.a'", record("ocid1.a", "x")));
}

TEST(LogQuery, WhereMayBeLeftOutAndCommentsGo) {
  const auto query =
      parseLogQuery("search \"c\", \"d/e\" /* two */ | subject = 'stdout' -- the rest\n | sort by datetime");
  ASSERT_TRUE(query.has_value()) << query.error();
  EXPECT_EQ(query->streams.size(), 2u);
  EXPECT_FALSE(query->descending);
}

TEST(LogQuery, Functions) {
  const SearchedRecord r = record("s", "Größe 7: Fehler", 1767225600123);
  EXPECT_TRUE(accepts("contains_ci(data.message, 'nothing', 'FEHLER')", r));
  EXPECT_FALSE(accepts("contains_cs(data.message, 'FEHLER')", r));
  EXPECT_TRUE(accepts("contains_cs(data.message, 'Fehler')", r));
  EXPECT_TRUE(accepts("substr(data.message, 0, 5) = 'Größe'", r)) << "characters, not bytes";
  EXPECT_TRUE(accepts("substr(data.message, 9) = 'Fehler'", r));
  EXPECT_TRUE(accepts("substr(data.message, 500, 3) = ''", r));
  EXPECT_TRUE(accepts("concat(subject, '-', data.rank) = 'stdout-2'", r));
  EXPECT_TRUE(accepts("upper(subject) = 'STDOUT' and lower('ABC') = 'abc'", r));
  EXPECT_TRUE(accepts("isnull(data.absent) and isnotnull(data.message)", r));
  EXPECT_TRUE(accepts("rounddown(datetime, '1h') = 1767225600000", r));
  EXPECT_TRUE(accepts("time_format(datetime, 'yyyy-MM-dd HH:mm') = '2026-01-01 00:00'", r));
  EXPECT_TRUE(accepts("time_format(datetime, '%d.%m.') = '01.01.'", r));
}

TEST(LogQuery, SelectsAndExtends) {
  const json rows =
      run("extend data.rank as who | select datetime, who, upper(subject) as stream, data.message",
          {record("s", "hello")});
  EXPECT_EQ(rows,
            json::parse(R"([{"datetime": 1000, "who": 2, "stream": "STDOUT", "data.message": "hello"}])"));
  const json extended = run("extend data.rank as who", {record("s", "hello")});
  EXPECT_EQ(extended[0]["who"], 2);
  EXPECT_EQ(extended[0]["logContent"]["data"]["message"], "hello");
  EXPECT_EQ(run("select *", {record("s", "hello")})[0]["logContent"]["data"]["message"], "hello");
  EXPECT_EQ(run("select logContent", {record("s", "hello")})[0]["logContent"]["source"], "s");
}

TEST(LogQuery, CountsSumsAndGroups) {
  EXPECT_EQ(run("count", kSteps), json::parse(R"([{"count": 4}])"));
  EXPECT_EQ(run("where data.rank = 7 | count", kSteps), json::parse(R"([{"count": 0}])"));
  EXPECT_EQ(run("summarize count() by rounddown(datetime,'1m') as interval", kSteps),
            json::parse(R"([{"interval": 60000, "count": 2}, {"interval": 120000, "count": 2}])"));
  const json byRank = run(
      "summarize sum(data.loss) as total, avg(data.loss) as mean, min(data.loss) as low, max(data.loss) as "
      "high, first(data.loss) as begin, last(data.loss) as end, count(data.absent) as none by data.rank as "
      "rank "
      "| sort by rank desc",
      kSteps);
  ASSERT_EQ(byRank.size(), 2u);
  const json expected{{"rank", 1},   {"total", 3.0}, {"mean", 1.5}, {"low", 1.0},
                      {"high", 2.0}, {"begin", 2.0}, {"end", 1.0},  {"none", 0}};
  EXPECT_EQ(byRank[0], expected);
  const json nothing = json::array({{{"max(data.loss)", nullptr}}});
  EXPECT_EQ(run("summarize max(data.loss)", {}), nothing);
}

TEST(LogQuery, SortsTakesTheTopAndDropsDoubles) {
  const auto losses = [](const json& rows) {
    std::vector<double> list;
    for (const auto& r : rows) list.push_back(r["logContent"]["data"]["loss"]);
    return list;
  };
  EXPECT_EQ(losses(run("sort by data.loss", kSteps)), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(losses(run("sort by data.rank desc, data.loss asc", kSteps)), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(losses(run("top 2 by data.loss", kSteps)), (std::vector<double>{4, 3}));
  EXPECT_EQ(losses(run("dedup data.rank", kSteps)), (std::vector<double>{4, 2}));
  EXPECT_EQ(losses(run("sort by datetime | dedup data.rank, data.loss | top 1 by datetime", kSteps)),
            (std::vector<double>{1}));
}

TEST(LogQuery, SaysWhatIsWrong) {
  for (const char* text : {"",
                           "find \"c\"",
                           "search c",
                           "search \"c",
                           "search \"c\" | where",
                           "search \"c\" | where a =",
                           "search \"c\" | where (a = 1",
                           "search \"c\" | where a = 'x",
                           "search \"c\" | sort datetime",
                           "search \"c\" where a = 1",
                           "search \"c\" | where a = 1 ;",
                           "search \"c\" | count x",
                           "search \"c\" | where contains_ci(a)",
                           "search \"c\" | where nothing(a)",
                           "search \"c\" | top by a",
                           "search \"c\" | top 0 by a",
                           "search \"c\" | top 99999999999 by a",
                           "search \"c\" | summarize median(a)",
                           "search \"c\" | summarize sum() by a",
                           "search \"c\" | select a as",
                           "search \"c\" | where a = 1.2.3"}) {
    const auto query = parseLogQuery(text);
    EXPECT_FALSE(query.has_value()) << text;
    EXPECT_FALSE(!query && query.error().empty());
  }
}

TEST(LogQuery, HostileQueriesAreRefusedOrHarmless) {
  const auto repeat = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  const std::string start = "search \"c\" | where ";
  EXPECT_FALSE(parseLogQuery(start + repeat("(", 50'000)).has_value());
  EXPECT_FALSE(parseLogQuery(start + "a = " + repeat("[", 50'000)).has_value());
  EXPECT_FALSE(parseLogQuery(start + repeat("lower(", 10'000)).has_value());
  EXPECT_FALSE(parseLogQuery(start + repeat("a and ", 50'000)).has_value());
  EXPECT_FALSE(parseLogQuery("search \"c\"" + repeat(" | count", 200)).has_value());
  EXPECT_FALSE(parseLogQuery("search \"c\" | select " + repeat("a,", 500) + "a").has_value());
  EXPECT_TRUE(accepts(repeat("data.ok and ", 4000) + "data.ok", record("s", "x")));
  EXPECT_TRUE(accepts(repeat("not ", 10'000) + "data.ok", record("s", "x")));
  EXPECT_FALSE(parseLogQuery(std::string("search \"c\" | where a = \0 1", 26)).has_value());
  EXPECT_FALSE(accepts("data.message = '" + repeat("*a", 500) + "b'", record("s", repeat("a", 2000))));
}

TEST(LogQuery, SaysThatItHoldsTooMuch) {
  const auto query = parseLogQuery("search \"c\" | sort by data.message");
  ASSERT_TRUE(query.has_value());
  LogPipeline pipeline(*query);
  const LogRow one = row(record("s", "m"));
  for (std::size_t i = 0; i < LogPipeline::kMaxHeldRows; ++i) pipeline.take(one);
  EXPECT_FALSE(pipeline.isTooLarge());
  pipeline.take(one);
  EXPECT_TRUE(pipeline.isTooLarge());
}

TEST(LogQuery, Wildcards) {
  EXPECT_TRUE(matchesWildcard("*", ""));
  EXPECT_TRUE(matchesWildcard("a*b*c", "aXXbYYc"));
  EXPECT_TRUE(matchesWildcard("*ab", "aab"));
  EXPECT_FALSE(matchesWildcard("a*b", "abc"));
  EXPECT_FALSE(matchesWildcard("", "a"));
  EXPECT_TRUE(matchesWildcard("a**", "a"));
}

}  // namespace
}  // namespace lockstep::rehearsal
