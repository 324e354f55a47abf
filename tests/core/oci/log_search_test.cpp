// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/log_search_client.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "oci_test_support.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

const TimePoint kStart = FakeClock().now();

struct Line {
  TimePoint time;
  std::string source;
  std::string text;
};

/// Logging search over some lines. `max`: what one answer may hold; above, either 400 "too large" or a cut
/// answer.
class TinyLog {
 public:
  enum class Overflow { Refuse, Cut, Page };
  TinyLog(std::vector<Line> lines, std::size_t max, Overflow overflow)
      : lines_(std::move(lines)),
        max_(max),
        overflow_(overflow),
        server_([this](const auto& in, auto& out) { serve(in, out); }) {}
  [[nodiscard]] std::string url() const { return server_.url(); }
  [[nodiscard]] const LoopbackServer& http() const { return server_; }

 private:
  void serve(const httplib::Request& in, httplib::Response& out) {
    const json body = json::parse(in.body);
    const TimePoint from = *parseRfc3339(body["timeStart"].get<std::string>());
    const TimePoint to = *parseRfc3339(body["timeEnd"].get<std::string>());
    const std::string query = body["searchQuery"];
    json results = json::array();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (line.time < from || line.time > to || query.find("'*" + line.source + "'") == std::string::npos)
        continue;
      results.push_back(
          {{"data",
            {{"datetime",
              std::chrono::duration_cast<std::chrono::milliseconds>(line.time.time_since_epoch()).count()},
             {"logContent",
              {{"id", "id-" + std::to_string(i)},
               {"source", "service/" + line.source},
               {"data", {{"message", line.text}}}}}}}});
    }
    if (query.ends_with(" desc")) std::reverse(results.begin(), results.end());
    if (results.size() > max_ && overflow_ == Overflow::Refuse) {
      return refuseWith(out, 400, "InvalidParameter",
                        "The search result is too large: narrow the time range");
    }
    std::size_t begin = 0;
    if (overflow_ == Overflow::Page && in.has_param("page")) begin = std::stoul(in.get_param_value("page"));
    if (overflow_ == Overflow::Page && results.size() > begin + max_)
      out.set_header("opc-next-page", std::to_string(begin + max_));
    json page = json::array();
    for (std::size_t i = begin; i < results.size() && page.size() < max_; ++i) page.push_back(results[i]);
    out.set_content(json{{"summary", {{"resultCount", page.size()}}}, {"results", page}}.dump(),
                    "application/json");
  }

  std::vector<Line> lines_;
  std::size_t max_;
  Overflow overflow_;
  LoopbackServer server_;  // last: it serves as soon as it is there
};

Result<std::vector<LogRecord>> searchLog(const std::string& url, const std::vector<std::string>& runs,
                                         TimePoint from, TimePoint to) {
  return LogSearchClient(TestService(url).client).search("comp", "group", "log", runs, from, to, {});
}

TEST(LogSearch, AsksAsOciWantsToBeAsked) {
  TinyLog log(
      {{kStart + 5ms, "run1", "first"}, {kStart + 1s, "run2", "second"}, {kStart + 1s, "run3", "not ours"}},
      1000, TinyLog::Overflow::Page);
  const auto found = searchLog(log.url(), {"run1", "run2"}, kStart, kStart + 1h);
  ASSERT_TRUE(found) << describe(found.error());
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ((*found)[0].message, "first");
  EXPECT_EQ((*found)[0].id, "id-0");
  EXPECT_EQ((*found)[0].time, kStart + 5ms);
  EXPECT_EQ((*found)[0].source, "service/run1");
  EXPECT_EQ((*found)[1].message, "second");
  ASSERT_EQ(log.http().count(), 1U);
  const auto seen = log.http().seen()[0];
  EXPECT_EQ(seen.method + " " + seen.target, "POST /20190909/search?limit=1000");
  const json body = json::parse(seen.body);
  EXPECT_EQ(body["searchQuery"],
            "search \"comp/group/log\" | where source = '*run1' or source = '*run2' | sort by datetime asc");
  EXPECT_EQ(body["timeStart"], "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(body["isReturnFieldInfo"], false);
}

TEST(LogSearch, AsksTheWholeGroupWhenEachRunHasALogOfItsOwn) {
  TinyLog log({{kStart + 5ms, "run1", "first"}}, 1000, TinyLog::Overflow::Page);
  LogSearchClient client(TestService(log.url()).client);
  const auto found = client.search("comp", "group", "", {"run1"}, kStart, kStart + 1h, {});
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->size(), 1U);
  EXPECT_TRUE(json::parse(log.http().seen()[0].body)["searchQuery"].get<std::string>().starts_with(
      "search \"comp/group\" |"));
}

