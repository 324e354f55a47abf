// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of what a launch needs in the tenancy: bucket, repository, log, limits.
#include <fmt/format.h>

#include "tests/setup_faults/setup_fault.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

constexpr const char* kWorkDir = "spec.cluster.spec.workDir";
constexpr const char* kImage = "spec.cluster.spec.image";
constexpr const char* kGroup = "spec.infrastructure.spec.logGroupId";
constexpr const char* kLog = "spec.infrastructure.spec.logId";
constexpr const char* kShape = "spec.infrastructure.spec.shapeName";
constexpr const char* kReadyWorkDir = "oci://lockstep@rehearsal/runs";
constexpr const char* kReadyImage = "rehearsal.ocir.io/rehearsal/lockstep-trainer:1";
constexpr const char* kLogGroups = "/20200531/logGroups";
constexpr const char* kRepositories = "/20160918/container/repositories";

std::string makeCompartment(const SetupWorld& world, const std::string& name) {
  return world
      .post("/20160918/compartments",
            {{"compartmentId", world.tenancy()}, {"name", name}, {"description", name}})
      .at("id");
}

void makeBucket(const SetupWorld& world, const std::string& name, const std::string& compartment,
                json more = json::object()) {
  more["name"] = name;
  more["compartmentId"] = compartment;
  world.post("/n/rehearsal/b", more);
}

void makeRepository(const SetupWorld& world, const std::string& name, const std::string& compartment,
                    bool isPublic = false) {
  world.post(kRepositories, {{"compartmentId", compartment}, {"displayName", name}, {"isPublic", isPublic}});
}

// The region's work requests are done when they are answered.
std::string idNamed(const json& list, const std::string& name) {
  for (const json& one : list)
    if (one.value("displayName", "") == name) return one.at("id");
  throw std::runtime_error("there is no " + name);
}

std::string makeLogGroup(const SetupWorld& world, const std::string& name, const std::string& compartment) {
  world.post(kLogGroups, {{"compartmentId", compartment}, {"displayName", name}});
  return idNamed(world.get(std::string(kLogGroups) + "?compartmentId=" + compartment), name);
}

std::string makeLog(const SetupWorld& world, const std::string& group, const std::string& name,
                    json more = json::object()) {
  more["displayName"] = name;
  if (!more.contains("logType")) more["logType"] = "CUSTOM";
  const std::string path = fmt::format("{}/{}/logs", kLogGroups, group);
  world.post(path, more);
  return idNamed(world.get(path), name);
}

json serviceSource() {
  return {{"logType", "SERVICE"},
          {"configuration",
           {{"source",
             {{"sourceType", "OCISERVICE"},
              {"service", "objectstorage"},
              {"resource", "lockstep"},
              {"category", "write"}}}}}};
}

std::function<void(SetupWorld&)> field(const char* path, const std::string& value) {
  return [path, value](SetupWorld& world) { world.setField(path, value); };
}

std::function<void(SetupWorld&)> asReader(const std::vector<std::string>& statements) {
  return [statements](SetupWorld& world) {
    // The first of them makes the group, which a policy has to find. Without the compartments the step
    // project would be all that there is to say.
    world.admin("POST", "/rehearsal/users", {{"name", "first-reader"}, {"groups", {"Readers"}}});
    std::vector<std::string> all{"allow group Readers to inspect compartments in tenancy"};
    all.insert(all.end(), statements.begin(), statements.end());
    world.allow("of-readers", all);
    world.becomeUser("jane", {"Readers"});
  };
}

// An administrator lets the group of that user do everything in the meantime.
void allowReaders(SetupWorld& world) {
  world.becomeUser("second-admin", {"Administrators", "Readers"});
}

void nothing(SetupWorld&) {}  // the step itself has found what would do

void withoutFile(SetupWorld& world) {
  world.hasTrainYaml = false;
}

// A region with the same bucket, in which the tenancy is too, and none in the profile's own.
void bucketInOtherRegion(SetupWorld& world) {
  world.send("DELETE", "/n/rehearsal/b/lockstep");
  auto other = std::make_shared<SetupWorld>();
  world.otherRegions = [other](const std::stop_token&) -> Result<std::vector<RegionServices>> {
    const auto services = other->context()->services();
    if (!services) return failure(services.error());
    return std::vector<RegionServices>{{"us-phoenix-1", *services}};
  };
}

