// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/issue.h"
#include "cluster/document/cluster_document.h"
#include "plan/cost.h"

namespace lockstep {

/// One request that a launch will send: exactly this body. `${job}` stands for the id of the job created
/// first.
struct PlannedRequest {
  std::string operation;  // "CreateJob" | "CreateJobRun"
  nlohmann::ordered_json body;
};

struct PlannedNode {
  NodeRole role = NodeRole::Main;
  std::string displayName;  // of its job run; layout nodes: its group, with a number where that has several
  int nodeRank = 0;  // main 0, workers 1…; parameter servers: after the workers (they get no RANK variable)
};

struct Plan {
  std::string layout = "runs";  // "runs": one job run per node | "nodes": one job run that spans all nodes
  std::vector<PlannedRequest> requests;
  std::vector<PlannedNode> nodes;  // layout runs: nodes[i] belongs to the i-th CreateJobRun; layout nodes:
                                   // all of them belong to the only one
  std::string workDir;
  std::optional<int> ranksPerNode;  // see WorldSize::ranksPerNode
  std::optional<CostEstimate> cost;
  std::vector<Issue> issues;
  /// Why a launch must refuse this plan, although it shows what `ads` would send; unset: it can be launched.
  std::optional<Error> launchRefusal;
};

struct PlanOptions {
  /// Replaces an image that starts with '@' (ads: config.ini). Empty: such an image is reported and sent as
  /// it is.
  std::string image;
  /// The name of a job that the file does not name ("<adjective>-<animal>-…"). Empty: one is made up from the
  /// system's random numbers and the time, and makePlan is not pure for such a file.
  std::string generatedName;
  /// Show what would be sent although ids are placeholders or have no OCID's shape: for a dry run. Their
  /// errors are then in Plan::issues, so a launch must not use such a plan.
  bool draft = false;
  /// What things cost; nullptr: the table that the program carries with it. Must outlive the call.
  const PriceTable* prices = nullptr;
  /// Of the profile that would launch it, for what lacksRegion(). Empty: not known, and left out.
  std::string region = {};
  /// The time in names that are made up (the job run of a `kind: job` file: "<job>-run-<time>"). Unset: now.
  std::optional<TimePoint> now = std::nullopt;
};

/// Processes that the PyTorch containers start on a node of this shape: one per GPU, one without GPUs;
/// nullopt for a GPU shape that does not tell how many it has.
[[nodiscard]] std::optional<int> ranksPerNodeOf(const std::string& shapeName);

/// "<adjective>-<animal>-YYYY-MM-DD-HH:MM.SS", as `ads` names a job without a name.
[[nodiscard]] std::string generatedJobName(TimePoint now, std::string_view randomness);

/// What a dry run may show and a rehearsal replaces all the same: the id is not there yet, but the requests
/// are clear.
[[nodiscard]] bool isUnfinished(const Issue& issue);

/// Whether a plan of it depends on the region of a profile: a published conda environment that names none.
[[nodiscard]] bool lacksRegion(const ClusterSpec& spec);

/// Pure. A document with errors yields a failure; its issues tell why.
/// Bodies as ads-contract 2.2-2.5 has them, env interpolation (2.4) and name templates (2.2) applied.
[[nodiscard]] Result<Plan> makePlan(const ClusterDocument& document, const PlanOptions& options = {});

/// What `lockstep plan --json` prints: layout, requests, world, issues and cost.
/// Takes the plan by value: of one that is not needed any more, the bodies are moved.
[[nodiscard]] nlohmann::ordered_json toJson(Plan plan);

/// The list that `lockstep validate --json` and a plan show.
[[nodiscard]] nlohmann::ordered_json toJson(const std::vector<Issue>& issues);

/// The same plan on another tenancy: ids and work dir replaced where given (rehearsing a real train.yaml).
struct TenancyIds {
  std::string compartmentId, projectId, subnetId, logGroupId, logId, workDir;
};
[[nodiscard]] Plan movedTo(Plan plan, const TenancyIds& places);

}  // namespace lockstep