TEST(LogSearch, BothEndsCount) {
  TinyLog log({{kStart, "r", "a"}, {kStart + 10ms, "r", "b"}, {kStart + 11ms, "r", "too late"}}, 1000,
              TinyLog::Overflow::Page);
  const auto found = searchLog(log.url(), {"r"}, kStart, kStart + 10ms);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ((*found)[1].message, "b");
  EXPECT_TRUE(searchLog(log.url(), {"r"}, kStart + 1h, kStart)->empty()) << "an empty span has nothing";
  EXPECT_TRUE(searchLog(log.url(), {}, kStart, kStart + 1h)->empty());
}

/// All parts of a time, each of about so many records.
std::vector<std::string> messagesInParts(const TinyLog& log, const std::vector<std::string>& runs,
                                         std::size_t most, std::size_t& parts) {
  LogSearchClient client(TestService(log.url()).client);
  std::vector<std::string> messages;
  TimePoint from = kStart;
  for (bool isMore = true; isMore && parts < 1000; ++parts) {
    const auto part = client.searchPart("comp", "group", "log", runs, from, kStart + 1h, most, {});
    if (!part) return {describe(part.error())};
    if (part->rest && (part->records.empty() || *part->rest <= from)) return {"a part without end"};
    for (const LogRecord& record : part->records) messages.push_back(record.message);
    isMore = part->rest.has_value();
    from = part->rest.value_or(from);
  }
  return messages;
}

TEST(LogSearch, PartsAreTheWhole) {
  std::vector<Line> lines;
  for (int i = 0; i < 5000; ++i) {
    const auto at = i < 2500 ? i / 3 * 1ms : i < 4000 ? 1s : 2s + i * 1ms;  // 1,500 in one millisecond
    lines.push_back({kStart + at, i % 2 == 0 ? "run-0" : "run-20", std::to_string(i)});
  }
  std::vector<std::string> runs;
  for (int i = 0; i < 40; ++i) runs.push_back("run-" + std::to_string(i));  // more than one query names
  const auto expectWhole = [&](TinyLog::Overflow overflow) {
    const TinyLog log(lines, 1000, overflow);
    std::size_t parts = 0;
    auto messages = messagesInParts(log, runs, 300, parts);
    EXPECT_GE(parts, 2U);
    ASSERT_EQ(messages.size(), lines.size());
    std::ranges::sort(messages);
    EXPECT_EQ(std::ranges::adjacent_find(messages), messages.end()) << "each once";
  };
  expectWhole(TinyLog::Overflow::Page);
  lines.resize(2500);  // a service without pages never shows more than 1,000 of a millisecond
  expectWhole(TinyLog::Overflow::Refuse);
}

std::vector<Line> manyLines(int count, std::chrono::milliseconds step) {
  std::vector<Line> lines;
  for (int i = 0; i < count; ++i) lines.push_back({kStart + i * step, "r", "line " + std::to_string(i)});
  return lines;
}

TEST(LogSearch, TheNewestWithOneCall) {
  auto lines = manyLines(2500, 1ms);
  for (std::size_t i = 1400; i < 2500; ++i)
    lines[i].time = kStart + 2s + i / 3 * 1ms;  // three in each; of 500 the page might have a part
  const TinyLog log(std::move(lines), 1000, TinyLog::Overflow::Page);
  LogSearchClient client(TestService(log.url()).client);
  const auto newest = client.searchNewest("comp", "group", "log", {"r"}, kStart, kStart + 1h, {});
  ASSERT_TRUE(newest) << describe(newest.error());
  EXPECT_EQ(log.http().count(), 1U);
  ASSERT_EQ(newest->records.size(), 997U);
  for (std::size_t i = 0; i < 997; ++i)
    ASSERT_EQ(newest->records[i].message, "line " + std::to_string(1503 + i)) << "in the order of writing";
  EXPECT_EQ(newest->rest, kStart + 2501ms);
  const auto all = client.searchNewest("comp", "group", "log", {"r"}, kStart + 2600ms, kStart + 1h, {});
  ASSERT_TRUE(all);
  EXPECT_FALSE(all->rest) << "there are no others";
}

TEST(LogSearch, TheNewestOfATimeThatIsTooLarge) {
  const TinyLog log(manyLines(2500, 1s), 1000, TinyLog::Overflow::Refuse);
  LogSearchClient client(TestService(log.url()).client);
  const auto newest = client.searchNewest("comp", "group", "log", {"r"}, kStart, kStart + 2500s, {});
  ASSERT_TRUE(newest) << describe(newest.error());
  ASSERT_FALSE(newest->records.empty());
  EXPECT_EQ(newest->records.back().message, "line 2499");
  EXPECT_TRUE(newest->rest);
}

