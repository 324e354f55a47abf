// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "policy/policy_statement.h"

namespace lockstep {
namespace {

using nlohmann::json;

json readData(const std::string& name) {
  std::ifstream file(std::string(LOCKSTEP_TEST_DATA) + "/iam/" + name);
  return json::parse(file);
}

std::string mistakeIn(const std::string& text) {
  const auto parsed = parsePolicyStatement(text);
  if (parsed) return parsed->doubts.empty() ? "" : describe(text, parsed->doubts.front());
  return describe(text, parsed.error());
}

TEST(Statement, IsReadWithItsParts) {
  const auto s = parsePolicyStatement(
      "ALLOW group Trainers, 'My Domain'/'Deep Learners', id ocid1.group.oc1..x to Manage Objects in "
      "compartment "
      "a:'b c' where all {target.bucket.name = /run-*/, request.permission != 'OBJECT_DELETE'}");
  ASSERT_TRUE(s) << s.error().what;
  ASSERT_EQ(s->subject.names.size(), 3U);
  EXPECT_EQ(s->subject.names[1], (PolicySubject::Name{"Deep Learners", "My Domain", false}));
  EXPECT_EQ(s->subject.names[2], (PolicySubject::Name{"ocid1.group.oc1..x", "", true}));
  EXPECT_EQ(s->verb, PolicyVerb::Manage);
  EXPECT_EQ(s->resourceType, "objects");
  EXPECT_EQ(s->location.path, (std::vector<std::string>{"a", "b c"}));
  ASSERT_TRUE(s->where);
  ASSERT_EQ(s->where->parts.size(), 2U);
  EXPECT_EQ(s->where->parts[0].test.values.front().kind, PolicyTest::Value::Kind::Pattern);
  EXPECT_EQ(s->where->parts[1].test.op, PolicyTest::Operator::NotEqual);
}

TEST(Statement, NamesPermissionsAndPlacesInEveryForm) {
  const auto list = parsePolicyStatement(
      "allow any-user to {object_read, OBJECT_INSPECT} in compartment id ocid1.c.oc1..z");
  ASSERT_TRUE(list);
  EXPECT_EQ(list->permissions, (std::vector<std::string>{"OBJECT_READ", "OBJECT_INSPECT"}));
  EXPECT_EQ(list->location.id, "ocid1.c.oc1..z");
  const auto service =
      parsePolicyStatement("Allow service datascience to use virtual-network-family in tenancy");
  ASSERT_TRUE(service);
  EXPECT_EQ(service->subject.kind, PolicySubject::Kind::Service);
  const auto times = parsePolicyStatement(
      "Allow any-group to read repos in the tenancy where any {request.utc-timestamp before "
      "'2026-12-01T00:00Z', target.repo.name in ('a', /b*/), request.user.id = target.user.id}");
  ASSERT_TRUE(times) << times.error().what;
  EXPECT_EQ(times->where->parts[1].test.values.size(), 2U);
  EXPECT_EQ(times->where->parts[2].test.values.front().kind, PolicyTest::Value::Kind::Variable);
}

TEST(Statement, OfOtherTenanciesIsRecognisedAndNotRead) {
  for (const auto& [text, effect] : std::initializer_list<std::pair<const char*, PolicyStatement::Effect>>{
           {"Endorse group A to read objects in any-tenancy", PolicyStatement::Effect::Endorse},
           {"admit group A of tenancy B to read objects in tenancy", PolicyStatement::Effect::Admit},
           {"Define tenancy B as ocid1.tenancy.oc1..b", PolicyStatement::Effect::Define}}) {
    const auto parsed = parsePolicyStatement(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(parsed->effect, effect);
  }
}

TEST(Mistake, OfTheGuidesIsNamedWithARemedy) {
  EXPECT_EQ(mistakeIn("Allow group Trainers to use read metrics in compartment train"),
            "at character 29 ('read'): 'use read' are two verbs, and a statement has one; write 'read "
            "metrics', or 'use metrics' for more");
  EXPECT_EQ(mistakeIn("Allow group Trainers to read metrics in compartment <compartment>"),
            "at character 53 ('<compartment>'): the placeholder <compartment> was never replaced; put the "
            "name of yours in its place");
  EXPECT_EQ(
      mistakeIn("Allow group Trainers to read metrics in compartment your_compartment_name"),
      "at character 53 ('your_compartment_name'): 'your_compartment_name' looks like a placeholder of an "
      "example; put the name of your compartment in its place");
  EXPECT_EQ(
      mistakeIn("Allow group T to manage data-science-job in tenancy"),
      "at character 25 ('data-science-job'): 'data-science-job' is no resource type that Lockstep knows; "
      "'data-science-jobs' may be meant");
  EXPECT_EQ(mistakeIn("Allow group T to read objects in compartment ocid1.compartment.oc1..x"),
            "at character 46 ('ocid1.compartment.oc1..x'): an OCID stands where a name is expected; write: "
            "compartment id ocid1.compartment.oc1..x");
}

// Each of the region's table of wrong statements is a mistake, a doubt or about another tenancy here as well.
TEST(Mistake, OfTheTableIsNeverTakenForAGrant) {
  const json rows = readData("mistakes.json");
  ASSERT_GT(rows.size(), 25U);
  for (const json& row : rows) {
    const std::string text = row["statement"];
    const auto parsed = parsePolicyStatement(text);
    if (!parsed) {
      EXPECT_LE(parsed.error().place, text.size()) << text;
      EXPECT_FALSE(parsed.error().what.empty()) << text;
      continue;
    }
    const bool unknownPermission = text.find("OBJECT_READS") != std::string::npos;
    EXPECT_TRUE(parsed->effect != PolicyStatement::Effect::Allow || !parsed->doubts.empty() ||
                unknownPermission)
        << text;
  }
}

TEST(Statement, OfTheAccessTableIsReadAndWrittenBackTheSame) {
  int statements = 0;
  for (const json& row : readData("access.json"))
    for (const std::string text : row["statements"]) {
      const auto parsed = parsePolicyStatement(text);
      if (text.find('$') != std::string::npos) continue;  // an id that the region's test puts in
      ++statements;
      ASSERT_TRUE(parsed) << text << ": " << describe(text, parsed.error());
      const auto again = parsePolicyStatement(toText(*parsed));
      ASSERT_TRUE(again) << toText(*parsed);
      auto expected = *parsed;
      auto got = *again;
      expected.doubts.clear();  // they name places of the text
      got.doubts.clear();
      EXPECT_EQ(got, expected) << text << " became " << toText(*parsed);
    }
  EXPECT_GT(statements, 150);
}

// Whatever is cut off or changed, the answer is a statement or a mistake within the text.
TEST(Statement, NoTextBringsTheParserDown) {
  std::size_t texts = 0;
  for (const json& row : readData("access.json")) {
    if (row["statements"].empty()) continue;
    const std::string statement = row["statements"][0];
    for (std::size_t at = 0; at < statement.size(); ++at) {
      std::string changed = statement;
      changed[at] = "'{}(),=/!<"[at % 10];
      for (const std::string& text : {statement.substr(0, at), statement.substr(at), changed}) {
        ++texts;
        const auto parsed = parsePolicyStatement(text);
        if (!parsed) {
          ASSERT_LE(parsed.error().place, text.size()) << text;
        } else if (parsed->effect == PolicyStatement::Effect::Allow) {
          ASSERT_TRUE(parsePolicyStatement(toText(*parsed))) << text << "\n" << toText(*parsed);
        }
      }
    }
  }
  EXPECT_GT(texts, 10'000U);
  std::string deep = "Allow any-user to read objects in tenancy where ";
  for (int i = 0; i < 5000; ++i) deep += "all {";
  EXPECT_FALSE(parsePolicyStatement(deep));
}

TEST(MatchingRule, IsReadByItsOwnWords) {
  for (const char* rule :
       {"resource.type = 'datasciencejobrun'", "instance.compartment.id='x'", "tag.Ops.Team.value",
        "Any {instance.id = 'a', instance.id = 'b'}", "ALL {resource.type='x', any {resource.id != 'b'}}"})
    EXPECT_TRUE(parseMatchingRule(rule)) << rule;
  for (const char* rule : {"", "resource.type", "resource.kind='x'", "all {resource.type='x'",
                           "resource.type='x', resource.id='y'", "resource.type=x", "resource.id='<OCID>'",
                           "target.bucket.name='x'"})
    EXPECT_FALSE(parseMatchingRule(rule)) << rule;
}

}  // namespace
}  // namespace lockstep
