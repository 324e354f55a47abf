// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/reach.h"

#include <gtest/gtest.h>

#include "drawn_rules.h"
#include "reach/port_access.h"

namespace lockstep {
namespace {

using testing::drawRules;
using testing::Packet;
using testing::passes;
using testing::shown;
using testing::tellingPorts;
using testing::tellingSources;

RuleBook bookOf(const std::vector<oci::SecurityRule>& rules) {
  RuleBook book;
  for (const oci::SecurityRule& rule : rules) book.push_back({rule, "rule"});
  return book;
}

oci::SecurityRule rule(RuleDirection direction, const std::string& peer,
                       std::optional<oci::PortRange> destination = {},
                       std::optional<oci::PortRange> source = {}) {
  oci::SecurityRule made;
  made.direction = direction;
  made.peer = peer;
  made.destinationPorts = destination;
  made.sourcePorts = source;
  return made;
}

oci::SecurityRule stateless(oci::SecurityRule made) {
  made.isStateless = true;
  return made;
}

constexpr auto kIn = RuleDirection::Ingress;
constexpr auto kOut = RuleDirection::Egress;
const Ipv4Range kSubnet = *parseIpv4Block("10.0.0.0/24");

bool has(const PortSet& set, int port) {
  return set.contains(PortSet::of(port, port));
}

TEST(Ipv4Range, ReadsBlocksAndNothingElse) {
  EXPECT_EQ(parseIpv4Block("10.0.0.0/24"), (Ipv4Range{0x0a000000, 0x0a0000ff}));
  EXPECT_EQ(parseIpv4Block("0.0.0.0/0"), kEveryAddress);
  EXPECT_EQ(parseIpv4Block("255.255.255.255/32"), (Ipv4Range{0xffffffff, 0xffffffff}));
  for (const char* bad : {"", "10.0.0.0", "10.0.0.0/33", "10.0.0.1/24", "10.0.0/24", "10.0.0.256/32",
                          "10.0.0.0/24 ", "::/0", "all-iad-services", "10.0.0.0/-1", "a.b.c.d/8"})
    EXPECT_FALSE(parseIpv4Block(bad)) << bad;
  EXPECT_EQ(ipv4Text(0x0a00010f), "10.0.1.15");
}

TEST(Ipv4Range, ContainsOverlapsMeets) {
  const Ipv4Range half = *parseIpv4Block("10.0.0.128/25"), other = *parseIpv4Block("10.0.1.0/24");
  EXPECT_TRUE(kSubnet.contains(half));
  EXPECT_FALSE(half.contains(kSubnet));
  EXPECT_TRUE(half.overlaps(kSubnet));
  EXPECT_FALSE(other.overlaps(kSubnet));
  EXPECT_EQ(kSubnet.meet(half), half);
  EXPECT_EQ(kSubnet.meet(other), std::nullopt);
  EXPECT_EQ(kEveryAddress.size(), std::uint64_t{1} << 32);
}

// Every access against every telling packet, one by one.
TEST(Reach, DrawnRulesAgainstPacketsOneByOne) {
  std::mt19937 random(29400);
  const Ipv4Range block = *parseIpv4Block(testing::kBlock);
  long long packets = 0, open = 0, partly = 0, unanswered = 0;
  for (int round = 0; round < 1200; ++round) {
    const auto rules = drawRules(random, 9);
    const auto sources = tellingSources(rules);
    const bool inGroup = random() % 2 == 0;
    Peer peer = Peer::at(block);
    if (inGroup) peer.groups = {"group-a"};
    for (const RuleDirection direction : {kIn, kOut}) {
      const DirectionReach reach = reachOf(bookOf(rules), direction, peer);
      for (const int port : tellingPorts(rules)) {
        bool all = true, some = false;
        for (std::uint32_t address = testing::kFirstAddress; address <= testing::kLastAddress; ++address) {
          bool fromAll = true;
          for (const int source : sources) {
            Packet packet{direction, address, {}, source, port};
            if (inGroup) packet.peerGroups = {"group-a"};
            fromAll = passes(rules, packet) && fromAll;
            ++packets;
          }
          all = all && fromAll;
          some = some || fromAll;
        }
        ASSERT_EQ(has(reach.all, port), all) << "round " << round << " port " << port << "\n" << shown(rules);
        ASSERT_EQ(has(reach.some, port), some) << "round " << round << " port " << port << "\n"
                                               << shown(rules);
        open += all;
        partly += some && !all;
      }
      unanswered += !reach.unanswered.empty();
      EXPECT_TRUE(reach.some.contains(reach.all));
      EXPECT_TRUE(reach.passing.contains(reach.all));
    }
  }
  // The draw must have met what it is for.
  EXPECT_GT(open, 1000);
  EXPECT_GT(partly, 500);
  EXPECT_GT(unanswered, 200);
  RecordProperty("packets", std::to_string(packets));
}

TEST(Reach, TheTestsOwnTwoEvaluationsAgree) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const auto rules = drawRules(random, 9);
    for (const int source : tellingSources(rules)) {
      const auto bits = testing::passingPorts(rules, kIn, 0x0a000007, source).answered;
      for (const int port : tellingPorts(rules))
        ASSERT_EQ(bits[static_cast<std::size_t>(port)], passes(rules, {kIn, 0x0a000007, {}, source, port}))
            << port << "\n"
            << shown(rules);
    }
  }
}

