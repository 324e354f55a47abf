// SPDX-License-Identifier: GPL-3.0-or-later
// Heartbeat and findings as anybody may have written them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "health/heartbeat.h"
#include "health/reach_findings.h"

namespace lockstep {
namespace {

constexpr const char* kHeartbeat = R"({"time":"2026-11-22T10:00:10.000Z","ranks":[
  {"rank":1,"host":"vm-2","pid":47,"activity":"backward","step":17,"collectives":34,"since":"2026-11-22T10:00:05.000Z"},
  {"rank":0,"host":"vm-1","pid":46,"activity":"waiting for peers","step":17,"collectives":35}],"waitingFor":[1]})";

constexpr const char* kFindings = R"({"node":1,"name":"worker_0","address":"10.0.0.3","answer":"x","peers":[
  {"node":2,"name":"worker_1","address":"10.0.0.4","port":4711,"reached":false,"cause":"timed out"},
  {"node":0,"name":"main","address":"10.0.0.2","port":4710,"reached":true,"ms":0.4}],
  "missing":[3],"time":"2026-11-22T10:00:00.000Z"})";

TEST(Heartbeat, IsReadAsTheTrainerWritesIt) {
  const auto heartbeat = parseHeartbeat(kHeartbeat);
  ASSERT_TRUE(heartbeat) << describe(heartbeat.error());
  ASSERT_EQ(heartbeat->ranks.size(), 2U);
  EXPECT_EQ(heartbeat->ranks[0].rank, Rank(0)) << "by rank";
  EXPECT_EQ(heartbeat->ranks[0].phase, RankPhase::Waiting);
  EXPECT_FALSE(heartbeat->ranks[0].since);
  const RankHeartbeat& one = heartbeat->ranks[1];
  EXPECT_EQ(one.phase, RankPhase::Backward);
  EXPECT_EQ(one.host, "vm-2");
  EXPECT_EQ(one.pid, 47);
  EXPECT_EQ(one.step, 17);
  EXPECT_EQ(one.collectives, 34);
  EXPECT_EQ(one.since, parseRfc3339("2026-11-22T10:00:05Z"));
  EXPECT_EQ(heartbeat->waitingFor, std::vector{Rank(1)});
  EXPECT_EQ(heartbeat->time, parseRfc3339("2026-11-22T10:00:10Z"));
}

TEST(Heartbeat, LeavesOutWhatIsNoRank) {
  const auto heartbeat =
      parseHeartbeat(R"({"time":"2026-11-22T10:00:10Z","ranks":[7,null,{"rank":-1},{"rank":"2"},
      {"rank":1e3},{"rank":99999999999999999999},{"rank":18446744073709551615},
      {"rank":4,"activity":"juggling","step":-9,"collectives":-1,"pid":-5,"host":7,"since":"2099-01-01T00:00:00Z"},
      {"rank":4,"activity":"data"}],"waitingFor":[null,-1,4,4,"x"]})");
  ASSERT_TRUE(heartbeat) << describe(heartbeat.error());
  ASSERT_EQ(heartbeat->ranks.size(), 1U) << "each rank once, the first that says so";
  const RankHeartbeat& beat = heartbeat->ranks[0];
  EXPECT_EQ(beat.rank, Rank(4));
  EXPECT_EQ(beat.phase, RankPhase::Other);
  EXPECT_EQ(beat.word, "juggling");
  EXPECT_EQ(beat.step, -1);
  EXPECT_EQ(beat.collectives, 0);
  EXPECT_EQ(beat.pid, 0);
  EXPECT_EQ(beat.host, "");
  EXPECT_EQ(beat.since, heartbeat->time) << "nobody is somewhere since the future";
  EXPECT_EQ(heartbeat->waitingFor, std::vector{Rank(4)});
}

TEST(Heartbeat, TimesOfOtherCenturiesAreNone) {
  EXPECT_FALSE(parseHeartbeat(R"({"time":"9999-12-31T23:59:59Z","ranks":[]})"));
  const auto heartbeat = parseHeartbeat(
      R"({"time":"2026-11-22T10:00:10Z","ranks":[{"rank":0,"since":"0001-01-01T00:00:00Z"},
      {"rank":1,"since":"1700-01-01T00:00:00Z"}]})");
  ASSERT_TRUE(heartbeat);
  for (const RankHeartbeat& beat : heartbeat->ranks) EXPECT_FALSE(beat.since);
}

TEST(Heartbeat, TextsAreShortAndOnOneLine) {
  const std::string host = "a\nb\x01" + std::string(5000, 'x');
  const nlohmann::json json{{"time", "2026-11-22T10:00:10Z"},
                            {"ranks", nlohmann::json::array({{{"rank", 0}, {"host", host}}})}};
  const auto heartbeat = parseHeartbeat(json.dump());
  ASSERT_TRUE(heartbeat);
  EXPECT_LT(heartbeat->ranks[0].host.size(), 400U);
  EXPECT_TRUE(heartbeat->ranks[0].host.starts_with("a b x")) << heartbeat->ranks[0].host;
}