void severalBuckets(SetupWorld& world) {
  withoutFile(world);
  world.choices.compartmentId = world.place("compartmentId");
  world.send("DELETE", "/n/rehearsal/b/lockstep");
  makeBucket(world, "one", world.choices.compartmentId);
  makeBucket(world, "another", world.choices.compartmentId);
}

void bucketElsewhere(SetupWorld& world) {
  makeBucket(world, "elsewhere", makeCompartment(world, "storage"));
  world.setField(kWorkDir, "oci://elsewhere@rehearsal/runs");
}

void brokenKey(SetupWorld& world) {
  world.setProfile("key_file", "/nowhere/key.pem");
}

void archiveBucket(SetupWorld& world) {
  makeBucket(world, "cold", world.place("compartmentId"), {{"storageTier", "Archive"}});
  world.setField(kWorkDir, "oci://cold@rehearsal/runs");
}

void serviceLog(SetupWorld& world) {
  const std::string group = makeLogGroup(world, "of-services", world.place("compartmentId"));
  world.setField(kGroup, group);
  world.setField(kLog, makeLog(world, group, "writes", serviceSource()));
}

void disabledLog(SetupWorld& world) {
  const std::string group = world.place("logGroupId");
  world.setField(kLog, makeLog(world, group, "silent", {{"isEnabled", false}}));
}

void logOfOtherGroup(SetupWorld& world) {
  world.setField(kGroup, makeLogGroup(world, "second", world.place("compartmentId")));
}

void groupElsewhere(SetupWorld& world) {
  const std::string group = makeLogGroup(world, "far", makeCompartment(world, "observability"));
  world.setField(kGroup, group);
  world.setField(kLog, makeLog(world, group, "far-log"));
}

void severalGroups(SetupWorld& world) {
  withoutFile(world);
  world.choices.compartmentId = makeCompartment(world, "fresh");
  makeLogGroup(world, "first", world.choices.compartmentId);
  makeLogGroup(world, "second", world.choices.compartmentId);
}

void groupWithoutLog(SetupWorld& world) {
  withoutFile(world);
  world.choices.compartmentId = makeCompartment(world, "fresh");
  makeLogGroup(world, "bare", world.choices.compartmentId);
}

std::function<void(SetupWorld&)> limit(const char* name, int value) {
  return [name, value](SetupWorld& world) {
    world.admin("PUT", std::string("/rehearsal/limits/") + name, {{"value", value}});
  };
}

// Three nodes of VM.Standard2.1 are wanted, and one of three runs.
void limitInUse(SetupWorld& world) {
  world.setField(kShape, "VM.Standard2.1");
  limit("ds-standard2-count", 3)(world);
  world.region().launch();
}

}  // namespace

void addBucketFaults(std::vector<SetupFault>& all) {
  const auto back = field(kWorkDir, kReadyWorkDir);
  all.insert(all.end(),
             {{"bucket deleted", "DeleteBucket", "bucket", "bucket-missing", "create-bucket",
               [](SetupWorld& world) { world.send("DELETE", "/n/rehearsal/b/lockstep"); }},
              {"no bucket in a new tenancy", "empty tenancy, no train.yaml", "bucket", "bucket-missing",
               "create-bucket", withoutFile, "empty"},
              {"namespace of somebody else", "workDir @other", "bucket", "namespace-not-own", "",
               field(kWorkDir, "oci://lockstep@other/runs"), "ready", StepState::Ready, back},
              {"bucket in another region", "deleted here, present in us-phoenix-1", "bucket",
               "bucket-elsewhere-region", "", bucketInOtherRegion},
              {"bucket seen but not readable", "group may only inspect buckets", "bucket",
               "bucket-not-readable", "", asReader({"allow group Readers to inspect buckets in tenancy"}),
               "ready", StepState::Ready, allowReaders},
              {"bucket not visible", "user who may see compartments only", "bucket", "buckets-not-listable",
               "", asReader({}), "ready", StepState::Ready, allowReaders},
              {"objects not readable", "group may read buckets, not objects", "bucket",
               "objects-not-readable", "", asReader({"allow group Readers to read buckets in tenancy"}),
               "ready", StepState::Ready, allowReaders},
              {"bucket open to the world", "UpdateBucket publicAccessType ObjectRead", "bucket",
               "bucket-public", "close-bucket",
               [](SetupWorld& world) {
                 world.post("/n/rehearsal/b/lockstep", {{"publicAccessType", "ObjectRead"}});
               }},
              {"bucket archives", "CreateBucket storageTier Archive", "bucket", "bucket-archive", "",
               archiveBucket, "ready", StepState::Ready, back},
              {"bucket in another compartment", "CreateBucket in compartment storage", "bucket",
               "bucket-other-compartment", "", bucketElsewhere, "ready", StepState::Ready, back},
              {"bucket name misspelt", "workDir oci://lockstap@…", "bucket", "bucket-misspelt", "",
               field(kWorkDir, "oci://lockstap@rehearsal/runs"), "ready", StepState::Ready, nothing},
              {"bucket name with a $", "workDir oci://my$bucket@…", "bucket", "work-dir-grammar", "",
               field(kWorkDir, "oci://my$bucket@rehearsal/runs"), "ready", StepState::Ready, back},
              {"work dir of another cloud", "workDir s3://…", "bucket", "work-dir-grammar", "",
               field(kWorkDir, "s3://lockstep/runs"), "ready", StepState::Ready, back},
              {"several buckets, none named", "two buckets, no train.yaml", "bucket", "bucket-not-chosen",
               "create-bucket", severalBuckets},
              {"several compartments, none named", "two compartments, no train.yaml", "bucket",
               "compartment-not-chosen", "",
               [](SetupWorld& world) {
                 withoutFile(world);
                 makeCompartment(world, "second");
               },
               "ready", StepState::Ready,
               [](SetupWorld& world) { world.choices.compartmentId = world.place("compartmentId"); }},
              {"profile broken, seen from the bucket", "key_file that is not there", "bucket", "needs-auth",
               "", brokenKey}});
}

