// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_query.h"

#include <gtest/gtest.h>

namespace lockstep::rehearsal {
namespace {

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

bool accepts(const std::string& condition, const SearchedRecord& r) {
  const auto query = parseLogQuery("search \"c/g/l\" | where " + condition);
  EXPECT_TRUE(query.has_value()) << condition << ": " << (query ? "" : query.error());
  return query && query->accepts(r);
}

TEST(LogQuery, ReadsTheQueryOfAds) {
  const auto query =
      parseLogQuery(R"(SEARCH "comp/group/log" | WHERE source = '*ocid1.run' | SORT BY datetime DESC)");
  ASSERT_TRUE(query.has_value()) << query.error();
  ASSERT_EQ(query->streams.size(), 1u);
  EXPECT_EQ(query->streams[0].compartment, "comp");
  EXPECT_EQ(query->streams[0].group, "group");
  EXPECT_EQ(query->streams[0].log, "log");
  EXPECT_TRUE(query->descending);
  EXPECT_TRUE(query->accepts(record("ocid1.run", "x")));
  EXPECT_FALSE(query->accepts(record("ocid1.run2", "x")));
}

TEST(LogQuery, JoinsConditions) {
  const SearchedRecord r = record("ocid1.a", "loss 0.5");
  EXPECT_TRUE(accepts("source = '*ocid1.b' or source = '*ocid1.a'", r));
  EXPECT_FALSE(accepts("source = '*ocid1.b' or source = '*ocid1.c'", r));
  EXPECT_TRUE(accepts("source = '*ocid1.a' and data.message = 'loss*'", r));
  EXPECT_FALSE(accepts("source = '*ocid1.a' and data.message = 'gain*'", r));
  EXPECT_TRUE(accepts("not (data.message = 'gain*')", r));
  EXPECT_TRUE(accepts("source = '*b' and subject = 'x' or data.rank = 2", r));
  EXPECT_TRUE(accepts("data.rank >= 2 and data.rank < 3 and datetime = 1000 and data.ok", r));
  EXPECT_TRUE(accepts("logContent = '*loss*'", r));
  EXPECT_TRUE(accepts("data.absent = null", r));
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
  EXPECT_TRUE(query->accepts(record("s", "m")));
}

TEST(LogQuery, SaysWhatIsWrong) {
  for (const char* text :
       {"", "find \"c\"", "search c", "search \"c", "search \"c\" | where",
        "search \"c\" | where a =", "search \"c\" | where (a = 1", "search \"c\" | where a = 'x",
        "search \"c\" | sort datetime", "search \"c\" where a = 1", "search \"c\" | where a = 1 ;",
        "search \"c\" | count", "search \"c\" | where contains_ci(a, 'b')"}) {
    const auto query = parseLogQuery(text);
    EXPECT_FALSE(query.has_value()) << text;
    EXPECT_FALSE(!query && query.error().empty());
  }
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
