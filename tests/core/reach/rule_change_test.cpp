// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/rule_change.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>

#include "drawn_rules.h"

namespace lockstep {
namespace {

using testing::drawRules;
using testing::shown;
using testing::tellingSources;

constexpr auto kIn = RuleDirection::Ingress;
constexpr auto kOut = RuleDirection::Egress;

RuleBook bookOf(const std::vector<oci::SecurityRule>& rules) {
  RuleBook book;
  for (const oci::SecurityRule& rule : rules) book.push_back({rule, "rule"});
  return book;
}

std::vector<oci::SecurityRule> rulesOfBook(const RuleBook& book) {
  std::vector<oci::SecurityRule> rules;
  for (const PlacedRule& placed : book) rules.push_back(placed.rule);
  return rules;
}

bool has(const PortSet& set, int port) {
  return set.contains(PortSet::of(port, port));
}

PortSet drawAsked(std::mt19937& random) {
  switch (random() % 5) {
    case 0:
      return PortSet::of(1, 65535);
    case 1:
      return PortSet::of(29400, 29400);
    case 2:
      return PortSet::of(8786, 8787) | PortSet::of(3000, 3100) | PortSet::of(8700, 8800);
    case 3:
      return PortSet::of(12345, 12345) | PortSet::of(39990, 40010);  // among the ports of connections, too
    default:
      return PortSet::of(40000, 40000 + static_cast<int>(random() % 20000));
  }
}

struct Story {
  std::vector<oci::SecurityRule> before, after;
  PortSet asked;
  RuleChange change;
};

Story drawStory(std::mt19937& random) {
  Story story;
  story.before = drawRules(random, 7);
  story.asked = drawAsked(random);
  story.change = smallestOpening(bookOf(story.before), testing::kBlock, story.asked);
  story.after = rulesOfBook(with(bookOf(story.before), story.change));
  return story;
}

using Ports = std::bitset<65536>;

Ports bitsOf(const PortSet& set) {
  Ports bits;
  for (const PortSet::Interval& one : set.intervals())
    for (int port = one.first; port <= one.last; ++port) bits.set(static_cast<std::size_t>(port));
  return bits;
}

std::string firstOf(const Ports& ports) {
  return std::to_string(ports._Find_first());
}

/// Every port of one peer from one source port, before and after.
void expectExactly(const Story& story, RuleDirection direction, std::uint32_t address, int source,
                   bool isInside) {
  const auto before = testing::passingPorts(story.before, direction, address, source);
  const auto after = testing::passingPorts(story.after, direction, address, source);
  const std::string where = (direction == kIn ? " from " : " to ") + ipv4Text(address) + ", source port " +
                            std::to_string(source) + "\n" + shown(story.after);
  ASSERT_TRUE((before.answered & ~after.answered).none())
      << "cut off: port " << firstOf(before.answered & ~after.answered) << where;
  if (!isInside) {
    ASSERT_EQ(after.passing, before.passing)
        << "opened for somebody outside: port " << firstOf(before.passing ^ after.passing) << where;
    ASSERT_EQ(after.answered, before.answered) << "answered for somebody outside" << where;
    return;
  }
  const Ports asked = bitsOf(story.asked);
  ASSERT_TRUE((asked & ~after.answered).none())
      << "still closed: port " << firstOf(asked & ~after.answered) << where;
  Ports mayOpen = asked;
  if (asked.count() == 65535) mayOpen.set(0);  // "all ports" is a rule without ports, and nobody listens on 0
  // What answers a connection to an asked port comes from it, to an ephemeral one.
  const bool mayAnswer = has(story.asked, source);
  const Ports packets =
      after.passing & ~before.passing & ~mayOpen & ~(mayAnswer ? bitsOf(ephemeralPorts()) : Ports());
  ASSERT_TRUE(packets.none()) << "opened without being asked: port " << firstOf(packets) << where;
  const Ports connections = after.answered & ~before.answered & ~mayOpen;
  ASSERT_TRUE(mayAnswer || connections.none())
      << "connects without being asked: port " << firstOf(connections) << where;
}

TEST(SmallestOpening, OpensExactlyWhatIsAskedForAtEveryPort) {
  std::mt19937 random(12345);
  int changes = 0, answers = 0;
  for (int round = 0; round < 60; ++round) {
    const Story story = drawStory(random);
    SCOPED_TRACE("round " + std::to_string(round) + ", asked " + story.asked.toString() + ", before\n" +
                 shown(story.before));
    changes += !story.change.empty();
    for (const auto& rule : story.change.ingress) answers += rule.sourcePorts.has_value();
    std::vector<int> sources = tellingSources(story.after);
    std::shuffle(sources.begin(), sources.end(), random);
    sources.resize(std::min<std::size_t>(sources.size(), 4));
    for (const int source : sources)
      for (const RuleDirection direction : {kIn, kOut}) {
        for (const std::uint32_t inside : {0x0a000000u, 0x0a000007u, 0x0a00000fu})
          expectExactly(story, direction, inside, source, true);
        for (const std::uint32_t outside : {0x0a000010u, 0x09ffffffu, 0x08080808u})
          expectExactly(story, direction, outside, source, false);
      }
    if (HasFailure()) return;
  }
  EXPECT_GT(changes, 40);
  EXPECT_GT(answers, 3);
}

TEST(SmallestOpening, IsEnoughSmallAndSaysNothingTwice) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const Story story = drawStory(random);
    SCOPED_TRACE("round " + std::to_string(round) + ", asked " + story.asked.toString() + ", after\n" +
                 shown(story.after));
    const NodeReach reach = reachWithin(bookOf(story.after), *parseIpv4Block(testing::kBlock));
    ASSERT_TRUE(reach.open().contains(story.asked));
    ASSERT_TRUE(smallestOpening(bookOf(story.after), testing::kBlock, story.asked).empty());
    // None of the rules can be done without.
    for (std::size_t i = story.before.size(); i < story.after.size(); ++i) {
      EXPECT_EQ(story.after[i].peer, testing::kBlock);
      EXPECT_FALSE(story.after[i].isStateless);
      auto without = story.after;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(
          reachWithin(bookOf(without), *parseIpv4Block(testing::kBlock)).open().contains(story.asked))
          << "not needed: " << ruleText(story.after[i]);
    }
    if (HasFailure()) return;
  }
}

