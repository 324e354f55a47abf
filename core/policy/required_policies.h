// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "policy/policy_coverage.h"
#include "policy/policy_mode.h"

namespace lockstep {

/// A compartment, by its OCID or by its name (a path "a:b" from where the policy will be attached). Neither:
/// a placeholder stands for it.
struct CompartmentRef {
  std::string id, name;
};

/// What training is to be allowed, and to whom.
struct PolicyRequirements {
  PolicyMode mode = PolicyMode::Restricted;
  /// Who launches: a group of users, or the dynamic group of an instance or a notebook that launches by
  /// itself.
  PolicySubject::Kind launcherKind = PolicySubject::Kind::Group;
  std::string launchers = "<group>", launchersDomain;
  std::string jobRuns = "lockstep-job-runs", jobRunsDomain;  // the dynamic group of the job runs
  CompartmentRef compartment;                                // of jobs, log and repository
  CompartmentRef network;                                    // of the subnet; empty: `compartment`
  CompartmentRef storage;                                    // of the bucket; empty: `compartment`
  bool needsBucket = true, needsRepository = true, needsNetwork = true;
  std::vector<std::string> buckets;  // Scoped: these only, a placeholder when empty
  std::string repository;            // Scoped: this one only, a placeholder when empty
  /// Words for what a Dask cluster with TLS reads; OCIDs of vault secrets; namespaces of own metrics.
  std::vector<std::string> certificateKinds, secrets, metricNamespaces;
  /// When the proof of concept ends by itself: "2026-12-06T00:00:00Z". Empty: it does not.
  std::string until;
};

struct RequiredStatement {
  enum class Who { Launcher, JobRuns, Service };
  Who who = Who::Launcher;
  PolicyStatement statement;
  std::string reason;     // "job runs write their logs"
  std::string moreAsked;  // what a page of the guides asks for beyond it, and why it is not needed
};
[[nodiscard]] const char* toString(RequiredStatement::Who who);  // "launcher" "job-runs" "service"

/// The smallest set that training works with (ads-contract 4.5): where two pages of the
/// guides disagree, what both ask for. ProofOfConcept grants everything in the compartment, and is unsafe.
[[nodiscard]] std::vector<RequiredStatement> requiredStatements(const PolicyRequirements& requirements);

/// What a required statement asks for, of `who`, in the compartment with this OCID.
[[nodiscard]] PolicyNeed needOf(const RequiredStatement& required, const PolicyPrincipal& who,
                                const std::string& compartmentId);

/// "all {resource.type = 'datasciencejobrun', resource.compartment.id = 'ocid1…'}"
[[nodiscard]] std::string jobRunsRule(const CompartmentRef& compartment);
/// The same for what launches by itself: compute instances of the compartment, or its notebook sessions.
[[nodiscard]] std::string instancesRule(const CompartmentRef& compartment);
[[nodiscard]] std::string notebooksRule(const CompartmentRef& compartment);

/// The placeholders that are left in the statements, each once: "<group>".
[[nodiscard]] std::vector<std::string> placeholdersIn(const std::vector<RequiredStatement>& statements);

}  // namespace lockstep
