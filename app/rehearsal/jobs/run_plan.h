// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rehearsal/api/http_types.h"
#include "rehearsal/state/resources.h"
#include "rehearsal/support/run_folder.h"

namespace lockstep::rehearsal {

/// Nodes of one job run that are alike.
struct GroupPlan {
  std::string name;  // empty: the only node of a run of one node
  int replicas = 1;
  int minimumSuccess = 1;  // so many must succeed
  std::string shapeName;
  nlohmann::json configuration;  // jobConfigurationDetails, the run's laid over the job's
  nlohmann::json container;      // jobEnvironmentConfigurationDetails likewise; null: no container
};

/// What a job run executes, settled when it was created: job and overrides merged (oci-rest-contract 4.5).
struct RunPlan {
  bool multiNode = false;
  std::vector<GroupPlan> groups;
  bool inOrder = false;                  // the groups start one after the other
  std::string subnetId;                  // empty: managed egress, or the default network of the nodes
  std::chrono::milliseconds longest{0};  // maximum runtime of the whole run; 0: none
  [[nodiscard]] int nodes() const;
  /// The place in `groups` of the node of that rank. Ranks run over the groups in their order.
  [[nodiscard]] std::size_t groupOf(int rank) const;
  [[nodiscard]] int firstRankOf(std::size_t group) const;
};

/// Merges; refuses overrides that do not fit the job (an unknown group, a block of the other kind).
tl::expected<RunPlan, ServiceError> planRun(const nlohmann::json& jobBody, const nlohmann::json& runBody);

/// The plan as it stands in Resource::hidden of the run, which the region reads after a restart. A run that
/// an earlier version created has one, too.
[[nodiscard]] nlohmann::json toJson(const RunPlan& plan);
[[nodiscard]] RunPlan planOf(const Resource& run);

[[nodiscard]] std::optional<StartupProbe> probeOf(const nlohmann::json& configuration);

}  // namespace lockstep::rehearsal
