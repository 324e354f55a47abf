// SPDX-License-Identifier: GPL-3.0-or-later
// The proposed statements, applied, against what was asked for: every permission of the region's table, for
// each of several principals, places, buckets and repositories. What is asked for is written down here by
// hand.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "policy/required_policies.h"
#include "rehearsal/iam/policy_engine.h"
#include "tests/app/rehearsal/iam/iam_world.h"

namespace lockstep::testing {
namespace {

namespace region = lockstep::rehearsal;

struct Asked {
  const char* who;          // "run" or "ann"
  const char* permissions;  // by their names in Oracle's reference
  const char* only;         // "bucket", "repo": in the scoped mode for that one only; "network": there
};
constexpr Asked kAsked[] = {
    {"run", "REPOSITORY_INSPECT REPOSITORY_READ", "repo"},
    {"run",
     "DATA_SCIENCE_PROJECT_INSPECT DATA_SCIENCE_PROJECT_READ DATA_SCIENCE_PROJECT_UPDATE "
     "DATA_SCIENCE_JOB_INSPECT DATA_SCIENCE_JOB_READ DATA_SCIENCE_JOB_UPDATE DATA_SCIENCE_JOB_RUN_INSPECT "
     "DATA_SCIENCE_JOB_RUN_READ DATA_SCIENCE_JOB_RUN_UPDATE DATA_SCIENCE_WORK_REQUEST_INSPECT "
     "DATA_SCIENCE_WORK_REQUEST_READ DATA_SCIENCE_NOTEBOOK_SESSION_INSPECT DATA_SCIENCE_MODEL_INSPECT",
     ""},
    {"run",
     "LOG_GROUP_INSPECT LOG_GROUP_READ LOG_GROUP_UPDATE LOG_CONTENT_READ LOG_CONTENT_PUSH "
     "UNIFIED_AGENT_CONFIG_GENERATE",
     ""},
    {"run",
     "OBJECT_INSPECT OBJECT_READ OBJECT_OVERWRITE OBJECT_CREATE OBJECT_DELETE OBJECT_RESTORE "
     "OBJECT_UPDATE_TIER OBJECT_VERSION_DELETE",
     "bucket"},
    {"ann",
     "DATA_SCIENCE_JOB_INSPECT DATA_SCIENCE_JOB_READ DATA_SCIENCE_JOB_UPDATE DATA_SCIENCE_JOB_CREATE "
     "DATA_SCIENCE_JOB_DELETE DATA_SCIENCE_JOB_MOVE DATA_SCIENCE_JOB_RUN_INSPECT DATA_SCIENCE_JOB_RUN_READ "
     "DATA_SCIENCE_JOB_RUN_UPDATE DATA_SCIENCE_JOB_RUN_CREATE DATA_SCIENCE_JOB_RUN_DELETE "
     "DATA_SCIENCE_JOB_RUN_MOVE DATA_SCIENCE_PROJECT_INSPECT DATA_SCIENCE_PROJECT_READ",
     ""},
    {"ann",
     "LOG_GROUP_INSPECT LOG_GROUP_READ LOG_GROUP_UPDATE LOG_GROUP_CREATE LOG_GROUP_DELETE LOG_CONTENT_READ "
     "LOG_CONTENT_PUSH UNIFIED_AGENT_CONFIG_GENERATE METRIC_INSPECT METRIC_READ",
     ""},
    {"ann",
     "OBJECT_INSPECT OBJECT_READ OBJECT_OVERWRITE OBJECT_CREATE OBJECT_DELETE OBJECT_RESTORE "
     "OBJECT_UPDATE_TIER OBJECT_VERSION_DELETE BUCKET_INSPECT BUCKET_READ",
     "bucket"},
    {"ann",
     "REPOSITORY_READ REPOSITORY_UPDATE REPOSITORY_CREATE REPOSITORY_DELETE "
     "REPOSITORY_MANAGE",
     "repo"},
    {"ann", "REPOSITORY_INSPECT", ""},
};
// use virtual-network-family, for both.
constexpr const char* kNetworkAsked =
    "VCN_READ SUBNET_READ SUBNET_ATTACH SUBNET_DETACH ROUTE_TABLE_READ SECURITY_LIST_READ "
    "NETWORK_SECURITY_GROUP_INSPECT NETWORK_SECURITY_GROUP_READ NETWORK_SECURITY_GROUP_LIST_SECURITY_RULES "
    "NETWORK_SECURITY_GROUP_LIST_MEMBERS NETWORK_SECURITY_GROUP_UPDATE_MEMBERS DHCP_READ "
    "INTERNET_GATEWAY_READ NAT_GATEWAY_READ NAT_GATEWAY_ATTACH SERVICE_GATEWAY_READ SERVICE_GATEWAY_ATTACH "
    "VNIC_READ VNIC_ATTACH VNIC_DETACH PRIVATE_IP_READ NAT_GATEWAY_DETACH SERVICE_GATEWAY_DETACH "
    "PRIVATE_IP_ASSIGN PRIVATE_IP_ASSIGN_PUBLIC_IP PRIVATE_IP_CREATE PRIVATE_IP_DELETE PRIVATE_IP_UNASSIGN "
    "PRIVATE_IP_UNASSIGN_PUBLIC_IP PRIVATE_IP_UPDATE PUBLIC_IP_ASSIGN_PRIVATE_IP PUBLIC_IP_READ "
    "PUBLIC_IP_UNASSIGN_PRIVATE_IP VNIC_ASSOCIATE_NETWORK_SECURITY_GROUP VNIC_ATTACHMENT_READ VNIC_CREATE "
    "VNIC_DELETE VNIC_DISASSOCIATE_NETWORK_SECURITY_GROUP VNIC_UPDATE";

struct Request {
  std::string who, permission, place, bucket, repo;
};

bool names(const char* words, const std::string& word) {
  std::istringstream stream(words);
  for (std::string one; stream >> one;)
    if (one == word) return true;
  return false;
}

bool isIn(const std::string& place, const std::string& wanted) {
  return place == wanted || (wanted == "train" && place == "team");
}

bool isAsked(const Request& r, PolicyMode mode, const std::string& network) {
  if (r.who != "ann" && r.who != "run") return false;
  if (mode == PolicyMode::ProofOfConcept && isIn(r.place, "train")) return true;
  if (names(kNetworkAsked, r.permission)) return isIn(r.place, network);
  if (mode == PolicyMode::ProofOfConcept || !isIn(r.place, "train")) return false;
  for (const Asked& asked : kAsked) {
    if (r.who != asked.who || !names(asked.permissions, r.permission)) continue;
    const std::string only = mode == PolicyMode::Scoped ? asked.only : "";
    if ((only != "bucket" || r.bucket == "work") && (only != "repo" || r.repo == "team/trainer")) return true;
  }
  return false;
}

PolicyRequirements requirementsOf(PolicyMode mode, const IamWorld& world, const std::string& network) {
  PolicyRequirements requirements;
  requirements.mode = mode;
  requirements.launchers = "Trainers";
  requirements.jobRuns = "JobRuns";
  requirements.compartment.id = world.place("train");
  requirements.network.id = world.place(network);
  requirements.buckets = {"work"};
  requirements.repository = "team/trainer";
  requirements.until = "2026-12-06T00:00:00Z";
  return requirements;
}

std::vector<Request> everyRequest() {
  std::vector<Request> all;
  for (const char* who : {"ann", "bob", "run", "strayRun"})
    for (const char* place : {"tenancy", "train", "team", "other"})
      for (const region::PermissionWord& word : region::permissionWords())
        for (const auto& [bucket, repo] : std::initializer_list<std::pair<const char*, const char*>>{
                 {"work", "team/trainer"}, {"work2", "team/trainer"}, {"work", "team"}, {"private", "other"}})
          all.push_back({who, word.name, place, bucket, repo});
  return all;
}

struct Granted : ::testing::Test {
  IamWorld world;
  const TimePoint now{std::chrono::seconds(1'795'000'000)};  // November 2026

  bool isGranted(region::Transaction& transaction, const Request& r, TimePoint when) const {
    const std::map<std::string, std::string> facts{{"target.bucket.name", r.bucket},
                                                   {"target.repo.name", r.repo}};
    const region::Principal who = world.principal(r.who);
    return region::isGranted(
        transaction,
        {who, "Any", world.place(r.place), {{region::findPermission(r.permission)}}, facts, when});
  }
  void expectAskedAndNoMore(PolicyMode mode, const std::string& network) {
    region::Transaction transaction(world.database());
    std::vector<std::string> texts;
    for (const RequiredStatement& one : requiredStatements(requirementsOf(mode, world, network)))
      texts.push_back(toText(one.statement));
    addTestPolicy(transaction, world.place("tenancy"), texts);
    int granted = 0, differences = 0;
    for (const Request& r : everyRequest()) {
      const bool is = isGranted(transaction, r, now);
      granted += is;
      if (is == isAsked(r, mode, network) || ++differences > 10) continue;
      ADD_FAILURE() << toString(mode) << ": " << r.who << " " << r.permission << " in " << r.place
                    << " bucket " << r.bucket << " repo " << r.repo
                    << (is ? " is granted and was not asked for" : " is missing");
    }
    EXPECT_EQ(differences, 0);
    EXPECT_GT(granted, 100);
  }
};

TEST_F(Granted, RestrictedIsWhatWasAskedForAndNoMore) {
  expectAskedAndNoMore(PolicyMode::Restricted, "train");
  expectAskedAndNoMore(PolicyMode::Restricted, "other");
}

TEST_F(Granted, ScopedIsWhatWasAskedForAndNoMore) {
  expectAskedAndNoMore(PolicyMode::Scoped, "train");
  expectAskedAndNoMore(PolicyMode::Scoped, "other");
}

TEST_F(Granted, TheProofOfConceptIsTheCompartmentAndEnds) {
  expectAskedAndNoMore(PolicyMode::ProofOfConcept, "train");
  expectAskedAndNoMore(PolicyMode::ProofOfConcept, "other");
  region::Transaction transaction(world.database());
  std::vector<std::string> texts;
  for (const RequiredStatement& one :
       requiredStatements(requirementsOf(PolicyMode::ProofOfConcept, world, "train")))
    texts.push_back(toText(one.statement));
  addTestPolicy(transaction, world.place("tenancy"), texts);
  const Request create{"run", "BUCKET_CREATE", "train", "work", ""};
  EXPECT_TRUE(isGranted(transaction, create, now));
  EXPECT_FALSE(isGranted(transaction, create, now + std::chrono::hours(24 * 60)));
}

}  // namespace
}  // namespace lockstep::testing