void addProjectFaults(std::vector<SetupFault>& all) {
  constexpr const char* kProject = "spec.infrastructure.spec.projectId";
  all.insert(all.end(), {{"no project in a new tenancy", "empty tenancy, no train.yaml", "project",
                          "project-missing", "create-project", withoutFile, "empty"},
                         {"project deleted", "projectId of nothing", "project", "project-missing", "",
                          field(kProject, "ocid1.datascienceproject.oc1.rehearsal.aaaaaaaagone"), "ready",
                          StepState::Ready, nothing},
                         {"project not visible", "user who may see compartments only", "project",
                          "project-missing", "", asReader({}), "ready", StepState::Ready, allowReaders}});
}

void addRepositoryFaults(std::vector<SetupFault>& all) {
  const auto back = field(kImage, kReadyImage);
  const auto image = [](const char* name) { return field(kImage, name); };
  all.insert(
      all.end(),
      {{"repository missing", "image of repository nobody", "repository", "repository-missing",
        "create-repository", image("rehearsal.ocir.io/rehearsal/nobody/trainer:1")},
       {"no repository in a new tenancy", "empty tenancy, no train.yaml", "repository", "repository-missing",
        "create-repository", withoutFile, "empty"},
       {"repository made by a push", "CreateContainerRepository in the root compartment", "repository",
        "repository-other-compartment", "",
        [](SetupWorld& world) {
          makeRepository(world, "pushed", world.tenancy());
          world.setField(kImage, "rehearsal.ocir.io/rehearsal/pushed:1");
        },
        "ready", StepState::Ready, back},
       {"image name with capitals", "image …/Trainer:1", "repository", "image-grammar", "",
        image("rehearsal.ocir.io/rehearsal/Trainer:1"), "ready", StepState::Ready, back},
       {"image without a tag", "image …/lockstep-trainer", "repository", "image-grammar", "",
        image("rehearsal.ocir.io/rehearsal/lockstep-trainer"), "ready", StepState::Ready, back},
       {"image of Docker Hub", "image docker.io/library/python:3.11", "repository", "image-other-registry",
        "", image("docker.io/library/python:3.11"), "ready", StepState::Ready, back},
       {"tenancy's name for its namespace", "image …/acme/lockstep-trainer:1", "repository",
        "image-namespace", "", image("rehearsal.ocir.io/acme/lockstep-trainer:1"), "ready", StepState::Ready,
        back},
       {"registry of another region", "image iad.ocir.io/…", "repository", "image-region", "",
        image("iad.ocir.io/rehearsal/lockstep-trainer:1"), "ready", StepState::Ready, back},
       {"repositories not visible", "user who may see compartments only", "repository",
        "repositories-not-listable", "", asReader({}), "ready", StepState::Ready, allowReaders},
       {"repository public", "CreateContainerRepository isPublic", "repository", "repository-public", "",
        [](SetupWorld& world) {
          makeRepository(world, "open", world.place("compartmentId"), true);
          world.setField(kImage, "rehearsal.ocir.io/rehearsal/open:1");
        },
        "ready", StepState::Ready, back}});
}