TEST(Reach, TwoNodesWithRulesOfTheirOwn) {
  std::mt19937 random(8786);
  const Ipv4Range left = *parseIpv4Block("10.0.0.0/29"), right = *parseIpv4Block("10.0.0.8/29");
  for (int round = 0; round < 300; ++round) {
    const auto a = drawRules(random, 8), b = drawRules(random, 8);
    auto both = a;
    both.insert(both.end(), b.begin(), b.end());
    const PortSet open = openPorts({bookOf(a), Peer::at(left)}, {bookOf(b), Peer::at(right)});
    for (const int port : tellingPorts(both)) {
      bool all = true;
      for (const int source : tellingSources(both)) {
        for (std::uint32_t i = 0; i < 8; ++i)
          all = all && passes(a, {kOut, right.first + i, {}, source, port}) &&
                passes(b, {kIn, left.first + i, {}, source, port});
      }
      ASSERT_EQ(has(open, port), all) << "round " << round << " port " << port << "\nfrom\n"
                                      << shown(a) << "to\n"
                                      << shown(b);
    }
  }
}

TEST(Reach, AGroupIsOnlyWhoIsInIt) {
  oci::SecurityRule fromGroup = rule(kIn, "ocid1.networksecuritygroup.a");
  fromGroup.peerType = "NETWORK_SECURITY_GROUP";
  Peer peer = Peer::at(kSubnet);
  EXPECT_TRUE(reachOf(bookOf({fromGroup}), kIn, peer).some.empty());
  peer.groups = {"ocid1.networksecuritygroup.a"};
  EXPECT_EQ(reachOf(bookOf({fromGroup}), kIn, peer).all, PortSet::all());
}

TEST(Reach, AServiceIsReachedByItsLabelOrByEverything) {
  oci::SecurityRule toService =
      rule(kOut, "all-iad-services-in-oracle-services-network", oci::PortRange{443, 443});
  toService.peerType = "SERVICE_CIDR_BLOCK";
  EXPECT_TRUE(has(reachOf(bookOf({toService}), kOut, Peer::objectStorage()).all, 443));
  EXPECT_TRUE(reachOf(bookOf({toService}), kOut, Peer::at(kSubnet)).some.empty())
      << "a service is nobody of the subnet";
  EXPECT_TRUE(has(reachOf(bookOf({rule(kOut, "0.0.0.0/0")}), kOut, Peer::objectStorage()).all, 443));
  const DirectionReach part = reachOf(bookOf({rule(kOut, "134.70.0.0/16")}), kOut, Peer::objectStorage());
  EXPECT_FALSE(has(part.all, 443));
  EXPECT_TRUE(has(part.some, 443));
  toService.peer = "oci-iad-objectstorage";
  EXPECT_TRUE(has(reachOf(bookOf({toService}), kOut, Peer::objectStorage()).all, 443));
  toService.peer = "oci-iad-something-else";
  EXPECT_TRUE(reachOf(bookOf({toService}), kOut, Peer::objectStorage()).some.empty());
}

struct AccessCase {
  const char* name;
  std::vector<oci::SecurityRule> rules;
  ClosedBecause why;
  const char* says;  // a part of the explanation
};

