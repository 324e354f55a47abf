// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/region/seed.h"

#include "rehearsal/state/resources.h"
#include "rehearsal/state/well_known.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

constexpr const char* kRepository = "ocid1.containerrepo.oc1.rehearsal.aaaaaaaalockstep";
constexpr const char* kTrainer = "lockstep-trainer";

struct Seeder {
  Transaction& transaction;
  long long now;

  void add(const char* kind, const char* id, const char* compartment, const char* parent, const char* name,
           const char* state, json body, json hidden = json::object()) const {
    body["id"] = id;
    body["compartmentId"] = compartment;
    body["lifecycleState"] = state;
    body["timeCreated"] = timeText(now);
    body["freeformTags"] = json::object();
    body["definedTags"] = json::object();
    Resource r{id,    kind,       compartment, parent,          name,
               state, makeUuid(), now,         std::move(body), std::move(hidden)};
    insertResource(transaction, r);
  }
};

void addTenancy(const Seeder& s) {
  s.add(kind::kTenancy, seed::kTenancy, seed::kTenancy, "", "rehearsal", "ACTIVE",
        {{"name", "rehearsal"}, {"description", "Lockstep's embedded region"}, {"homeRegionKey", "RHS"}},
        {{"namespace", seed::kNamespace}});
  s.add(kind::kUser, seed::kUser, seed::kTenancy, "", "lockstep", "ACTIVE",
        {{"name", "lockstep"},
         {"description", "The user of the profile REHEARSAL"},
         {"isMfaActivated", false},
         {"capabilities",
          {{"canUseConsolePassword", false},
           {"canUseApiKeys", true},
           {"canUseAuthTokens", true},
           {"canUseSmtpCredentials", false},
           {"canUseDbCredentials", false},
           {"canUseCustomerSecretKeys", false},
           {"canUseOAuth2ClientCredentials", false}}}});
}

constexpr const char* kAdministrators = "ocid1.group.oc1..aaaaaaaalockstepadministrators";
constexpr const char* kTrainers = "ocid1.group.oc1..aaaaaaaalocksteptrainers";

void addPolicy(const Seeder& s, const char* id, const char* name, const char* description,
               std::vector<std::string> statements) {
  s.add(kind::kPolicy, id, seed::kTenancy, "", name, "ACTIVE",
        {{"name", name}, {"description", description}, {"statements", statements}, {"versionDate", nullptr}});
}

void addAdministrators(const Seeder& s) {
  s.add(kind::kGroup, kAdministrators, seed::kTenancy, "", "Administrators", "ACTIVE",
        {{"name", "Administrators"}, {"description", "May do everything in the tenancy"}});
  s.add(kind::kGroupMembership, "ocid1.groupmembership.oc1..aaaaaaaalockstep", seed::kTenancy,
        kAdministrators, seed::kUser, "ACTIVE", {{"groupId", kAdministrators}, {"userId", seed::kUser}});
  addPolicy(s, "ocid1.policy.oc1..aaaaaaaalocksteptenantadmin", "Tenant Admin Policy", "Tenant Admin Policy",
            {"Allow group Administrators to manage all-resources in tenancy"});
}

// What the guides ask for: for the people who train, for their job runs and for the service
// (ads-contract 4.5).
void addTrainingPolicies(const Seeder& s) {
  s.add(kind::kGroup, kTrainers, seed::kTenancy, "", "lockstep-trainers", "ACTIVE",
        {{"name", "lockstep-trainers"}, {"description", "Build, launch and watch distributed training"}});
  s.add(kind::kDynamicGroup, "ocid1.dynamicgroup.oc1..aaaaaaaalockstep", seed::kTenancy, "",
        "lockstep-job-runs", "ACTIVE",
        {{"name", "lockstep-job-runs"},
         {"description", "The job runs of the compartment lockstep"},
         {"matchingRule", std::string("all {resource.type='datasciencejobrun', resource.compartment.id='") +
                              seed::kCompartment + "'}"}});
  addPolicy(s, "ocid1.policy.oc1..aaaaaaaalocksteptrainers", "lockstep-trainers",
            "What people need for distributed training",
            {"Allow group lockstep-trainers to manage repos in compartment lockstep",
             "Allow group lockstep-trainers to manage data-science-jobs in compartment lockstep",
             "Allow group lockstep-trainers to manage data-science-job-runs in compartment lockstep",
             "Allow group lockstep-trainers to use data-science-projects in compartment lockstep",
             "Allow group lockstep-trainers to use virtual-network-family in compartment lockstep",
             "Allow group lockstep-trainers to manage log-groups in compartment lockstep",
             "Allow group lockstep-trainers to use logging-family in compartment lockstep",
             "Allow group lockstep-trainers to read metrics in compartment lockstep",
             "Allow group lockstep-trainers to manage objects in compartment lockstep where "
             "all {target.bucket.name='lockstep'}",
             "Allow group lockstep-trainers to use buckets in compartment lockstep where "
             "all {target.bucket.name='lockstep'}"});
  addPolicy(s, "ocid1.policy.oc1..aaaaaaaalockstepjobruns", "lockstep-job-runs",
            "What job runs need for distributed training",
            {"Allow dynamic-group lockstep-job-runs to read repos in compartment lockstep",
             "Allow dynamic-group lockstep-job-runs to use data-science-family in compartment lockstep",
             "Allow dynamic-group lockstep-job-runs to use virtual-network-family in compartment lockstep",
             "Allow dynamic-group lockstep-job-runs to use log-groups in compartment lockstep",
             "Allow dynamic-group lockstep-job-runs to use logging-family in compartment lockstep",
             "Allow dynamic-group lockstep-job-runs to manage objects in compartment lockstep where "
             "all {target.bucket.name='lockstep'}",
             "Allow dynamic-group lockstep-job-runs to use buckets in compartment lockstep where "
             "all {target.bucket.name='lockstep'}",
             "Allow dynamic-group lockstep-job-runs to use metrics in compartment lockstep where "
             "all {target.metrics.namespace='lockstep'}"});
  addPolicy(s, "ocid1.policy.oc1..aaaaaaaalockstepservice", "lockstep-service", "What services need",
            {"Allow service datascience to use virtual-network-family in compartment lockstep",
             "Allow service objectstorage-rehearsal to manage object-family in compartment lockstep"});
}

