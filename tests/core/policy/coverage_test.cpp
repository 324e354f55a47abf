// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/policy_coverage.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

struct Coverage : testing::Test {
  CompartmentTree tree{"T"};
  std::vector<AttachedStatement> statements;
  PolicyPrincipal trainers{
      PolicyPrincipal::Kind::User, "group trainers", {groupKey("trainers"), "ocid1.group.oc1..t"}, "", {}};
  PolicyPrincipal runs{PolicyPrincipal::Kind::Resource,
                       "job runs",
                       {groupKey("runs")},
                       "",
                       {isEqualTest("request.principal.type", "datasciencejobrun"),
                        isEqualTest("request.principal.compartment.id", "C")}};

  Coverage() {
    tree.add("C", "train", "T");
    tree.add("K", "team", "C");
    tree.add("O", "other", "T");
  }
  void have(const std::string& text, const std::string& attachedTo = "T") {
    for (AttachedStatement& one : attachedStatements("p", "policy", attachedTo, {text}))
      statements.push_back(one);
  }
  PolicyCoverage check(const PolicyPrincipal& who, const std::string& grant, const std::string& place = "C",
                       const std::string& where = {}) {
    const auto s = parsePolicyStatement("Allow any-user to " + grant + " in tenancy" +
                                        (where.empty() ? "" : " where " + where));
    return coverageOf({who, s->verb, s->resourceType, place, s->where}, statements, tree);
  }
  bool isCovered(const std::string& grant, const std::string& place = "C", const std::string& where = {}) {
    return check(trainers, grant, place, where).isCovered;
  }
};

TEST_F(Coverage, AVerbCoversThoseBelowIt) {
  have("Allow group Trainers to use objects in compartment train");
  EXPECT_TRUE(isCovered("use objects"));
  EXPECT_TRUE(isCovered("read objects"));
  EXPECT_TRUE(isCovered("inspect objects"));
  EXPECT_FALSE(isCovered("manage objects"));
  EXPECT_FALSE(isCovered("inspect buckets"));
}

TEST_F(Coverage, AFamilyCoversItsMembersAndTheyTogetherTheFamily) {
  have("Allow group trainers to manage object-family in compartment train");
  EXPECT_TRUE(isCovered("manage objects"));
  EXPECT_TRUE(isCovered("manage object-family"));
  statements.clear();
  have("Allow group trainers to use log-groups in compartment train");
  EXPECT_FALSE(isCovered("use logging-family"));
  have("Allow group trainers to manage log-content in compartment train");
  have("Allow group trainers to use unified-configuration in compartment train");
  const auto all = check(trainers, "use logging-family");
  EXPECT_TRUE(all.isCovered);
  EXPECT_EQ(all.by.size(), 3U);
  statements.clear();
  have("Allow group trainers to manage all-resources in tenancy");
  EXPECT_TRUE(isCovered("manage something-new-of-next-year"));
  EXPECT_TRUE(isCovered("manage all-resources"));
}

TEST_F(Coverage, PermissionsByNameCountAndAddUp) {
  have("Allow group trainers to {OBJECT_INSPECT, OBJECT_READ} in compartment train");
  EXPECT_TRUE(isCovered("read objects"));
  EXPECT_FALSE(isCovered("use objects"));
  have("Allow group trainers to {OBJECT_OVERWRITE} in compartment train");
  EXPECT_TRUE(isCovered("use objects"));
}

TEST_F(Coverage, APlaceCoversWhatIsBelowIt) {
  have("Allow group trainers to manage repos in compartment train");
  EXPECT_TRUE(isCovered("manage repos", "C"));
  EXPECT_TRUE(isCovered("manage repos", "K"));
  EXPECT_FALSE(isCovered("manage repos", "O"));
  EXPECT_FALSE(isCovered("manage repos", "T"));
  have("Allow group trainers to read metrics in tenancy");
  EXPECT_TRUE(isCovered("read metrics", "K"));
  statements.clear();
  have("Allow group trainers to read metrics in compartment train", "O");
  EXPECT_FALSE(isCovered("read metrics")) << "there is no 'train' below 'other'";
}

TEST_F(Coverage, SubjectsCompareByNameDomainAndId) {
  have("Allow group id ocid1.group.oc1..t to read metrics in tenancy");
  EXPECT_TRUE(isCovered("read metrics"));
  statements.clear();
  have("Allow group 'Default'/'Trainers' to read metrics in tenancy");
  EXPECT_TRUE(isCovered("read metrics"));
  statements.clear();
  have("Allow group 'Partners'/'Trainers' to read metrics in tenancy");
  EXPECT_FALSE(isCovered("read metrics"));
  statements.clear();
  have("Allow dynamic-group trainers to read metrics in tenancy");
  EXPECT_FALSE(isCovered("read metrics")) << "a dynamic group is another thing";
  statements.clear();
  have("Allow group runs to read repos in tenancy");
  EXPECT_FALSE(check(runs, "read repos").isCovered);
  have("Allow any-user to read repos in tenancy");
  EXPECT_TRUE(check(runs, "read repos").isCovered);
}

