// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/captured_process.h"
#include "base/secret.h"
#include "cluster/spec/cluster_spec.h"
#include "oci/calls/service_client.h"
#include "oci/services/identity_types.h"
#include "oci/services/image_name.h"
#include "oci/signing/profile.h"
#include "policy/policy_mode.h"
#include "setup/step/secret_keeper.h"

namespace lockstep {

/// How the tenancy itself is called where a compartment is named, as Oracle's console calls it.
inline constexpr const char* kRootCompartmentName = "(root)";

/// The id of a compartment that is still to be made: no service knows it, so that nothing is made elsewhere.
inline constexpr const char* kCompartmentToBeMade = "ocid1.compartment.to-be-created";
/// The name of one that nobody has named.
inline constexpr const char* kNewCompartmentName = "lockstep";
[[nodiscard]] inline bool isToBeMade(const oci::Compartment& compartment) {
  return compartment.id == kCompartmentToBeMade;
}

/// What the user has chosen beyond the train.yaml. Empty: taken from the train.yaml, or from the tenancy
/// where it has just one.
struct SetupChoices {
  std::string compartmentId, projectId, vcnId, subnetId, logGroupId, logId;
  std::string bucket, nameSpace, bucketPrefix;  // of the work dir
  std::string image;                            // "iad.ocir.io/ns/repo:tag"
  PolicyMode policyMode = PolicyMode::Restricted;
  std::string group, dynamicGroup;  // names of the group that launches and of the job runs' dynamic group
  std::string registryUser;         // without the namespace
  oci::AccountKind accountKind = oci::AccountKind::Local;
  std::string identityDomain;
  std::string engine;     // "docker" | "podman" | a path; empty: the first that is found
  std::string hostsFile;  // of one's own machines; empty: there are none
  // Of a profile that is to be made:
  std::string newTenancy, newUser, newRegion;
  std::map<std::string, std::string> waived;  // step id -> reason
  // What `group` is: "group" or "dynamic-group" (of what signs in as a resource or instance principal);
  // empty: as the profile signs in.
  std::string launcher{};
  std::string workDir{};         // whole, for one that is no bucket ("file:///runs")
  std::string newCompartment{};  // name of the one to make where none is named; empty: "lockstep"
};

/// Runs a program to its end with `input` on its stdin; replaced by tests.
using CommandRunner =
    std::function<Result<CapturedExit>(const std::vector<std::string>& command, const Secret& input,
                                       std::chrono::milliseconds limit, const std::stop_token& stop)>;

/// The services of another region in which the tenancy is.
struct RegionServices {
  std::string region;
  std::shared_ptr<oci::ServiceClient> services;
};
using RegionFinder = std::function<Result<std::vector<RegionServices>>(const std::stop_token&)>;

/// What all steps look at. Shared by steps that run side by side: immutable but for services(), which is
/// thread-safe.
class SetupContext {
 public:
  struct Setup {
    oci::ProfileQuery query;
    std::optional<ClusterSpec> spec;  // of the train.yaml; nothing: a tenancy without a cluster in mind
    SetupChoices choices;
    CommandRunner run;                               // default: runCaptured
    std::map<std::string, std::string> environment;  // default: this process's
    RegionFinder otherRegions{};                     // default: those that the tenancy is subscribed to
    std::shared_ptr<SecretKeeper> secrets{};         // null: nothing secret is kept
    std::optional<bool> isRehearsal{};               // default: a profile with one endpoint for everything
  };
  explicit SetupContext(Setup setup);

  [[nodiscard]] const oci::ProfileQuery& query() const { return setup_.query; }
  [[nodiscard]] const std::optional<ClusterSpec>& spec() const { return setup_.spec; }
  [[nodiscard]] const SetupChoices& choices() const { return setup_.choices; }
  [[nodiscard]] const CommandRunner& run() const { return setup_.run; }
  [[nodiscard]] const std::map<std::string, std::string>& environment() const { return setup_.environment; }
  /// Null where nothing secret can be kept.
  [[nodiscard]] SecretKeeper* secrets() const { return setup_.secrets.get(); }

  /// The profile, loaded once.
  Result<oci::Profile> profile() const;
  /// Whether job runs are processes of this machine, which need neither a container engine nor its login.
  [[nodiscard]] bool isRehearsal() const;
  /// Where things are and are made: the choice, else the train.yaml's, else the tenancy's only compartment. A
  /// tenancy without compartments: the tenancy itself where a Data Science project lies in it already, else
  /// one that isToBeMade(), in which nothing can be yet. FailedPrecondition with the names when there are
  /// several; NotFound for a named one that is not there or may not be seen, with the service's own answer.
  /// Asked for once.
  Result<oci::Compartment> compartment(const std::stop_token& stop) const;
  /// "training (ocid1.compartment…)"; the id alone where the name may not be seen.
  [[nodiscard]] std::string compartmentText(const std::string& id, const std::stop_token& stop) const;
  /// All compartments of the tenancy (IdentityClient::listCompartments), asked for once.
  Result<std::vector<oci::Compartment>> compartments(const std::stop_token& stop) const;
  /// A client with few retries: a check answers within seconds or says that it could not reach anything.
  /// Opened once; the first caller may block on a pass phrase.
  Result<std::shared_ptr<oci::ServiceClient>> services() const;
  /// The tenancy's Object Storage namespace, asked for once.
  Result<std::string> nameSpace(const std::stop_token& stop) const;

  /// The tenancy's regions but for the profile's; none for a profile with one endpoint for everything.
  Result<std::vector<RegionServices>> otherRegions(const std::stop_token& stop) const;

  /// The choice, else the train.yaml's; empty when neither says.
  [[nodiscard]] std::string compartmentId() const;
  [[nodiscard]] std::string subnetId() const;
  /// "oci://bucket@namespace/prefix" or a file:// URI; empty when nobody says. What a train.yaml has in angle
  /// brackets, to be replaced, says nothing, here and above.
  [[nodiscard]] std::string workDir() const;
  [[nodiscard]] std::string image() const;

 private:
  Setup setup_;
  mutable std::mutex mutex_;
  mutable std::optional<Result<oci::Profile>> profile_;
  mutable std::shared_ptr<oci::ServiceClient> services_;
  mutable std::string nameSpace_;
  Result<oci::Compartment> namedCompartment(const std::string& id, const std::stop_token& stop) const;
  Result<oci::Compartment> unnamedCompartment(const std::stop_token& stop) const;
  Result<bool> hasProject(const std::string& compartmentId, const std::stop_token& stop) const;

  // Held while something is asked for: others wait rather than ask as well.
  mutable std::mutex compartmentMutex_, compartmentsMutex_;
  mutable std::optional<Result<oci::Compartment>> compartment_;
  mutable std::optional<Result<std::vector<oci::Compartment>>> compartments_;
};

using SetupContextPtr = std::shared_ptr<const SetupContext>;

}  // namespace lockstep