void addLoggingFaults(std::vector<SetupFault>& all) {
  constexpr const char* kNoGroup = "ocid1.loggroup.oc1.rehearsal.aaaaaaaagone";
  constexpr const char* kNoLog = "ocid1.log.oc1.rehearsal.aaaaaaaagone";
  all.insert(
      all.end(),
      {{"no log group in a new tenancy", "empty tenancy, no train.yaml", "logging", "log-group-missing",
        "create-log", withoutFile, "empty"},
       {"log group deleted", "logGroupId of nothing", "logging", "log-group-missing", "",
        field(kGroup, kNoGroup), "ready", StepState::Ready, nothing},
       {"log deleted", "logId of nothing", "logging", "log-missing", "", field(kLog, kNoLog), "ready",
        StepState::Ready, nothing},
       {"log disabled", "CreateLog isEnabled false", "logging", "log-disabled", "enable-log", disabledLog},
       {"log of a service", "CreateLog logType SERVICE", "logging", "log-of-a-service", "create-log",
        serviceLog},
       {"log and group swapped", "each id in the other's field", "logging", "log-ids-swapped", "",
        [](SetupWorld& world) {
          world.setField(kGroup, world.place("logId"));
          world.setField(kLog, world.place("logGroupId"));
        },
        "ready", StepState::Ready, nothing},
       {"OCID of something else", "logId of a bucket", "logging", "log-ocid", "",
        field(kLog, "ocid1.bucket.oc1.rehearsal.aaaa"), "ready", StepState::Ready,
        [](SetupWorld& world) { world.setField(kLog, world.place("logId")); }},
       {"log without its group", "logGroupId empty", "logging", "log-without-group", "", field(kGroup, ""),
        "ready", StepState::Ready,
        [](SetupWorld& world) { world.setField(kGroup, world.place("logGroupId")); }},
       {"log of another group", "logGroupId of a second group", "logging", "log-other-group", "",
        logOfOtherGroup, "ready", StepState::Ready, nothing},
       {"log group in another compartment", "CreateLogGroup in compartment observability", "logging",
        "log-group-other-compartment", "", groupElsewhere, "ready", StepState::Ready,
        [](SetupWorld& world) {
          world.choices = {};
          world.setField(kGroup, world.place("logGroupId"));
          world.setField(kLog, world.place("logId"));
          world.choices.logGroupId = world.place("logGroupId");
          world.choices.logId = world.place("logId");
        }},
       {"several log groups, none named", "two groups, no train.yaml", "logging", "log-group-not-chosen",
        "create-log", severalGroups},
       {"log group without a log", "CreateLogGroup alone", "logging", "log-missing", "create-log",
        groupWithoutLog},
       {"log group not visible", "user who may see compartments only", "logging", "log-group-missing", "",
        asReader({}), "ready", StepState::Ready, allowReaders}});
}

void addLimitsFaults(std::vector<SetupFault>& all) {
  constexpr const char* kE4 = "ds-standard-e4-count";
  const auto raised = limit(kE4, 100);
  const auto shape = field(kShape, "VM.Standard.E4.Flex");
  all.insert(all.end(), {{"limit zero", "service limit set to 0", "limits", "limit-zero", "", limit(kE4, 0),
                          "ready", StepState::Ready, raised},
                         {"limit below the plan", "service limit 2 for 3 nodes", "limits", "limit-too-small",
                          "", limit(kE4, 2), "ready", StepState::Ready, raised},
                         {"limit used up", "one of 3 nodes runs already", "limits", "limit-in-use", "",
                          limitInUse, "ready", StepState::Ready, limit("ds-standard2-count", 10)},
                         {"shape whose limit nobody knows", "shapeName BM.HPC2.36", "limits", "limit-unknown",
                          "", field(kShape, "BM.HPC2.36"), "ready", StepState::Ready, shape},
                         {"limits not readable", "user who may see compartments only", "limits",
                          "limits-not-readable", "", asReader({}), "ready", StepState::Ready, allowReaders},
                         {"no shape named", "shapeName empty", "limits", "shape-missing", "",
                          field(kShape, ""), "ready", StepState::Ready, shape}});
}

}  // namespace lockstep::testing
