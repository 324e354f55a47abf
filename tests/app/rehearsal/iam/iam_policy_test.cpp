// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "rehearsal/iam/access.h"
#include "rehearsal/iam/policy_engine.h"
#include "rehearsal/objects/object_store.h"
#include "rehearsal/state/resources.h"
#include "tests/app/rehearsal/iam/iam_world.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using namespace lockstep::rehearsal;

json readData(const std::string& name) {
  std::ifstream file(std::string(LOCKSTEP_TEST_DATA) + "/iam/" + name);
  return json::parse(file);
}

/// One row of tests/data/iam/access.json as a request.
struct AskedRow {
  std::map<std::string, std::string> path;
  TargetFacts facts;

  AskedRow(const IamWorld& world, const json& row) {
    std::istringstream words(row["facts"].get<std::string>());
    for (std::string word; std::getline(words, word, ';');) {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals), value = world.filled(word.substr(equals + 1));
      if (name == "old" || name == "new")
        path = {{"ns", "one"}, {"b", facts.at("target.bucket.name")}, {"o", name}};
      else
        facts[name] = value;
    }
    if (row["operation"] == "PutObject" && path.empty()) path = {{"ns", "one"}, {"b", "b"}, {"o", "new"}};
  }
};

bool isAllowed(IamWorld& world, const json& row) {
  Transaction transaction(world.database());
  std::vector<std::string> statements;
  for (const auto& text : row["statements"]) statements.push_back(world.filled(text.get<std::string>()));
  addTestPolicy(transaction, world.place(row["attachedTo"].get<std::string>()), statements);
  const AskedRow asked(world, row);
  const IncomingRequest request;
  const Call call{request,
                  row["operation"].get<std::string>(),
                  world.principal(row["who"].get<std::string>()),
                  TimePoint{std::chrono::seconds(1'790'000'000)},
                  asked.path,
                  {}};
  const std::string place = world.place(row["in"].get<std::string>());
  if (call.operation == "PutObject") return mayPut(transaction, call, place, asked.facts);
  return mayIn(transaction, call, place, asked.facts);
}

TEST(IamTable, EveryRowIsDecidedAsDocumented) {
  IamWorld world;
  const json rows = readData("access.json");
  ASSERT_GE(rows.size(), 150U);
  int number = 0;
  for (const json& row : rows) {
    ++number;
    ASSERT_FALSE(row["source"].get<std::string>().empty());
    ASSERT_NE(needsOf(row["operation"].get<std::string>()), nullptr) << row["operation"];
    EXPECT_EQ(isAllowed(world, row), row["allowed"].get<bool>())
        << "row " << number << " (" << row["source"].get<std::string>()
        << "): " << row["who"].get<std::string>() << " asks for " << row["operation"].get<std::string>()
        << " in " << row["in"].get<std::string>() << " with " << row["facts"].get<std::string>() << " under "
        << row["statements"].dump();
  }
}

// Rows whose source begins with "memory:" are what no page of Oracle says; they do not count.
TEST(IamTable, StandsOnTheDocuments) {
  std::size_t documented = 0, jobGuide = 0, trainingGuide = 0;
  for (const json& row : readData("access.json")) {
    const std::string source = row["source"];
    if (source.starts_with("memory:")) continue;
    ++documented;
    if (source.find("jobs/policies") != std::string::npos) ++jobGuide;
    if (source.find("distributed_training/configuration") != std::string::npos) ++trainingGuide;
  }
  EXPECT_GE(documented, 150U);
  EXPECT_GE(jobGuide, 40U);
  EXPECT_GE(trainingGuide, 40U);
}

TEST(IamTable, EveryStatementOfARowIsWellFormed) {
  const IamWorld world;
  for (const json& row : readData("access.json"))
    for (const auto& text : row["statements"]) {
      const std::string statement = world.filled(text.get<std::string>());
      const auto parsed = parsePolicyStatement(statement);
      EXPECT_TRUE(parsed.has_value())
          << statement << ": " << (parsed ? "" : describeMistake(statement, parsed.error()));
    }
}

TEST(IamTable, EveryMistakeIsNamedWithItsPlace) {
  for (const json& row : readData("mistakes.json")) {
    const std::string statement = row["statement"];
    const auto parsed = parsePolicyStatement(statement);
    ASSERT_FALSE(parsed.has_value()) << statement;
    const std::string message = describeMistake(statement, parsed.error());
    EXPECT_NE(message.find(row["says"].get<std::string>()), std::string::npos)
        << statement << "\n  " << message;
    EXPECT_TRUE(message.starts_with("at character ")) << message;
  }
}

// Whatever is cut or changed in a statement is either a statement or a mistake at a place within it.
TEST(PolicyGrammar, NoTextBringsItDown) {
  const IamWorld world;
  std::size_t texts = 0;
  for (const json& row : readData("access.json")) {
    if (row["statements"].empty()) continue;
    const std::string statement = row["statements"][0];
    for (std::size_t at = 0; at < statement.size(); ++at) {
      std::string changed = statement;
      changed[at] = "'{}(),=/!"[at % 9];
      for (const std::string& text : {statement.substr(0, at), statement.substr(at), changed}) {
        ++texts;
        const auto parsed = parsePolicyStatement(text);
        if (!parsed) {
          ASSERT_LE(parsed.error().place, text.size()) << text;
        }
      }
    }
  }
  EXPECT_GT(texts, 10'000U);
  EXPECT_FALSE(
      parsePolicyStatement("Allow group A to read objects in tenancy where " + std::string(500, '{')));
  std::string deep = "Allow group A to read objects in tenancy where ";
  for (int i = 0; i < 5000; ++i) deep += "all {";
  EXPECT_FALSE(parsePolicyStatement(deep));
}

TEST(MatchingRules, AreParsedAndTheirMistakesNamed) {
  for (const char* rule :
       {"resource.type = 'datasciencejobrun'", "instance.compartment.id='x'", "tag.Ops.Team.value",
        "tag.Ops.Team.value='red'", "Any {instance.id = 'a', instance.id = 'b'}",
        "ALL {resource.type = 'fnfunc', Any {resource.id='a', resource.id!='b'}}"})
    EXPECT_TRUE(parseMatchingRule(rule)) << rule;
  for (const char* rule : {"", "resource.type", "resource.kind='x'", "all {resource.type='x'",
                           "resource.type='x', resource.id='y'", "resource.type=x", "resource.id='<OCID>'",
                           "target.bucket.name='x'"})
    EXPECT_FALSE(parseMatchingRule(rule)) << rule;
}

TEST(PolicyBook, HearsOfEveryChangeAlsoWhenItIsTakenBack) {
  IamWorld world;
  const IncomingRequest request;
  const Call call{request, "ListJobs", world.principal("ann"), TimePoint{}, {}, {}};
  const auto mayList = [&](Transaction& transaction) {
    return mayIn(transaction, call, world.place("train"));
  };
  {
    Transaction transaction(world.database());
    EXPECT_FALSE(mayList(transaction));
    addTestPolicy(transaction, world.place("tenancy"),
                  {"Allow group Trainers to inspect data-science-jobs in tenancy"});
    EXPECT_TRUE(mayList(transaction));
  }  // rolled back
  {
    Transaction transaction(world.database());
    EXPECT_FALSE(mayList(transaction));
    addTestPolicy(transaction, world.place("tenancy"),
                  {"Allow group Trainers to inspect data-science-jobs in tenancy"});
    transaction.commit();
  }
  Transaction transaction(world.database());
  EXPECT_TRUE(mayList(transaction));
  removeResource(transaction, "ocid1.policy.oc1..aaaaunderTest");
  EXPECT_FALSE(mayList(transaction));
}

TEST(Explain, NamesTheStatementOrWhyNoneGrants) {
  IamWorld world;
  Transaction transaction(world.database());
  const std::string statement =
      "Allow group Trainers to read objects in compartment train where target.bucket.name='b'";
  addTestPolicy(transaction, world.place("tenancy"),
                {statement, "Allow group Auditors to manage objects in tenancy"});
  const auto ask = [&](const std::string& who, const std::string& operation, const std::string& place,
                       const TargetFacts& facts) {
    return explain(transaction, {world.principal(who), operation, world.place(place), *needsOf(operation),
                                 facts, TimePoint{}});
  };
  const PolicyExplanation yes = ask("ann", "GetObject", "train", {{"target.bucket.name", "b"}});
  ASSERT_TRUE(yes.allowed);
  EXPECT_EQ(yes.needs.at(0).granted->text, statement);
  const PolicyExplanation where = ask("ann", "GetObject", "train", {{"target.bucket.name", "c"}});
  ASSERT_FALSE(where.allowed);
  EXPECT_NE(where.needs.at(0).nearMisses.at(0).find("where-clause"), std::string::npos);
  EXPECT_NE(where.needs.at(0).nearMisses.at(1).find("another subject"), std::string::npos);
  EXPECT_NE(ask("ann", "DeleteObject", "train", {}).needs.at(0).nearMisses.at(0).find("the verb read"),
            std::string::npos);
  EXPECT_NE(ask("ann", "GetObject", "other", {}).needs.at(0).nearMisses.at(0).find("another compartment"),
            std::string::npos);
  EXPECT_FALSE(ask("ann", "GetObject", "nowhere", {}).reason.empty());
}

}  // namespace
}  // namespace lockstep::testing
