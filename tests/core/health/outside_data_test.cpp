// SPDX-License-Identifier: GPL-3.0-or-later
// Heartbeat and findings as anybody may have written them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "health/pulse.h"
#include "health/reach_findings.h"

namespace lockstep {
namespace {

constexpr const char* kPulse = R"({"time":"2026-11-22T10:00:10.000Z","ranks":[
  {"rank":1,"host":"vm-2","pid":47,"activity":"backward","step":17,"collectives":34,"since":"2026-11-22T10:00:05.000Z"},
  {"rank":0,"host":"vm-1","pid":46,"activity":"waiting for peers","step":17,"collectives":35}],"waitingFor":[1]})";

constexpr const char* kFindings = R"({"node":1,"name":"worker_0","address":"10.0.0.3","answer":"x","peers":[
  {"node":2,"name":"worker_1","address":"10.0.0.4","port":4711,"reached":false,"cause":"timed out"},
  {"node":0,"name":"main","address":"10.0.0.2","port":4710,"reached":true,"ms":0.4}],
  "missing":[3],"time":"2026-11-22T10:00:00.000Z"})";

TEST(Pulse, IsReadAsTheTrainerWritesIt) {
  const auto pulse = parsePulse(kPulse);
  ASSERT_TRUE(pulse) << describe(pulse.error());
  ASSERT_EQ(pulse->ranks.size(), 2U);
  EXPECT_EQ(pulse->ranks[0].rank, Rank(0)) << "by rank";
  EXPECT_EQ(pulse->ranks[0].phase, RankPhase::Waiting);
  EXPECT_FALSE(pulse->ranks[0].since);
  const RankBeat& one = pulse->ranks[1];
  EXPECT_EQ(one.phase, RankPhase::Backward);
  EXPECT_EQ(one.host, "vm-2");
  EXPECT_EQ(one.pid, 47);
  EXPECT_EQ(one.step, 17);
  EXPECT_EQ(one.collectives, 34);
  EXPECT_EQ(one.since, parseRfc3339("2026-11-22T10:00:05Z"));
  EXPECT_EQ(pulse->waitingFor, std::vector{Rank(1)});
  EXPECT_EQ(pulse->time, parseRfc3339("2026-11-22T10:00:10Z"));
}

TEST(Pulse, LeavesOutWhatIsNoRank) {
  const auto pulse = parsePulse(R"({"time":"2026-11-22T10:00:10Z","ranks":[7,null,{"rank":-1},{"rank":"2"},
      {"rank":1e3},{"rank":99999999999999999999},{"rank":18446744073709551615},
      {"rank":4,"activity":"juggling","step":-9,"collectives":-1,"pid":-5,"host":7,"since":"2099-01-01T00:00:00Z"},
      {"rank":4,"activity":"data"}],"waitingFor":[null,-1,4,4,"x"]})");
  ASSERT_TRUE(pulse) << describe(pulse.error());
  ASSERT_EQ(pulse->ranks.size(), 1U) << "each rank once, the first that says so";
  const RankBeat& beat = pulse->ranks[0];
  EXPECT_EQ(beat.rank, Rank(4));
  EXPECT_EQ(beat.phase, RankPhase::Other);
  EXPECT_EQ(beat.word, "juggling");
  EXPECT_EQ(beat.step, -1);
  EXPECT_EQ(beat.collectives, 0);
  EXPECT_EQ(beat.pid, 0);
  EXPECT_EQ(beat.host, "");
  EXPECT_EQ(beat.since, pulse->time) << "nobody is somewhere since the future";
  EXPECT_EQ(pulse->waitingFor, std::vector{Rank(4)});
}

TEST(Pulse, TimesOfOtherCenturiesAreNone) {
  EXPECT_FALSE(parsePulse(R"({"time":"9999-12-31T23:59:59Z","ranks":[]})"));
  const auto pulse = parsePulse(
      R"({"time":"2026-11-22T10:00:10Z","ranks":[{"rank":0,"since":"0001-01-01T00:00:00Z"},
      {"rank":1,"since":"1700-01-01T00:00:00Z"}]})");
  ASSERT_TRUE(pulse);
  for (const RankBeat& beat : pulse->ranks) EXPECT_FALSE(beat.since);
}

TEST(Pulse, TextsAreShortAndOnOneLine) {
  const std::string host = "a\nb\x01" + std::string(5000, 'x');
  const nlohmann::json json{{"time", "2026-11-22T10:00:10Z"},
                            {"ranks", nlohmann::json::array({{{"rank", 0}, {"host", host}}})}};
  const auto pulse = parsePulse(json.dump());
  ASSERT_TRUE(pulse);
  EXPECT_LT(pulse->ranks[0].host.size(), 400U);
  EXPECT_TRUE(pulse->ranks[0].host.starts_with("a b x")) << pulse->ranks[0].host;
}

TEST(Pulse, RefusesWhatIsNoHeartbeat) {
  const std::string whole = kPulse;
  for (const std::string& text :
       {std::string(), std::string("null"), std::string("[]"), std::string("{}"),
        std::string("\xff\xfe\x00", 3), whole.substr(0, whole.size() / 2),
        std::string(R"({"time":"yesterday","ranks":[]})"), std::string(R"({"time":7})"),
        std::string(kMostPulseBytes + 1, ' '), std::string(100'000, '[')}) {
    const auto pulse = parsePulse(text);
    ASSERT_FALSE(pulse) << text.substr(0, 60);
    EXPECT_EQ(pulse.error().code, StatusCode::DataLoss);
    EXPECT_FALSE(pulse.error().cause.empty());
  }
}

// Every cut of a good document is refused or read; none does harm.
TEST(Pulse, SurvivesEveryTruncation) {
  for (const std::string whole : {kPulse, kFindings})
    for (std::size_t length = 0; length < whole.size(); ++length) {
      EXPECT_FALSE(parsePulse(std::string_view(whole).substr(0, length)));
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
  EXPECT_FALSE(parseNodeFindings(std::string(kMostFindingsBytes + 1, ' ')));
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
