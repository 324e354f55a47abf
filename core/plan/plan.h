// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/issue.h"
#include "base/status.h"
#include "cluster/cluster_document.h"

namespace lockstep {

/// One request that a launch will send: exactly this body. `${job}` stands for the id of the job created first.
struct PlannedRequest {
  std::string operation;  // "CreateJob" | "CreateJobRun"
  nlohmann::ordered_json body;
};

struct PlannedNode {
  NodeRole role = NodeRole::Main;
  std::string displayName;
  int nodeRank = 0;  // main 0, workers 1…; parameter servers: after the workers (they get no RANK variable)
};

struct Plan {
  std::string layout = "runs";  // "runs": one job run per node
  std::vector<PlannedRequest> requests;
  std::vector<PlannedNode> nodes;  // nodes[i] belongs to the i-th CreateJobRun
  std::string workDir;
  std::vector<Issue> issues;
};

struct PlanOptions {
  /// Replaces an image that starts with '@' (ads: config.ini). Empty: such an image is reported and sent as it is.
  std::string image;
  /// The random part of generated names ("<adjective>-<animal>-…"), injected for tests.
  std::string generatedName;
};

/// Pure. A document with errors yields a failure; its issues tell why.
/// Bodies as ads-contract 2.2-2.5 has them, env interpolation (2.4) and name templates (2.2) applied.
[[nodiscard]] Result<Plan> makePlan(const ClusterDocument& document, const PlanOptions& options = {});

/// The document of `lockstep plan --json` (design/cli.md).
[[nodiscard]] nlohmann::ordered_json toJson(const Plan& plan);

/// The same plan on another tenancy: ids and work dir replaced where given (rehearsing a real train.yaml).
struct TenancyPlaces {
  std::string compartmentId, projectId, subnetId, logGroupId, logId, workDir;
};
[[nodiscard]] Plan movedTo(Plan plan, const TenancyPlaces& places);

}  // namespace lockstep