TEST(PortAccess, SaysWhatIsWrong) {
  const oci::PortRange port{29400, 29400};
  const AccessCase cases[] = {
      {"open", {rule(kIn, "10.0.0.0/16", port)}, ClosedBecause::Open, ""},
      {"two halves", {rule(kIn, "10.0.0.0/25"), rule(kIn, "10.0.0.128/25", port)}, ClosedBecause::Open, ""},
      {"nothing", {}, ClosedBecause::NoRule, "no ingress rule lets TCP 29400 in from 10.0.0.0/24"},
      {"another port", {rule(kIn, "10.0.0.0/24", oci::PortRange{1, 29399})}, ClosedBecause::NoRule, "29400"},
      {"only out", {rule(kOut, "10.0.0.0/24")}, ClosedBecause::NoRule, "ingress"},
      {"another subnet", {rule(kIn, "10.0.1.0/24", port)}, ClosedBecause::OtherAddresses, "10.0.1.0/24"},
      {"half", {rule(kIn, "10.0.0.0/25", port)}, ClosedBecause::PartOfAddresses, "128 of the 256 addresses"},
      {"low sources",
       {rule(kIn, "10.0.0.0/24", port, oci::PortRange{1, 1023})},
       ClosedBecause::SourcePorts,
       "1-1023"},
      {"no return",
       {stateless(rule(kIn, "10.0.0.0/24", port))},
       ClosedBecause::NoReturn,
       "no egress rule lets the answers from port 29400"},
      {"a stateful one beside it does not help",
       {stateless(rule(kIn, "10.0.0.0/16", port)), rule(kIn, "10.0.0.0/24", port)},
       ClosedBecause::NoReturn,
       "stateless"},
      {"its return",
       {stateless(rule(kIn, "10.0.0.0/24", port)), stateless(rule(kOut, "10.0.0.0/24", {}, port))},
       ClosedBecause::Open,
       ""},
      {"half of the return",
       {stateless(rule(kIn, "10.0.0.0/24", port)), rule(kOut, "10.0.0.0/24", oci::PortRange{32768, 50000})},
       ClosedBecause::NoReturn,
       "answers"},
  };
  for (const AccessCase& row : cases) {
    const PortAccess access =
        evaluatePorts(bookOf(row.rules), kIn, Peer::at(kSubnet), "10.0.0.0/24", PortSet::of(29400, 29400));
    EXPECT_EQ(access.why, row.why) << row.name << ": " << access.because;
    EXPECT_EQ(access.closed.empty(), row.why == ClosedBecause::Open) << row.name;
    EXPECT_NE(access.because.find(row.says), std::string::npos) << row.name << ": " << access.because;
    EXPECT_EQ(access.deciding.empty(), row.why == ClosedBecause::NoRule) << row.name;
  }
}

TEST(PortAccess, ManyRulesAreEvaluatedInTime) {
  std::vector<oci::SecurityRule> rules;  // five lists of two hundred rules: what a subnet can have
  for (int i = 0; i < 1000; ++i) {
    oci::SecurityRule one =
        rule(i % 2 == 0 ? kIn : kOut, ipv4Text(0x0a000000u + static_cast<unsigned>(i % 256)) + "/32",
             oci::PortRange{1000 + i, 2000 + i}, oci::PortRange{1 + i, 40000 + i});
    one.isStateless = i % 4 == 0;
    rules.push_back(one);
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(reachWithin(bookOf(rules), kSubnet).open().empty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST(RuleBook, TextsNameEverythingThatDecides) {
  oci::SecurityRule one = stateless(rule(kIn, "10.0.0.0/24", oci::PortRange{1, 5}, oci::PortRange{7, 7}));
  EXPECT_EQ(ruleText(one), "TCP 1-5 from 10.0.0.0/24, source ports 7, stateless");
  one = rule(kOut, "0.0.0.0/0");
  one.protocol = "all";
  EXPECT_EQ(ruleText(one), "all protocols to 0.0.0.0/0");
  one.protocol = "1";
  one.icmpType = 3;
  one.icmpCode = 4;
  EXPECT_EQ(ruleText(one), "ICMP type 3 code 4 to 0.0.0.0/0");
  oci::SecurityList list;
  list.displayName = "mine";
  list.ingress = {rule(kIn, "10.0.0.0/24")};
  list.egress = {one};
  EXPECT_EQ(rulesOf({list}).front().place, "security list 'mine', ingress rule 1");
  EXPECT_EQ(
      listText(list),
      "security list 'mine'\ningress\n  TCP from 10.0.0.0/24\negress\n  ICMP type 3 code 4 to 0.0.0.0/0\n");
}

}  // namespace
}  // namespace lockstep
