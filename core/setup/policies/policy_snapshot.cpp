// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/policies/policy_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "oci/calls/side_by_side.h"
#include "oci/services/network_client.h"
#include "oci/storage/object_storage_client.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

constexpr int kParallel = 8;

template <class T>
using Answer = std::optional<Result<std::vector<T>>>;

/// Asks for everything; what comes back is kept with its failure, so that one refusal spoils nothing else.
class PolicySnapshotReader {
 public:
  PolicySnapshotReader(const SetupContext& context, std::shared_ptr<oci::ServiceClient> services,
                       oci::Profile profile, oci::Compartment compartment)
      : context_(context),
        services_(std::move(services)),
        profile_(std::move(profile)),
        compartment_(std::move(compartment)),
        identity_(services_, profile_.tenancy) {}

  Result<PolicySnapshot> read(const std::stop_token& stop);

 private:
  using Job = std::function<void(const std::stop_token&)>;
  Result<void> all(const std::vector<Job>& jobs, const std::stop_token& stop);
  void readPoliciesOf(const std::string& id, const std::stop_token& stop);
  void readSubnet(const std::stop_token& stop);
  void readBucket(const std::stop_token& stop);
  void addTree();
  void addPeople();
  void addPolicies();
  [[nodiscard]] std::vector<std::string> placesWithPolicies() const;
  template <class T>
  bool take(Answer<T>& answer, std::vector<T>& into, const std::string& what);

  const SetupContext& context_;
  const std::shared_ptr<oci::ServiceClient> services_;
  const oci::Profile profile_;
  const oci::Compartment compartment_;
  oci::IdentityClient identity_;
  Answer<oci::Compartment> compartments_;
  Answer<oci::Group> groups_;
  Answer<oci::DynamicGroup> dynamicGroups_;
  Answer<oci::GroupMembership> memberships_;
  std::mutex mutex_;
  std::map<std::string, Result<std::vector<oci::Policy>>> policies_;  // by compartment
  std::string networkId_, storageId_;
  PolicySnapshot snapshot_;
};

Result<void> PolicySnapshotReader::all(const std::vector<Job>& jobs, const std::stop_token& stop) {
  return oci::sideBySide(jobs.size(), kParallel, stop,
                         [&](std::size_t i, const std::stop_token& inner) -> Result<void> {
                           jobs[i](inner);
                           return {};
                         });
}

void PolicySnapshotReader::readPoliciesOf(const std::string& id, const std::stop_token& stop) {
  auto some = identity_.listPolicies(id, stop);
  const std::scoped_lock lock(mutex_);
  policies_.emplace(id, std::move(some));
}

// The step "network" says what is wrong with a subnet that cannot be read.
void PolicySnapshotReader::readSubnet(const std::stop_token& stop) {
  const std::string id = context_.subnetId();
  if (id.empty()) return;
  if (const auto subnet = oci::NetworkClient(services_).getSubnet(id, stop))
    networkId_ = subnet->compartmentId;
}

void PolicySnapshotReader::readBucket(const std::stop_token& stop) {
  const auto uri = parseWorkDirUri(context_.workDir());
  if (!uri || uri->scheme != WorkDirUri::Scheme::Oci) return;
  const auto bucket = oci::ObjectStorageClient(services_).getBucket(uri->nameSpace, uri->bucket, stop);
  if (bucket) storageId_ = bucket->compartmentId;
}

Result<PolicySnapshot> PolicySnapshotReader::read(const std::stop_token& stop) {
  const std::string& tenancy = profile_.tenancy;
  std::vector<Job> jobs{[&](const auto& s) { compartments_ = context_.compartments(s); },
                        [&](const auto& s) { groups_ = identity_.listGroups(tenancy, s); },
                        [&](const auto& s) { dynamicGroups_ = identity_.listDynamicGroups(tenancy, s); },
                        [&](const auto& s) { readPoliciesOf(tenancy, s); },
                        [&](const auto& s) { readSubnet(s); },
                        [&](const auto& s) { readBucket(s); }};
  if (!profile_.user.empty())
    jobs.emplace_back([&](const auto& s) {
      memberships_ = identity_.listUserGroupMemberships(tenancy, profile_.user, {}, s);
    });
  if (compartment_.id != tenancy && !isToBeMade(compartment_))
    jobs.emplace_back([&](const auto& s) { readPoliciesOf(compartment_.id, s); });
  if (auto done = all(jobs, stop); !done) return failure(done.error());
  addTree();
  jobs.clear();
  for (const std::string& id : placesWithPolicies())
    if (!policies_.contains(id)) jobs.emplace_back([this, id](const auto& s) { readPoliciesOf(id, s); });
  if (auto done = all(jobs, stop); !done) return failure(done.error());
  addPeople();
  addPolicies();
  return std::move(snapshot_);
}

