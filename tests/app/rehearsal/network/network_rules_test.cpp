// SPDX-License-Identifier: GPL-3.0-or-later
// What security rules say, as a pure matter. network_isolation_test holds the same rows against real packets.
#include <gtest/gtest.h>

#include "rehearsal/api/service_hosts.h"
#include "rehearsal/network/isolation/node_spec.h"
#include "rehearsal/network/isolation/packet_filter.h"
#include "tests/app/rehearsal/network/network_rule_text.h"

namespace {

using namespace lockstep::rehearsal;
using lockstep::testing::checkedRules;
using lockstep::testing::PacketCase;
using lockstep::testing::packetCases;
using lockstep::testing::readPacket;
using nlohmann::json;

TEST(NetworkRules, EveryRowOfTheTable) {
  int source = 40000;
  for (const PacketCase& row : packetCases())
    EXPECT_EQ(mayTalk(checkedRules(row.sender), checkedRules(row.receiver), readPacket(row, ++source)),
              row.talks)
        << row.name;
}

// A single packet is the smallest of questions about reach.
TEST(NetworkRules, ReachSaysTheSameOfOnePacket) {
  int source = 40000;
  for (const PacketCase& row : packetCases()) {
    const Packet packet = readPacket(row, ++source);
    if (packet.protocol == kIcmp) continue;
    const ReachQuestion question{{packet.source, 32},
                                 {packet.destination, 32},
                                 packet.protocol,
                                 {packet.destinationPort, packet.destinationPort},
                                 {packet.sourcePort, packet.sourcePort}};
    const Reach reach = findReach(checkedRules(row.sender), checkedRules(row.receiver), question);
    EXPECT_EQ(reach.open, row.talks) << row.name << ": " << reach.because;
    EXPECT_EQ(reach.because.empty(), row.talks) << row.name;
  }
}

struct ReachCase {
  const char* name;
  const char* rules;  // of both nodes
  PortRange ports;
  bool open;
};

TEST(NetworkRules, ReachOfAWholeSubnet) {
  const char* out = "out all 0.0.0.0/0; ";
  const ReachCase cases[] = {
      {"one rule covers it", "in tcp 10.0.0.0/24 29400", {29400, 29400}, true},
      {"two halves cover it", "in tcp 10.0.0.0/25 29400; in tcp 10.0.0.128/25 29400", {29400, 29400}, true},
      {"a half does not", "in tcp 10.0.0.0/25 29400", {29400, 29400}, false},
      {"ranges that meet", "in tcp 10.0.0.0/24 1-3000; in tcp 10.0.0.0/24 3001-65535", {1, 65535}, true},
      {"ranges with a gap", "in tcp 10.0.0.0/24 1-3000; in tcp 10.0.0.0/24 3002-65535", {1, 65535}, false},
      {"the gap is not asked for",
       "in tcp 10.0.0.0/24 1-3000; in tcp 10.0.0.0/24 3002-65535",
       {1, 3000},
       true},
      {"halves open at different ports",
       "in tcp 10.0.0.0/25 1-3000; in tcp 10.0.0.128/25 2000-4000",
       {2000, 3000},
       true},
      {"halves open at different ports, one too far",
       "in tcp 10.0.0.0/25 1-3000; in tcp 10.0.0.128/25 2000-4000",
       {2000, 3001},
       false},
      {"source ports that ephemeral ones are not",
       "in tcp 10.0.0.0/24 29400 from 1-1023",
       {29400, 29400},
       false},
      {"source ports in two pieces",
       "in tcp 10.0.0.0/24 1-65535 from 1-40000; in tcp 10.0.0.0/24 from 40001-65535",
       {29400, 29400},
       true},
      {"stateless without a way back", "in tcp 10.0.0.0/24 29400 stateless", {29400, 29400}, true},
      {"protocol all", "in all 10.0.0.0/16", {1, 65535}, true},
      {"nothing", "in udp 10.0.0.0/16", {29400, 29400}, false},
  };
  for (const ReachCase& row : cases) {
    const auto rules = checkedRules(std::string(out) + row.rules);
    const Cidr block = *parseCidr("10.0.0.0/24");
    const Reach reach = findReach(rules, rules, {block, block, kTcp, row.ports});
    EXPECT_EQ(reach.open, row.open) << row.name << ": " << reach.because;
  }
}

TEST(NetworkRules, ReachNamesAPacketThatDoesNotPass) {
  const auto rules = checkedRules("out all 0.0.0.0/0; in tcp 10.0.0.0/25 29400");
  const Cidr block = *parseCidr("10.0.0.0/24");
  const Reach reach = findReach(rules, rules, {block, block, kTcp, {29400, 29400}});
  EXPECT_NE(reach.because.find("ingress"), std::string::npos) << reach.because;
  EXPECT_NE(reach.because.find("10.0.0.128"), std::string::npos) << reach.because;
  EXPECT_NE(reach.because.find("29400"), std::string::npos) << reach.because;
}

TEST(NetworkRules, StatelessRulesNeedTheWayBack) {
  const Cidr block = *parseCidr("10.0.0.0/24");
  const ReachQuestion question{block, block, kTcp, {29400, 29400}};
  const auto half = checkedRules("out tcp 10.0.0.0/24 29400; in tcp 10.0.0.0/24 29400 stateless");
  EXPECT_FALSE(findReach(half, half, question).open);
  const auto whole = checkedRules(
      "out tcp 10.0.0.0/24 29400; in tcp 10.0.0.0/24 29400 stateless; out tcp 10.0.0.0/24 from 29400 "
      "stateless");
  const Reach reach = findReach(whole, whole, question);
  EXPECT_TRUE(reach.open) << reach.because;
}

struct BadRule {
  const char* sent;
  const char* code;
  const char* named;  // in the message
};

TEST(NetworkRules, RefusalsNameTheField) {
  const BadRule cases[] = {
      {R"([])", "InvalidParameter", "rules[0]"},
      {R"({"source":"10.0.0.0/24"})", "MissingParameter", "rules[0].protocol"},
      {R"({"source":"10.0.0.0/24","protocol":6})", "InvalidParameter", "rules[0].protocol"},
      {R"({"source":"10.0.0.0/24","protocol":"tcp"})", "InvalidParameter", "rules[0].protocol"},
      {R"({"source":"10.0.0.0/24","protocol":"256"})", "InvalidParameter", "rules[0].protocol"},
      {R"({"source":"10.0.0.0/24","protocol":"-1"})", "InvalidParameter", "rules[0].protocol"},
      {R"({"protocol":"6"})", "MissingParameter", "rules[0].source"},
      {R"({"destination":"10.0.0.0/24","protocol":"6"})", "MissingParameter", "rules[0].source"},
      {R"({"source":"10.0.0.0","protocol":"6"})", "InvalidParameter", "rules[0].source"},
      {R"({"source":"10.0.0.0/33","protocol":"6"})", "InvalidParameter", "rules[0].source"},
      {R"({"source":"10.0.0.1/24","protocol":"6"})", "InvalidParameter", "rules[0].source"},
      {R"({"source":"x","sourceType":"SERVICE_CIDR_BLOCK","protocol":"6"})", "InvalidParameter",
       "rules[0].source"},
      {R"({"source":"x","sourceType":"NETWORK_SECURITY_GROUP","protocol":"6"})", "InvalidParameter",
       "rules[0].sourceType"},
      {R"({"source":"10.0.0.0/24","protocol":"6","isStateless":"no"})", "InvalidParameter", "isStateless"},
      {R"({"source":"10.0.0.0/24","protocol":"17","tcpOptions":{}})", "InvalidParameter",
       "rules[0].tcpOptions"},
      {R"({"source":"10.0.0.0/24","protocol":"all","tcpOptions":{}})", "InvalidParameter",
       "rules[0].tcpOptions"},
      {R"({"source":"10.0.0.0/24","protocol":"6","udpOptions":{}})", "InvalidParameter",
       "rules[0].udpOptions"},
      {R"({"source":"10.0.0.0/24","protocol":"6","icmpOptions":{"type":3}})", "InvalidParameter",
       "icmpOptions"},
      {R"({"source":"10.0.0.0/24","protocol":"1","icmpOptions":{"code":3}})", "MissingParameter",
       "rules[0].icmpOptions.type"},
      {R"({"source":"10.0.0.0/24","protocol":"6","tcpOptions":{"destinationPortRange":{"min":1}}})",
       "MissingParameter", "rules[0].tcpOptions.destinationPortRange.max"},
      {R"({"source":"10.0.0.0/24","protocol":"6","tcpOptions":{"destinationPortRange":{"min":0,"max":9}}})",
       "InvalidParameter", "rules[0].tcpOptions.destinationPortRange.min"},
      {R"({"source":"10.0.0.0/24","protocol":"6","tcpOptions":{"sourcePortRange":{"min":1,"max":65536}}})",
       "InvalidParameter", "rules[0].tcpOptions.sourcePortRange.max"},
      {R"({"source":"10.0.0.0/24","protocol":"17","udpOptions":{"destinationPortRange":{"min":9,"max":8}}})",
       "InvalidParameter", "rules[0].udpOptions.destinationPortRange"},
      {R"({"source":"10.0.0.0/24","protocol":"17","udpOptions":{"destinationPortRange":{"min":"9","max":8}}})",
       "InvalidParameter", "rules[0].udpOptions.destinationPortRange.min"},
  };
  for (const BadRule& row : cases) {
    const auto checked =
        checkRule(json::parse(row.sent), Direction::Ingress, RuleHome::SecurityList, "rules[0]");
    ASSERT_FALSE(checked) << row.sent;
    EXPECT_EQ(checked.error().status, 400) << row.sent;
    EXPECT_EQ(checked.error().code, row.code) << row.sent;
    EXPECT_NE(checked.error().message.find(row.named), std::string::npos) << checked.error().message;
  }
}

TEST(NetworkRules, BlocksOfAddresses) {
  EXPECT_EQ(parseCidr("10.0.0.0/24")->last(), *parseIpv4("10.0.0.255"));
  EXPECT_EQ(parseCidr("0.0.0.0/0")->last(), *parseIpv4("255.255.255.255"));
  EXPECT_EQ(parseCidr("10.0.0.7/32")->last(), *parseIpv4("10.0.0.7"));
  EXPECT_EQ(parseCidr("128.0.0.0/1")->last(), *parseIpv4("255.255.255.255"));
  for (const char* bad : {"", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.1/31",
                          "10.0.0/24", "10.0.0.0/24 ", "::/0"})
    EXPECT_FALSE(parseCidr(bad)) << bad;
  EXPECT_TRUE(isIpv6Cidr("2001:db8::/56"));
  EXPECT_FALSE(isIpv6Cidr("2001:db8::/129"));
}

TEST(NetworkRules, TheHostTableNamesTheNodeAndKeepsTheMachines) {
  NodeSpec spec;
  spec.address = "10.0.0.2";
  spec.hostName = "job-1-0";
  spec.domain = "a.b.oraclevcn.com";
  const std::string text =
      spec.hostsText("127.0.0.1 localhost\n127.0.1.1 machine\n# mine\n192.0.2.7 registry.example\n");
  std::string services = "127.0.0.1";
  for (const std::string& host : serviceHosts()) services += " " + host;
  EXPECT_EQ(text, "127.0.0.1 localhost\n10.0.0.2 job-1-0.a.b.oraclevcn.com job-1-0\n" + services +
                      "\n192.0.2.7 registry.example\n");
  EXPECT_EQ(spec.hardwareAddress(), "02:00:0a:00:00:02");
  const auto again = readNodeSpec(writeNodeSpec(spec));
  ASSERT_TRUE(again);
  EXPECT_EQ(writeNodeSpec(*again), writeNodeSpec(spec));
}

}  // namespace