TEST(SmallestOpening, IsOneRuleForOnePort) {
  oci::SecurityRule everythingOut;
  everythingOut.direction = kOut;
  everythingOut.protocol = "all";
  everythingOut.peer = "0.0.0.0/0";
  const auto one = smallestOpening(bookOf({everythingOut}), "10.0.0.0/24", PortSet::of(29400, 29400));
  ASSERT_EQ(one.ingress.size(), 1U);
  EXPECT_TRUE(one.egress.empty());
  EXPECT_EQ(ruleText(one.ingress.front()), "TCP 29400 from 10.0.0.0/24");
  const auto all = smallestOpening(bookOf({everythingOut}), "10.0.0.0/24", PortSet::of(1, 65535));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(ruleText(all.ingress.front()), "TCP from 10.0.0.0/24");
  EXPECT_TRUE(smallestOpening(bookOf({}), "fd00::/64", PortSet::all()).empty());
}

TEST(SmallestOpening, GivesAForgottenConnectionItsWayBack) {
  oci::SecurityRule in;
  in.peer = "10.0.0.0/24";
  in.destinationPorts = oci::PortRange{29400, 29400};
  in.isStateless = true;
  oci::SecurityRule out;
  out.direction = kOut;
  out.peer = "10.0.0.0/24";
  out.destinationPorts = oci::PortRange{29400, 29400};
  const auto change = smallestOpening(bookOf({in, out}), "10.0.0.0/24", PortSet::of(29400, 29400));
  ASSERT_EQ(change.size(), 1U);
  EXPECT_EQ(ruleText(change.egress.front()), "TCP 32768-60999 to 10.0.0.0/24, source ports 29400");
}

TEST(OpenEverything, IsAllTcpForEverybodyAndNothingElse) {
  const RuleChange change = openEverything({});
  ASSERT_EQ(change.size(), 2U);
  EXPECT_EQ(ruleText(change.ingress.front()), "TCP from 0.0.0.0/0");
  EXPECT_EQ(ruleText(change.egress.front()), "TCP to 0.0.0.0/0");
  EXPECT_TRUE(openEverything(with(RuleBook{}, change)).empty());
}

TEST(OpenStorage, NamesTheServiceAndItsAnswers) {
  const std::string label = "all-iad-services-in-oracle-services-network";
  const RuleChange change = openStorage({}, label);
  ASSERT_EQ(change.size(), 1U);
  EXPECT_EQ(ruleText(change.egress.front()), "TCP 443 to the service " + label);
  oci::SecurityRule forgetting = change.egress.front();
  forgetting.isStateless = true;
  const RuleChange back = openStorage(bookOf({forgetting}), label);
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(ruleText(back.ingress.front()),
            "TCP 32768-60999 from the service " + label + ", source ports 443");
  EXPECT_TRUE(openStorage(with(bookOf({forgetting}), back), label).empty());
}

TEST(TakeOut, TakesWhatWasAddedAndNothingElse) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    const Story story = drawStory(random);
    oci::SecurityList list;
    for (const auto& rule : story.before)
      (rule.direction == kIn ? list.ingress : list.egress).push_back(rule);
    const oci::SecurityList before = list;
    list = with(list, story.change);
    EXPECT_TRUE(hasAll(list, story.change));
    // Somebody adds a rule of the same kind meanwhile.
    oci::SecurityRule theirs;
    theirs.peer = testing::kBlock;
    theirs.destinationPorts = oci::PortRange{29400, 29400};
    list.ingress.push_back(theirs);
    EXPECT_TRUE(removeChange(list, story.change).empty());
    auto wanted = before;
    wanted.ingress.push_back(theirs);
    EXPECT_EQ(list.ingress, wanted.ingress);
    EXPECT_EQ(list.egress, wanted.egress);
  }
}

TEST(TakeOut, SaysWhatIsNotThereAnyMore) {
  const RuleChange change = openEverything({});
  oci::SecurityList list = with(oci::SecurityList{}, change);
  list.ingress.front().destinationPorts = oci::PortRange{22, 22};
  ASSERT_NE(findAltered(list, change), nullptr);
  EXPECT_EQ(ruleText(*findAltered(list, change)), "TCP 22 from 0.0.0.0/0");
  const RuleChange missing = removeChange(list, change);
  EXPECT_EQ(missing.ingress.size(), 1U);
  EXPECT_TRUE(missing.egress.empty());
  EXPECT_EQ(list.ingress.size(), 1U) << "what somebody altered is theirs";
  EXPECT_TRUE(list.egress.empty());
}

}  // namespace
}  // namespace lockstep