TEST_F(Coverage, AnyUserMayBeNarrowedToJobRuns) {
  have(
      "Allow any-user to manage objects in compartment train where all {request.principal.type = "
      "'datasciencejobrun', request.principal.compartment.id = 'C'}");
  EXPECT_TRUE(check(runs, "manage objects").isCovered);
  EXPECT_FALSE(isCovered("manage objects")) << "a user is no job run";
}

TEST_F(Coverage, ConditionsOnPermissionsAndBuckets) {
  have(
      "Allow group trainers to manage objects in compartment train where request.permission != "
      "'OBJECT_DELETE'");
  EXPECT_TRUE(isCovered("use objects"));
  EXPECT_FALSE(isCovered("manage objects"));
  statements.clear();
  have("Allow group trainers to manage objects in compartment train where target.bucket.name = 'b'");
  EXPECT_TRUE(isCovered("manage objects", "C", "target.bucket.name = 'b'"));
  EXPECT_FALSE(isCovered("manage objects", "C", "target.bucket.name = 'c'"));
  EXPECT_FALSE(isCovered("manage objects"));
}

TEST_F(Coverage, SaysWhatIsNearlyEnough) {
  have("Allow group trainers to use objects in compartment train");
  have("Allow group trainers to manage objects in compartment other");
  have("Allow group auditors to manage objects in compartment train");
  have("Allow group trainers to manage objects in compartment train where target.bucket.name = 'old'");
  have("Allow group auditors to use objects in compartment other");
  const auto c = check(trainers, "manage objects", "C", "target.bucket.name = 'new'");
  ASSERT_FALSE(c.isCovered);
  ASSERT_EQ(c.nearMisses.size(), 4U);
  EXPECT_EQ(c.nearMisses[0].why, NearMiss::Why::Verb);
  EXPECT_EQ(c.nearMisses[1].why, NearMiss::Why::Place);
  EXPECT_EQ(c.nearMisses[2].why, NearMiss::Why::Subject);
  EXPECT_EQ(c.nearMisses[3].why, NearMiss::Why::Condition);
}

TEST_F(Coverage, AStatementThatCannotBeReadGrantsNothingAndStaysThere) {
  have("Allow group trainers to use read metrics in compartment train");
  ASSERT_EQ(statements.size(), 1U);
  EXPECT_FALSE(statements.front().parsed);
  EXPECT_FALSE(isCovered("read metrics"));
}

TEST_F(Coverage, ADenialThatMayStrikeIsNamed) {
  have("Allow group trainers to manage objects in tenancy");
  have("Deny group trainers to manage objects in compartment train:team where target.bucket.name = 'secret'");
  EXPECT_EQ(check(trainers, "manage objects").denials.size(), 1U);
  EXPECT_EQ(check(trainers, "manage objects", "O").denials.size(), 0U);
  EXPECT_EQ(check(trainers, "read repos").denials.size(), 0U);
}

TEST_F(Coverage, ExcessIsBlamedOnWhatCausesIt) {
  PolicyNeed need{trainers, PolicyVerb::Use, "objects", "C", {}};
  const auto excess = [&](const std::string& text) {
    return excessOf(attachedStatements("p", "policy", "T", {text}).front(), {need}, tree);
  };
  EXPECT_FALSE(excess("Allow group trainers to use objects in compartment train").any());
  EXPECT_FALSE(excess("Allow group trainers to read objects in compartment train:team").any());
  EXPECT_TRUE(excess("Allow group trainers to manage objects in compartment train").inVerb);
  EXPECT_TRUE(excess("Allow group trainers to use object-family in compartment train").inType);
  EXPECT_TRUE(excess("Allow group trainers to use objects in tenancy").inPlace);
  EXPECT_TRUE(excess("Allow any-user to use objects in compartment train").inSubject);
  need.where = isOneOf("target.bucket.name", {"b"});
  EXPECT_TRUE(excess("Allow group trainers to use objects in compartment train").inCondition);
  EXPECT_FALSE(
      excess("Allow group trainers to use objects in compartment train where target.bucket.name = 'b'")
          .any());
}

TEST(MatchingRules, TakeInByMeaning) {
  const PolicyFacts run{isEqualTest("resource.type", "datasciencejobrun"),
                        isEqualTest("resource.compartment.id", "C")};
  EXPECT_TRUE(takesIn("resource.type = 'datasciencejobrun'", run));
  EXPECT_TRUE(takesIn("ALL {resource.type='datasciencejobrun', resource.compartment.id='C'}", run));
  EXPECT_TRUE(
      takesIn("any {resource.type='datasciencenotebooksession', resource.type='datasciencejobrun'}", run));
  EXPECT_TRUE(takesIn("all {resource.type='datasciencejobrun', resource.compartment.id != 'D'}", run));
  EXPECT_FALSE(takesIn("all {resource.type='datasciencejobrun', resource.compartment.id='D'}", run));
  EXPECT_FALSE(takesIn("all {resource.type='datasciencejobrun', tag.a.b.value='c'}", run));
  EXPECT_FALSE(takesIn("all {resource.type='datasciencejob'}", run));
  EXPECT_FALSE(takesIn("nonsense", run));
}

}  // namespace
}  // namespace lockstep
