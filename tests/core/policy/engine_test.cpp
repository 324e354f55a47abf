// SPDX-License-Identifier: GPL-3.0-or-later
// Random statements and needs: what we call covered must be granted by the region's engine, request by
// request.
#include <gtest/gtest.h>

#include <random>

#include "policy/policy_coverage.h"
#include "rehearsal/iam/policy_engine.h"
#include "tests/app/rehearsal/iam/iam_world.h"

namespace lockstep::testing {
namespace {

namespace region = lockstep::rehearsal;

struct Drawing {
  std::mt19937 random;
  template <class T>
  const T& from(const std::vector<T>& some) {
    return some[std::uniform_int_distribution<std::size_t>(0, some.size() - 1)(random)];
  }
  std::string condition() {
    return from<std::string>(
        {"", "", "", " where target.bucket.name = 'b'", " where target.bucket.name = /b*/",
         " where any {target.bucket.name = 'b', target.bucket.name = 'bb'}",
         " where request.permission != 'OBJECT_DELETE'", " where all {request.permission = 'OBJECT_READ'}",
         " where target.bucket.name != 'x'", " where request.principal.type = 'datasciencejobrun'"});
  }
  std::string grant() {
    return from<std::string>({"inspect", "read", "use", "manage"}) + " " +
           from<std::string>({"objects", "buckets", "object-family", "log-groups", "logging-family",
                              "all-resources", "repos"});
  }
  std::string statement() {
    const std::string subject =
        from<std::string>({"group Trainers", "group Auditors, Trainers", "dynamic-group JobRuns", "any-user",
                           "group Auditors", "dynamic-group AnyRun"});
    const std::string what =
        from<int>({0, 0, 0, 1}) == 0 ? grant() : "{OBJECT_INSPECT, OBJECT_READ, OBJECT_OVERWRITE}";
    const std::string place =
        from<std::string>({"tenancy", "compartment train", "compartment train:team", "compartment other"});
    return "Allow " + subject + " to " + what + " in " + place + condition();
  }
};

struct Engine : ::testing::Test {
  IamWorld world;
  CompartmentTree tree{world.place("tenancy")};
  Drawing draw{std::mt19937(7)};
  Engine() {
    tree.add(world.place("train"), "train", world.place("tenancy"));
    tree.add(world.place("other"), "other", world.place("tenancy"));
    tree.add(world.place("team"), "team", world.place("train"));
  }
  PolicyPrincipal principal(const std::string& name) const {
    if (name == "ann") return {PolicyPrincipal::Kind::User, name, {groupKey("Trainers")}, "", {}};
    return {PolicyPrincipal::Kind::Resource,
            name,
            {groupKey("JobRuns"), groupKey("AnyRun")},
            "",
            {isEqualTest("request.principal.type", "datasciencejobrun"),
             isEqualTest("request.principal.compartment.id", world.place("train"))}};
  }
  /// Whether the region grants every request that the need stands for.
  bool isGranted(region::Transaction& transaction, const PolicyNeed& need) {
    const region::Principal who = world.principal(need.who.title);
    for (const PolicyPermission& p : permissionsOf(need.verb, need.resourceType)) {
      const region::PermissionWord* word = region::findPermission(p.name);
      if (p.name.empty() || word == nullptr) continue;
      for (const char* place : {"tenancy", "train", "team", "other"}) {
        if (!tree.isWithin(world.place(place), need.compartmentId)) continue;
        for (const char* bucket : {"b", "bb", "c", "x"}) {
          if (need.where && bucket != std::string("b")) continue;  // the only condition that is drawn
          const std::map<std::string, std::string> facts{{"target.bucket.name", bucket}};
          if (!region::isGranted(transaction, {who, "Any", world.place(place), {{word}}, facts, TimePoint{}}))
            return false;
        }
      }
    }
    return true;
  }
};

TEST_F(Engine, GrantsWhatWeCallCoveredAndRefusesSomeOfTheRest) {
  int covered = 0, missed = 0, granted = 0;
  for (int round = 0; round < 1500; ++round) {
    std::vector<std::string> statements;
    for (int i = 0, n = draw.from<int>({1, 2, 4, 6}); i < n; ++i) statements.push_back(draw.statement());
    region::Transaction transaction(world.database());
    addTestPolicy(transaction, world.place("tenancy"), statements);
    const auto attached = attachedStatements("p", "p", world.place("tenancy"), statements);
    for (int i = 0; i < 12; ++i) {
      const auto wish = parsePolicyStatement("Allow any-user to " + draw.grant() + " in tenancy");
      PolicyNeed need{principal(draw.from<std::string>({"ann", "run"})),
                      wish->verb,
                      wish->resourceType,
                      world.place(draw.from<std::string>({"tenancy", "train", "team", "other"})),
                      {}};
      if (draw.from<int>({0, 1}) == 1) need.where = isOneOf("target.bucket.name", {"b"});
      const bool said = coverageOf(need, attached, tree).isCovered, isSo = isGranted(transaction, need);
      ASSERT_TRUE(isSo || !said) << need.who.title << " " << toString(need.verb) << " " << need.resourceType
                                 << " in " << tree.nameOf(need.compartmentId) << " under\n"
                                 << ::testing::PrintToString(statements);
      covered += said;
      granted += isSo;
      missed += isSo && !said;
    }
  }
  EXPECT_GT(covered, 1000);
  // What the grid cannot tell apart (types without requests here, buckets that are not drawn) we do not
  // claim.
  EXPECT_LT(missed, granted / 3) << "of " << granted << ", covered " << covered;
}

}  // namespace
}  // namespace lockstep::testing