void addLogsOf(const Seeder& s) {
  s.add(kind::kLogGroup, seed::kLogGroup, seed::kCompartment, "", "lockstep", "ACTIVE",
        {{"displayName", "lockstep"},
         {"description", "Logs of job runs"},
         {"timeLastModified", timeText(s.now)}});
  s.add(kind::kLog, seed::kLog, seed::kCompartment, seed::kLogGroup, "jobs", "ACTIVE",
        {{"displayName", "jobs"},
         {"logGroupId", seed::kLogGroup},
         {"logType", "CUSTOM"},
         {"isEnabled", true},
         {"retentionDuration", 30},
         {"tenancyId", seed::kTenancy},
         {"timeLastModified", timeText(s.now)}});
}

void addBucketOf(const Seeder& s) {
  const std::string etag = makeUuid();
  const json body{{"namespace", seed::kNamespace},
                  {"name", seed::kBucket},
                  {"compartmentId", seed::kCompartment},
                  {"metadata", json::object()},
                  {"createdBy", seed::kUser},
                  {"timeCreated", timeText(s.now)},
                  {"etag", etag},
                  {"publicAccessType", "NoPublicAccess"},
                  {"storageTier", "Standard"},
                  {"versioning", "Disabled"},
                  {"autoTiering", "Disabled"},
                  {"objectEventsEnabled", false},
                  {"kmsKeyId", nullptr},
                  {"freeformTags", json::object()},
                  {"definedTags", json::object()},
                  {"isReadOnly", false},
                  {"replicationEnabled", false},
                  {"id", "ocid1.bucket.oc1.rehearsal.aaaaaaaalockstep"}};
  auto& insert = s.transaction.sql(
      "INSERT INTO buckets(namespace, name, compartment, created, etag, body) VALUES(?,?,?,?,?,?)");
  insert.bind(1, seed::kNamespace);
  insert.bind(2, seed::kBucket);
  insert.bind(3, seed::kCompartment);
  insert.bind(4, static_cast<int64_t>(s.now));
  insert.bind(5, etag);
  insert.bind(6, body.dump());
  insert.exec();
}

}  // namespace

void seedTenancy(Transaction& transaction, bool empty, TimePoint now) {
  if (findResource(transaction, kind::kTenancy, seed::kTenancy)) return;
  const Seeder s{transaction, toMillis(now)};
  addTenancy(s);
  if (empty) return;
  s.add(kind::kCompartment, seed::kCompartment, seed::kTenancy, seed::kTenancy, "lockstep", "ACTIVE",
        {{"name", "lockstep"}, {"description", "Distributed training"}, {"isAccessible", true}});
  s.add(kind::kProject, seed::kProject, seed::kCompartment, "", "lockstep", "ACTIVE",
        {{"displayName", "lockstep"}, {"description", "Distributed training"}, {"createdBy", seed::kUser}});
  addLogsOf(s);
  addBucketOf(s);
}

void seedAccess(Transaction& transaction, TimePoint now) {
  if (!findResource(transaction, kind::kTenancy, seed::kTenancy)) return;
  auto& begin = transaction.sql("INSERT OR IGNORE INTO settings(name, value) VALUES('access.seeded', '1')");
  if (begin.exec() == 0) return;
  const Seeder s{transaction, toMillis(now)};
  addAdministrators(s);
  if (findResource(transaction, kind::kCompartment, seed::kCompartment)) addTrainingPolicies(s);
}

void seedRegistry(Transaction& transaction, TimePoint now) {
  const bool isWanted = findResource(transaction, kind::kCompartment, seed::kCompartment).has_value();
  if (!isWanted || findResource(transaction, kind::kRepository, kRepository)) return;
  const Seeder s{transaction, toMillis(now)};
  s.add(kind::kRepository, kRepository, seed::kCompartment, "", kTrainer, "AVAILABLE",
        {{"displayName", kTrainer},
         {"namespace", seed::kNamespace},
         {"isPublic", false},
         {"imageCount", 1},
         {"layerCount", 1},
         {"layersSizeInBytes", 0},
         {"billableSizeInGBs", 0}});
  s.add(kind::kImage, "ocid1.containerimage.oc1.rehearsal.aaaaaaaalockstep", seed::kCompartment, kRepository,
        "lockstep-trainer:1", "AVAILABLE",
        {{"displayName", "lockstep-trainer:1"},
         {"repositoryId", kRepository},
         {"repositoryName", kTrainer},
         {"version", "1"},
         {"digest", "sha256:" + std::string(64, '0')}});
}

void addApiKey(Transaction& transaction, const std::string& fingerprint, const std::string& publicPem) {
  auto& save =
      transaction.sql("INSERT OR REPLACE INTO api_keys(key_id, user_id, tenancy_id, pem) VALUES(?,?,?,?)");
  save.bind(1, std::string(seed::kTenancy) + "/" + seed::kUser + "/" + fingerprint);
  save.bind(2, seed::kUser);
  save.bind(3, seed::kTenancy);
  save.bind(4, publicPem);
  save.exec();
}

}  // namespace lockstep::rehearsal
