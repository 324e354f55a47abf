// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "policy/policy_statement.h"

namespace lockstep {
namespace {

std::optional<PolicyCondition> read(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto parsed = parsePolicyStatement("Allow any-user to read objects in tenancy where " + text);
  if (!parsed) throw std::runtime_error(text + ": " + parsed.error().what);
  return parsed->where;
}

bool covers(const std::vector<std::string>& granted, const std::string& asked,
            const PolicyFacts& facts = {}) {
  std::vector<std::optional<PolicyCondition>> conditions;
  for (const std::string& text : granted) conditions.push_back(read(text));
  std::vector<const PolicyCondition*> pointers;
  for (const auto& one : conditions) pointers.push_back(one ? &*one : nullptr);
  const auto wanted = read(asked);
  return coversCondition(pointers, wanted ? &*wanted : nullptr, facts);
}

TEST(Condition, NoneCoversAny) {
  EXPECT_TRUE(covers({""}, "target.bucket.name = 'a'"));
  EXPECT_TRUE(covers({""}, ""));
  EXPECT_FALSE(covers({"target.bucket.name = 'a'"}, ""));
  EXPECT_FALSE(covers({}, ""));
}

TEST(Condition, CoversAnEqualOrNarrowerOne) {
  const std::string a = "target.bucket.name = 'a'";
  EXPECT_TRUE(covers({a}, "target.bucket.name = 'A'")) << "values compare in any case";
  EXPECT_TRUE(covers({"any {" + a + ", target.bucket.name = 'b'}"}, a));
  EXPECT_TRUE(covers({"target.bucket.name in ('b', 'a')"}, a));
  EXPECT_TRUE(covers({a}, "all {" + a + ", request.region = 'iad'}"));
  EXPECT_FALSE(covers({"all {" + a + ", request.region = 'iad'}"}, a));
  EXPECT_FALSE(covers({"target.bucket.name = 'b'"}, a));
  EXPECT_TRUE(covers({a, "target.bucket.name = 'b'"}, "target.bucket.name in ('a', 'b')"))
      << "two statements cover what neither covers alone";
  EXPECT_FALSE(covers({a}, "target.bucket.name in ('a', 'b')"));
  EXPECT_FALSE(covers({a}, "target.object.name = 'a'"));
}

TEST(Condition, UnderstandsPatternsAndExclusions) {
  EXPECT_TRUE(covers({"target.bucket.name = /run-*/"}, "target.bucket.name = 'Run-7'"));
  EXPECT_TRUE(covers({"target.bucket.name = /run-*/"}, "target.bucket.name = /run-7*/"));
  EXPECT_FALSE(covers({"target.bucket.name = /run-7*/"}, "target.bucket.name = /run-*/"));
  EXPECT_FALSE(covers({"target.bucket.name = 'run-*'"}, "target.bucket.name = /run-*/"));
  EXPECT_TRUE(covers({"target.bucket.name != 'x'"}, "target.bucket.name = 'a'"));
  EXPECT_FALSE(covers({"target.bucket.name != 'a'"}, "target.bucket.name = 'a'"));
  EXPECT_TRUE(covers({"target.bucket.name != 'abc'"}, "target.bucket.name != /a*/"));
  EXPECT_FALSE(covers({"target.bucket.name != /a*/"}, "target.bucket.name != 'abc'"));
  EXPECT_TRUE(covers({"target.bucket.name != /x*/"}, "target.bucket.name = /a*/"));
  EXPECT_TRUE(covers({"target.bucket.name not in ('x', 'y')"},
                     "all {target.bucket.name != 'y', target.bucket.name != 'x'}"));
  EXPECT_TRUE(covers({"request.utc-timestamp before '2027-01-01T00:00Z'"},
                     "request.utc-timestamp before '2026-12-01T00:00Z'"));
  EXPECT_FALSE(covers({"request.utc-timestamp before '2026-12-01T00:00Z'"},
                      "request.utc-timestamp before '2027-01-01T00:00Z'"));
}

TEST(Condition, MayBeMetByWhatIsKnown) {
  const PolicyFacts facts{isEqualTest("request.permission", "OBJECT_READ"),
                          isEqualTest("request.principal.type", "datasciencejobrun")};
  EXPECT_TRUE(covers({"request.principal.type = 'datasciencejobrun'"}, "", facts));
  EXPECT_TRUE(covers({"request.permission != 'OBJECT_DELETE'"}, "", facts));
  EXPECT_FALSE(covers({"any {request.permission = 'OBJECT_CREATE', request.permission = 'OBJECT_DELETE'}"},
                      "", facts));
}

// ---- against every request of a small world

using World =
    std::map<std::string, std::string>;  // values of the variables; one that is missing does not apply

bool matches(const PolicyTest::Value& value, const World& world, const std::string& actual) {
  if (value.kind == PolicyTest::Value::Kind::Variable) {
    const auto other = world.find(value.text);
    return other != world.end() && other->second == actual;
  }
  if (value.kind == PolicyTest::Value::Kind::Text) return value.text == actual;
  const std::string& p = value.text;
  if (p.front() == '*' && p.back() == '*')
    return p.size() < 2 || actual.find(p.substr(1, p.size() - 2)) != std::string::npos;
  if (p.back() == '*') return actual.starts_with(p.substr(0, p.size() - 1));
  return p.front() == '*' ? actual.ends_with(p.substr(1)) : actual == p;
}

bool holds(const PolicyCondition& c, const World& world) {
  if (c.kind == PolicyCondition::Kind::All)
    return std::ranges::all_of(c.parts, [&](const auto& p) { return holds(p, world); });
  if (c.kind == PolicyCondition::Kind::Any)
    return std::ranges::any_of(c.parts, [&](const auto& p) { return holds(p, world); });
  const auto actual = world.find(c.test.variable);
  if (actual == world.end()) return false;
  const bool found = std::ranges::any_of(
      c.test.values, [&](const auto& value) { return matches(value, world, actual->second); });
  const bool isNegative =
      c.test.op == PolicyTest::Operator::NotEqual || c.test.op == PolicyTest::Operator::NotIn;
  return found != isNegative;
}

const std::vector<std::string> kValues{"a", "ab", "abc", "b", "bc", "x"};

std::vector<World> allWorlds() {
  std::vector<World> worlds{{}};
  for (const char* variable : {"target.bucket.name", "request.region"}) {
    std::vector<World> more = worlds;
    for (const World& world : worlds)
      for (const std::string& value : kValues) {
        more.push_back(world);
        more.back()[variable] = value;
      }
    worlds = std::move(more);
  }
  return worlds;
}

PolicyCondition randomCondition(std::mt19937& random, int depth) {
  const auto pick = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  if (depth > 0 && pick(2) == 0) {
    PolicyCondition group{pick(2) == 0 ? PolicyCondition::Kind::All : PolicyCondition::Kind::Any, {}, {}};
    for (std::size_t i = 0, n = 1 + pick(3); i < n; ++i)
      group.parts.push_back(randomCondition(random, depth - 1));
    return group;
  }
  const std::vector<std::string> patterns{"a*", "*c", "*b*", "b*", "*"};
  using Op = PolicyTest::Operator;
  PolicyTest test{pick(3) == 0 ? "request.region" : "target.bucket.name",
                  std::vector{Op::Equal, Op::Equal, Op::NotEqual, Op::In, Op::NotIn}[pick(5)],
                  {}};
  const bool isList = test.op == Op::In || test.op == Op::NotIn;
  for (std::size_t i = 0, n = isList ? 1 + pick(3) : 1; i < n; ++i)
    test.values.push_back(
        pick(3) == 0 ? PolicyTest::Value{patterns[pick(patterns.size())], PolicyTest::Value::Kind::Pattern}
                     : PolicyTest::Value{kValues[pick(kValues.size())]});
  return conditionOf(test);
}

TEST(ConditionProperty, NeverSaysCoveredWhereARequestIsLeftOut) {
  std::mt19937 random(20261122);
  const std::vector<World> worlds = allWorlds();
  int covered = 0, missed = 0, trueCovers = 0;
  for (int round = 0; round < 20'000; ++round) {
    const PolicyCondition asked = randomCondition(random, 2), one = randomCondition(random, 2),
                          other = randomCondition(random, 1);
    const bool said = coversCondition({&one, &other}, &asked, {});
    const bool isSo = std::ranges::all_of(worlds, [&](const World& world) {
      return !holds(asked, world) || holds(one, world) || holds(other, world);
    });
    ASSERT_TRUE(isSo || !said) << toText(asked) << "\nis not within\n"
                               << toText(one) << "\nor " << toText(other);
    if (!mayHold(&asked, {})) {
      for (const World& world : worlds) ASSERT_FALSE(holds(asked, world)) << toText(asked);
    }
    covered += said;
    trueCovers += isSo;
    missed += isSo && !said;
  }
  EXPECT_GT(covered, 2000);
  // In this small world some conditions coincide that differ in a larger one.
  EXPECT_LT(missed, trueCovers / 4) << "of " << trueCovers;
}

}  // namespace
}  // namespace lockstep
