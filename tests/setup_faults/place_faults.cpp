// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of what a train.yaml names and the tenancy does not have: compartment, VCN, subnet, project, log.
#include "tests/setup_faults/setup_fault.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using Act = std::function<void(SetupWorld&)>;

constexpr const char* kCompartment = "spec.infrastructure.spec.compartmentId";
constexpr const char* kSubnet = "spec.infrastructure.spec.subnetId";
constexpr const char* kNoCompartment = "ocid1.compartment.oc1..aaaaaaaagone";
constexpr const char* kCompartments = "/20160918/compartments";

std::string makeCompartment(const SetupWorld& world, const std::string& name) {
  return world
      .post(kCompartments, {{"compartmentId", world.tenancy()}, {"name", name}, {"description", name}})
      .at("id");
}

Act field(const char* path, const char* value) {
  return [=](SetupWorld& world) { world.setField(path, value); };
}
void nothing(SetupWorld&) {}  // the step itself has found what would do

void asNobody(SetupWorld& world) {
  world.becomeUser("jane", {"Readers"});
}
void asAdministrator(SetupWorld& world) {
  world.becomeUser("second-admin", {"Administrators"});
}

// None of them is called as ours would be.
void severalOthers(SetupWorld& world) {
  makeCompartment(world, "second");
  world.send("PUT", std::string(kCompartments) + "/" + world.place("compartmentId"), {{"name", "training"}});
  world.setField(kCompartment, kNoCompartment);
}
void backToCompartment(SetupWorld& world) {
  world.choices.compartmentId.clear();
  world.setField(kCompartment, world.place("compartmentId"));
}

void deletedCompartment(SetupWorld& world) {
  const std::string id = makeCompartment(world, "old");
  world.send("DELETE", std::string(kCompartments) + "/" + id);
  world.setField(kCompartment, id);
}

// Nothing else is named, so everything has to be looked for in that compartment.
void onlyThatCompartment(SetupWorld& world) {
  world.hasTrainYaml = false;
  world.choices.compartmentId = kNoCompartment;
}
void rightCompartment(SetupWorld& world) {
  world.choices.compartmentId = world.place("compartmentId");
  world.choices.bucket = "lockstep";  // the policies of the ready tenancy name it
  world.choices.nameSpace = "rehearsal";
}

void vcnOfNothing(SetupWorld& world) {
  world.setField(kSubnet, "");
  world.choices.vcnId = "ocid1.vcn.oc1.rehearsal.aaaaaaaagone";
}

// An empty tenancy that has a compartment, and a train.yaml whose other ids are of nothing.
void bareCompartment(SetupWorld& world) {
  world.choices.compartmentId = makeCompartment(world, "bare");
}

void lastProjectDeleted(SetupWorld& world) {
  world.send("DELETE", "/20190101/projects/" + world.place("projectId"));
}

SetupFault inEmpty(SetupFault made) {
  made.world = "empty";
  return made;
}

}  // namespace

void addPlaceFaults(std::vector<SetupFault>& all) {
  all.insert(
      all.end(),
      {fault("compartment of nothing", "compartmentId of nothing", "project", "compartment-missing", "",
             field(kCompartment, kNoCompartment), nothing),
       fault("compartment deleted", "DeleteCompartment of the one that is named", "project",
             "compartment-missing", "", deletedCompartment, nothing),
       fault("compartment of nothing among several", "two others, neither called lockstep", "project",
             "compartment-missing", "", severalOthers, backToCompartment),
       fault("compartment not visible", "user without any policy", "project", "compartment-missing", "",
             asNobody, asAdministrator),
       inEmpty(fault("compartment of nothing in a new tenancy", "empty tenancy, the starter's train.yaml",
                     "project", "compartment-missing", "create-compartment", nothing)),
       fault("last project deleted", "DeleteProject of the only one", "project", "project-missing",
             "create-project", lastProjectDeleted),
       fault("VCN of nothing", "--vcn of nothing, no subnet named", "network", "vcn-missing", "",
             vcnOfNothing, nothing),
       inEmpty(fault("subnet of nothing in a new tenancy", "subnetId of nothing, no other subnet", "network",
                     "subnet-gone", "create-network", bareCompartment)),
       inEmpty(fault("log group of nothing in a new tenancy", "logGroupId of nothing, no other group",
                     "logging", "log-group-missing", "create-log", bareCompartment)),
       inEmpty(fault("project of nothing in a new tenancy", "projectId of nothing, no other project",
                     "project", "project-missing", "create-project", bareCompartment)),
       inEmpty(fault("bucket of nothing in a new tenancy", "workDir of nothing, no other bucket", "bucket",
                     "bucket-missing", "create-bucket", bareCompartment))});
  for (const char* step : {"network", "bucket", "policies", "repository", "logging"})
    all.push_back(fault(std::string("compartment of nothing, seen from ") + step, "--compartment of nothing",
                        step, "needs-project", "", onlyThatCompartment, rightCompartment));
}

}  // namespace lockstep::testing
