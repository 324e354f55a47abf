// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/required_policies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

namespace lockstep {
namespace {

std::vector<std::string> textsOf(const PolicyRequirements& requirements) {
  std::vector<std::string> texts;
  for (const RequiredStatement& one : requiredStatements(requirements))
    texts.push_back(toText(one.statement));
  return texts;
}

PolicyRequirements requirementsIn(PolicyMode mode) {
  PolicyRequirements requirements;
  requirements.mode = mode;
  requirements.launchers = "trainers";
  requirements.compartment = {"", "ml:train"};
  requirements.buckets = {"work"};
  requirements.repository = "team/trainer";
  return requirements;
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

// The set of the guides where their pages agree, and what both ask for where they do not.
TEST(RequiredPolicies, RestrictedIsTheMinimalSetOfTheGuides) {
  const std::string runs = "Allow dynamic-group lockstep-job-runs to ", users = "Allow group trainers to ",
                    here = " in compartment ml:train";
  EXPECT_EQ(
      textsOf(requirementsIn(PolicyMode::Restricted)),
      (std::vector<std::string>{
          runs + "read repos" + here, runs + "use data-science-family" + here,
          runs + "use virtual-network-family" + here, runs + "use log-groups" + here,
          runs + "use log-content" + here, runs + "manage objects" + here,
          users + "manage data-science-jobs" + here, users + "manage data-science-job-runs" + here,
          users + "read data-science-projects" + here, users + "use virtual-network-family" + here,
          users + "manage log-groups" + here, users + "use log-content" + here, users + "read metrics" + here,
          users + "manage objects" + here, users + "read buckets" + here, users + "manage repos" + here,
          "Allow service datascience to use virtual-network-family" + here}));
}

TEST(RequiredPolicies, ScopedNamesBucketAndRepository) {
  const auto texts = textsOf(requirementsIn(PolicyMode::Scoped));
  EXPECT_TRUE(has(texts,
                  "Allow dynamic-group lockstep-job-runs to manage objects in compartment ml:train where "
                  "target.bucket.name = 'work'"));
  EXPECT_TRUE(has(texts,
                  "Allow dynamic-group lockstep-job-runs to read repos in compartment ml:train where "
                  "target.repo.name = 'team/trainer'"));
  PolicyRequirements two = requirementsIn(PolicyMode::Scoped);
  two.buckets = {"work", "data"};
  EXPECT_TRUE(has(textsOf(two),
                  "Allow group trainers to manage objects in compartment ml:train where any "
                  "{target.bucket.name = 'work', target.bucket.name = 'data'}"));
}

TEST(RequiredPolicies, TheProofOfConceptEndsByItself) {
  PolicyRequirements requirements = requirementsIn(PolicyMode::ProofOfConcept);
  requirements.until = "2026-12-06T00:00:00Z";
  requirements.network = {"", "net"};
  EXPECT_EQ(textsOf(requirements),
            (std::vector<std::string>{
                "Allow dynamic-group lockstep-job-runs to manage all-resources in compartment ml:train where "
                "request.utc-timestamp before '2026-12-06T00:00:00Z'",
                "Allow dynamic-group lockstep-job-runs to use virtual-network-family in compartment net",
                "Allow group trainers to manage all-resources in compartment ml:train where "
                "request.utc-timestamp before '2026-12-06T00:00:00Z'",
                "Allow group trainers to use virtual-network-family in compartment net",
                "Allow service datascience to use virtual-network-family in compartment net"}));
}

TEST(RequiredPolicies, FollowTheTrainYaml) {
  PolicyRequirements requirements = requirementsIn(PolicyMode::Restricted);
  requirements.needsBucket = requirements.needsRepository = requirements.needsNetwork = false;
  for (const std::string& text : textsOf(requirements))
    for (const char* word : {"objects", "buckets", "repos", "network"})
      EXPECT_EQ(text.find(word), std::string::npos) << text;
  requirements.secrets = {"ocid1.vaultsecret.oc1..s"};
  requirements.metricNamespaces = {"gpu"};
  requirements.certificateKinds = {"leaf-certificate-bundles"};
  requirements.launcherKind = PolicySubject::Kind::DynamicGroup;
  requirements.launchers = "ocid1.dynamicgroup.oc1..d";
  requirements.compartment.id = "ocid1.compartment.oc1..c";
  const auto texts = textsOf(requirements);
  EXPECT_TRUE(has(texts,
                  "Allow dynamic-group lockstep-job-runs to read secret-bundles in compartment id "
                  "ocid1.compartment.oc1..c where target.secret.id = 'ocid1.vaultsecret.oc1..s'"));
  EXPECT_TRUE(has(texts,
                  "Allow dynamic-group lockstep-job-runs to use metrics in compartment id "
                  "ocid1.compartment.oc1..c where target.metrics.namespace = 'gpu'"));
  EXPECT_TRUE(has(texts,
                  "Allow dynamic-group id ocid1.dynamicgroup.oc1..d to read metrics in compartment id "
                  "ocid1.compartment.oc1..c"));
}

TEST(RequiredPolicies, EachHasAReasonAndCanBeRead) {
  bool namesAPage = false;
  for (const PolicyMode mode : {PolicyMode::ProofOfConcept, PolicyMode::Restricted, PolicyMode::Scoped})
    for (const RequiredStatement& one : requiredStatements(requirementsIn(mode))) {
      EXPECT_FALSE(one.reason.empty()) << toText(one.statement);
      namesAPage = namesAPage || one.moreAsked.find("page") != std::string::npos;
      const auto again = parsePolicyStatement(toText(one.statement));
      ASSERT_TRUE(again) << toText(one.statement);
      EXPECT_EQ(*again, one.statement);
    }
  EXPECT_TRUE(namesAPage);
}

TEST(RequiredPolicies, WhatIsNotKnownIsAPlaceholder) {
  PolicyRequirements requirements;
  requirements.mode = PolicyMode::Scoped;
  EXPECT_EQ(placeholdersIn(requiredStatements(requirements)),
            (std::vector<std::string>{"<compartment>", "<repository>", "<bucket>", "<group>"}));
  for (const std::string& text : textsOf(requirements))
    if (text.find('<') != std::string::npos) {
      EXPECT_EQ(parsePolicyStatement(text).error().code, "placeholder");
    }
  EXPECT_EQ(jobRunsRule({"", "train"}),
            "all {resource.type = 'datasciencejobrun', resource.compartment.id = '<OCID of train>'}");
}

TEST(RequiredPolicies, TheRuleTakesInTheJobRunsOfTheCompartmentAlone) {
  const auto run = [](const char* place) {
    return PolicyFacts{isEqualTest("resource.type", "datasciencejobrun"),
                       isEqualTest("resource.compartment.id", place)};
  };
  EXPECT_TRUE(takesIn(jobRunsRule({"C", ""}), run("C")));
  EXPECT_FALSE(takesIn(jobRunsRule({"C", ""}), run("D")));
  EXPECT_FALSE(takesIn(notebooksRule({"C", ""}), run("C")));
}

/// "launcher manage repos" of every statement that Terraform would make.
std::set<std::string> grantsOfTerraform() {
  std::ifstream file(std::string(LOCKSTEP_TEST_DATA) + "/../../resources/export/terraform/iam.tf");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::regex form(R"re(allow (\$\{[a-z.]+\}|service \w+) to (\w+ [-\w]+) in )re");
  std::set<std::string> grants;
  for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at) {
    const std::string who = (*at)[1].str();
    grants.insert((who.find("runs") != std::string::npos   ? "job-runs "
                   : who.find("user") != std::string::npos ? "launcher "
                                                           : "service ") +
                  (*at)[2].str());
  }
  grants.erase("job-runs manage buckets");  // only for those who set allow_manage_buckets
  return grants;
}

// Terraform for the same end state: whoever applies it finds the step ready, and nothing too broad.
TEST(RequiredPolicies, AreThoseOfTheTerraformExport) {
  PolicyRequirements requirements = requirementsIn(PolicyMode::Restricted);
  requirements.secrets = {"s"};
  requirements.metricNamespaces = {"m"};
  std::set<std::string> ours;
  for (const RequiredStatement& one : requiredStatements(requirements))
    ours.insert(std::string(toString(one.who)) + " " + grantText(one.statement));
  EXPECT_EQ(grantsOfTerraform(), ours);
}

}  // namespace
}  // namespace lockstep