TEST(Heartbeat, RefusesWhatIsNoHeartbeat) {
  const std::string whole = kHeartbeat;
  for (const std::string& text :
       {std::string(), std::string("null"), std::string("[]"), std::string("{}"),
        std::string("\xff\xfe\x00", 3), whole.substr(0, whole.size() / 2),
        std::string(R"({"time":"yesterday","ranks":[]})"), std::string(R"({"time":7})"),
        std::string(kMaxHeartbeatBytes + 1, ' '), std::string(100'000, '[')}) {
    const auto heartbeat = parseHeartbeat(text);
    ASSERT_FALSE(heartbeat) << text.substr(0, 60);
    EXPECT_EQ(heartbeat.error().code, ErrorCode::DataLoss);
    EXPECT_FALSE(heartbeat.error().cause.empty());
  }
}

// Every cut of a good document is refused or read; none does harm.
TEST(Heartbeat, SurvivesEveryTruncation) {
  for (const std::string whole : {kHeartbeat, kFindings})
    for (std::size_t length = 0; length < whole.size(); ++length) {
      EXPECT_FALSE(parseHeartbeat(std::string_view(whole).substr(0, length)));
      EXPECT_FALSE(parseNodeFindings(std::string_view(whole).substr(0, length)));
    }
}

TEST(NodeFindings, AreReadAsTheNodeWritesThem) {
  const auto found = parseNodeFindings(kFindings);
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->node, 1);
  EXPECT_EQ(found->name, "worker_0");
  ASSERT_EQ(found->peers.size(), 2U);
  EXPECT_TRUE(found->peers[0].reached);
  EXPECT_EQ(found->peers[0].ms, 0.4);
  EXPECT_FALSE(found->peers[1].reached);
  EXPECT_EQ(found->peers[1].cause, "timed out");
  EXPECT_EQ(found->peers[1].port, 4711);
  EXPECT_EQ(found->missing, std::vector{3});
}

TEST(NodeFindings, LeaveOutWhatIsNoPeer) {
  const auto found =
      parseNodeFindings(R"({"node":0,"peers":[{"node":0,"reached":true},{"node":1},{"node":5000,
      "reached":true},{"node":2,"reached":"yes"},{"node":3,"reached":true,"ms":-4,"port":70000},
      {"node":3,"reached":false}],"missing":[-1,4096,7,7]})");
  ASSERT_TRUE(found) << describe(found.error());
  ASSERT_EQ(found->peers.size(), 1U);
  EXPECT_TRUE(found->peers[0].reached) << "the first word counts";
  EXPECT_FALSE(found->peers[0].ms);
  EXPECT_EQ(found->peers[0].port, 0);
  EXPECT_EQ(found->missing, std::vector{7});
  for (const char* text : {"", "{}", R"({"node":-1})", R"({"node":4096})", R"({"node":"0"})"})
    EXPECT_FALSE(parseNodeFindings(text)) << text;
  EXPECT_FALSE(parseNodeFindings(std::string(kMaxFindingsBytes + 1, ' ')));
}

NodeFindings findingsOf(int node, std::vector<std::pair<int, bool>> peers) {
  NodeFindings found;
  found.node = node;
  found.name = "n" + std::to_string(node);
  for (const auto& [peer, reached] : peers) {
    ReachLink link;
    link.node = peer;
    link.reached = reached;
    found.peers.push_back(link);
  }
  return found;
}

TEST(ReachMatrix, TellsTheDirectionsApart) {
  const ReachMatrix matrix({findingsOf(0, {{1, true}, {2, true}, {3, false}, {4, true}}),
                            findingsOf(1, {{0, true}, {2, false}}), findingsOf(2, {{0, false}, {1, false}})});
  ASSERT_EQ(matrix.nodes().size(), 5U);
  EXPECT_EQ(matrix.state(0, 1), LinkState::BothWays);
  EXPECT_EQ(matrix.state(0, 2), LinkState::OnlyThisWay);
  EXPECT_EQ(matrix.state(2, 0), LinkState::OnlyBack);
  EXPECT_EQ(matrix.state(1, 2), LinkState::NeitherWay);
  EXPECT_EQ(matrix.state(0, 3), LinkState::NotThisWay);
  EXPECT_EQ(matrix.state(0, 4), LinkState::ThisWay);
  EXPECT_EQ(matrix.state(3, 0), LinkState::Untested);
  EXPECT_FALSE(matrix.nodes()[3].tookPart);
  std::vector<std::pair<std::size_t, std::size_t>> gaps;
  for (const auto& gap : matrix.gaps()) gaps.emplace_back(gap.from, gap.to);
  EXPECT_EQ(gaps, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 3}, {1, 2}, {2, 0}, {2, 1}}));
}

// Clusters other than of ranks listen on several ports that are known before.
TEST(ReachMatrix, AWayIsOpenWhenEveryPortOfItIs) {
  NodeFindings zero = findingsOf(0, {});
  for (const int port : {8786, 8787})
    zero.peers.push_back({1, "n1", "10.0.0.3", port, port == 8786, 0.2, "refused"});
  const ReachMatrix matrix({zero, findingsOf(1, {{0, true}})});
  EXPECT_EQ(matrix.state(0, 1), LinkState::OnlyBack);
  EXPECT_EQ(matrix.state(1, 0), LinkState::OnlyThisWay);
  ASSERT_EQ(matrix.gaps().size(), 1U);
  EXPECT_EQ(matrix.gaps()[0].link.port, 8787);
  EXPECT_EQ(matrix.link(0, 1)->port, 8787);
}

}  // namespace
}  // namespace lockstep