template <class T>
bool PolicySnapshotReader::take(Answer<T>& answer, std::vector<T>& into, const std::string& what) {
  if (!answer) return false;
  if (!*answer) {
    snapshot_.unread.push_back({what, answer->error()});
    return false;
  }
  into = *std::move(*answer);
  return true;
}

void PolicySnapshotReader::addTree() {
  snapshot_.profile = profile_;
  snapshot_.tree = CompartmentTree(profile_.tenancy);
  std::vector<oci::Compartment> compartments;
  take(compartments_, compartments, "the compartments of the tenancy");
  for (const oci::Compartment& one : compartments) snapshot_.tree.add(one.id, one.name, one.compartmentId);
  const oci::Compartment& own = compartment_;
  if (!snapshot_.tree.has(own.id))
    snapshot_.tree.add(own.id, own.name.empty() ? own.id : own.name,
                       own.compartmentId.empty() ? profile_.tenancy : own.compartmentId);
  snapshot_.compartmentId = own.id;
  snapshot_.networkId = networkId_.empty() ? own.id : networkId_;
  snapshot_.storageId = storageId_.empty() ? own.id : storageId_;
}

std::vector<std::string> PolicySnapshotReader::placesWithPolicies() const {
  std::vector<std::string> places;
  for (const std::string& id : {snapshot_.compartmentId, snapshot_.networkId, snapshot_.storageId})
    for (const std::string& place : snapshot_.tree.upwards(id))
      if (place != kCompartmentToBeMade && std::ranges::find(places, place) == places.end())
        places.push_back(place);
  return places;
}

void PolicySnapshotReader::addPeople() {
  snapshot_.knowsGroups = take(groups_, snapshot_.groups, "the groups of the tenancy");
  snapshot_.knowsDynamicGroups =
      take(dynamicGroups_, snapshot_.dynamicGroups, "the dynamic groups of the tenancy");
  std::vector<oci::GroupMembership> mine;
  snapshot_.knowsMemberships = take(memberships_, mine, "your own groups");
  for (const oci::GroupMembership& one : mine) snapshot_.myGroupIds.insert(one.groupId);
}

void PolicySnapshotReader::addPolicies() {
  snapshot_.knowsPolicies = true;
  for (auto& [id, some] : policies_) {
    if (!some) {
      snapshot_.knowsPolicies = false;
      const std::string place =
          id == profile_.tenancy ? "tenancy" : fmt::format("compartment '{}'", snapshot_.tree.nameOf(id));
      snapshot_.unread.push_back({"the policies of the " + place, some.error()});
      continue;
    }
    for (oci::Policy& policy : *some) {
      auto statements = attachedStatements(policy.id, policy.name, policy.compartmentId, policy.statements);
      std::ranges::move(statements, std::back_inserter(snapshot_.statements));
      snapshot_.policies.push_back(std::move(policy));
    }
  }
  snapshot_.evidence = fmt::format("ListPolicies (compartments: {}, policies: {}, statements: {})",
                                   policies_.size(), snapshot_.policies.size(), snapshot_.statements.size());
}

}  // namespace

Result<PolicySnapshot> readPolicies(const SetupContext& context, const std::stop_token& stop) {
  auto profile = context.profile();
  if (!profile) return failure(profile.error());
  auto services = context.services();
  if (!services) return failure(services.error());
  auto compartment = context.compartment(stop);
  if (!compartment) return failure(compartment.error());
  return PolicySnapshotReader(context, *services, *std::move(profile), *std::move(compartment)).read(stop);
}

}  // namespace lockstep