void expectAllOnce(const std::vector<LogRecord>& found, int count) {
  ASSERT_EQ(found.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    EXPECT_EQ(found[static_cast<std::size_t>(i)].message, "line " + std::to_string(i));
}

TEST(LogSearch, FollowsPages) {
  TinyLog log(manyLines(2500, 1ms), 1000, TinyLog::Overflow::Page);
  const auto found = searchLog(log.url(), {"r"}, kStart, kStart + 1h);
  ASSERT_TRUE(found) << describe(found.error());
  expectAllOnce(*found, 2500);
  EXPECT_EQ(log.http().count(), 3U);
  EXPECT_EQ(log.http().seen()[1].target, "/20190909/search?limit=1000&page=1000");
}

TEST(LogSearch, HalvesAWindowThatIsTooFull) {
  TinyLog log(manyLines(3000, 7ms), 400, TinyLog::Overflow::Refuse);
  const auto found = searchLog(log.url(), {"r"}, kStart, kStart + 1h);
  ASSERT_TRUE(found) << describe(found.error());
  expectAllOnce(*found, 3000);
}

TEST(LogSearch, HalvesAWindowThatWasCutWithoutSayingSo) {
  TinyLog log(manyLines(2600, 3ms), 1000, TinyLog::Overflow::Cut);
  const auto found = searchLog(log.url(), {"r"}, kStart, kStart + 1min);
  ASSERT_TRUE(found) << describe(found.error());
  expectAllOnce(*found, 2600);
}

TEST(LogSearch, OneMillisecondThatIsTooFullIsAnErrorNotALoop) {
  TinyLog log(manyLines(10, 0ms), 5, TinyLog::Overflow::Refuse);
  const auto found = searchLog(log.url(), {"r"}, kStart, kStart + 8ms);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().service->httpStatus, 400);
}

TEST(LogSearch, LongSpansAreCutIntoFortnights) {
  TinyLog log({{kStart, "r", "a"}, {kStart + 24h * 20, "r", "b"}, {kStart + 24h * 40, "r", "c"}}, 1000,
              TinyLog::Overflow::Page);
  const auto found = searchLog(log.url(), {"r"}, kStart, kStart + 24h * 40);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), 3U);
  EXPECT_EQ(log.http().count(), 3U);
  for (const auto& seen : log.http().seen()) {
    const json body = json::parse(seen.body);
    const auto from = parseRfc3339(body["timeStart"].get<std::string>());
    const auto to = parseRfc3339(body["timeEnd"].get<std::string>());
    EXPECT_LE(*to - *from, 24h * 14);
  }
}

TEST(LogSearch, ManyRunsTakeSeveralQueries) {
  std::vector<Line> lines;
  std::vector<std::string> runs;
  for (int i = 0; i < 40; ++i) {
    runs.push_back("run" + std::to_string(100 + i));
    lines.push_back({kStart + (40 - i) * 1ms, runs.back(), runs.back()});
  }
  TinyLog log(lines, 1000, TinyLog::Overflow::Page);
  const auto found = searchLog(log.url(), runs, kStart, kStart + 1h);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 40U);
  EXPECT_EQ(found->front().message, "run139") << "oldest first over all queries";
  EXPECT_EQ(log.http().count(), 3U);
}

TEST(LogSearch, RefusesIdsThatWouldEndTheQuery) {
  for (const char* id : {"", "a'b", "a*", "a\"b", "a b", "a\n"}) {
    const auto found = searchLog("http://127.0.0.1:1", {id}, kStart, kStart + 1h);
    ASSERT_FALSE(found) << id;
    EXPECT_EQ(found.error().code, ErrorCode::InvalidArgument);
  }
}

Result<std::vector<LogRecord>> searchIn(const json& answer) {
  LoopbackServer server([text = answer.dump()](const httplib::Request&, httplib::Response& out) {
    out.set_content(text, "application/json");
  });
  return searchLog(server.url(), {"r"}, kStart, kStart + 1h);
}

TEST(LogSearch, ToleratesOddRecordsAndRefusesNonsense) {
  const json content = {{"time", "2026-01-01T00:00:01.123456Z"}, {"data", {{"x", 1}}}, {"source", "r"}};
  json results = json::array();
  results.push_back({{"data", {{"logContent", content}}}});
  const auto found = searchIn({{"results", results}});
  ASSERT_TRUE(found) << describe(found.error());
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ((*found)[0].message, "{\"x\":1}");
  EXPECT_EQ((*found)[0].id.size(), 64U) << "one of its own, so that it is not shown twice";
  // A time that nothing here can hold is none: the record's own stands in for it.
  for (const char* time : {"1e300", "9223372036854775807", "-1"}) {
    results[0]["data"]["datetime"] = json::parse(time);
    const auto odd = searchIn({{"results", results}});
    ASSERT_TRUE(odd) << time;
    EXPECT_EQ(toRfc3339(odd->at(0).time), "2026-01-01T00:00:01.123Z") << time;
  }
  for (const char* text : {"\"text\"", R"({"results":7})", R"({"results":[{"data":1}]})"}) {
    const auto refused = searchIn(json::parse(text));
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::DataLoss);
  }
  EXPECT_TRUE(searchIn({{"results", nullptr}}));
}

}  // namespace
}  // namespace lockstep::oci
