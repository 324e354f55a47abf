// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/encoding.h"
#include "plan/env_interpolation.h"
#include "plan/job_body.h"
#include "plan/job_environment.h"
#include "plan/node_details.h"
#include "plan/node_groups.h"
#include "plan/plan_names.h"

namespace lockstep {
namespace {

std::optional<Error> refusal(const ClusterDocument& document, bool draft) {
  std::size_t errors = 0;
  const Issue* first = nullptr;
  for (const Issue& issue : document.issues()) {
    if (issue.severity != Severity::Error || (draft && isUnfinished(issue))) continue;
    if (errors++ == 0) first = &issue;
  }
  if (errors == 0) return std::nullopt;
  const std::string more = errors > 1 ? fmt::format(" (and {} more)", errors - 1) : "";
  return Error{ErrorCode::InvalidArgument,
               "the file cannot be planned",
               first->message + more,
               first->remedy,
               fmt::format("{}:{}", first->place.line, first->place.column),
               std::nullopt};
}

class Planner {
 public:
  Planner(const ClusterSpec& spec, const PlanOptions& options) : spec_(spec), options_(options) {}

  Result<Plan> run() {
    auto environment = interpolated(jobEnvironment(spec_));
    if (!environment) return tl::unexpected(environment.error());
    parts_.environment = std::move(*environment);
    parts_.name = jobName();
    parts_.atImage = options_.image;
    parts_.image = resolvedImage(spec_.image.value_or(""), options_.image);
    const bool nodes = isMultiNode(spec_);
    auto job = nodes ? multiNodeJobBody(spec_, parts_) : jobBody(spec_, parts_);
    if (!job) return tl::unexpected(job.error());
    plan_.requests.reserve(static_cast<std::size_t>(nodes ? 2 : totalNodes() + 1));
    plan_.requests.push_back({"CreateJob", std::move(*job)});
    nodes ? addGroups() : addRuns();
    if (const std::string* workDir = parts_.environment.find("OCI__WORK_DIR")) plan_.workDir = *workDir;
    plan_.ranksPerNode = worldSizeOf(spec_).ranksPerNode;
    if (spec_.job && !spec_.job->isContainer()) plan_.launchRefusal = artifactRefusal();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] Error artifactRefusal() const {
    return Error{ErrorCode::FailedPrecondition,
                 fmt::format("cannot launch '{}'", parts_.name),
                 "a pyTorchDistributed job runs driver files that `ads` uploads with it",
                 "launch it with `ads opctl run`, or write the cluster as kind: distributed",
                 "spec.runtime.type",
                 std::nullopt};
  }

  [[nodiscard]] TimePoint now() const { return options_.now ? *options_.now : SystemClock().now(); }

  [[nodiscard]] std::string jobName() const {
    std::string name = jobNameTemplate(spec_);
    if (name.empty()) name = options_.generatedName;
    if (name.empty()) name = generatedJobName(now(), randomBytes(2));
    return substituted(name, parts_.environment);
  }

  [[nodiscard]] long long totalNodes() const {
    return nodeCount(spec_, NodeRole::Main) + nodeCount(spec_, NodeRole::Worker) +
           nodeCount(spec_, NodeRole::ParameterServer);
  }

  void addRuns() {
    plan_.nodes.reserve(static_cast<std::size_t>(totalNodes()));
    if (spec_.job) return addOnlyRun(NodeRole::Main, "main");
    for (const NodeRole role : {NodeRole::Main, NodeRole::Worker, NodeRole::ParameterServer}) {
      const long long count = nodeCount(spec_, role);
      for (long long i = 0; i < count; ++i) {
        const Environment own = runEnvironment(spec_, role, i);
        // Run names see the job's variables with the run's own ones over them.
        const std::string name = substituted(runNameTemplate(spec_, role, i), own, parts_.environment);
        addNode(role, name);
        plan_.requests.push_back({"CreateJobRun", jobRunBody(spec_, name, own)});
      }
    }
  }

  void addGroups() {
    plan_.layout = "nodes";
    for (const NodeGroup& group : nodeGroupsOf(spec_)) {
      for (long long i = 0; i < group.replicas; ++i) {
        const NodeRole role = group.role ? *group.role : i == 0 ? NodeRole::Main : NodeRole::Worker;
        addNode(role, group.replicas > 1 ? fmt::format("{}_{}", group.name, i) : group.name);
      }
    }
    plan_.requests.push_back({"CreateJobRun", jobRunBody(spec_, onlyRunName())});
  }

  void addOnlyRun(NodeRole role, const std::string& node) {
    addNode(role, node);
    if (spec_.job->replicas && !spec_.job->isContainer()) return addNumberedRun();
    plan_.requests.push_back({"CreateJobRun", jobRunBody(spec_, onlyRunName())});
  }

  /// Of one replica that is written out `ads` makes the first of several (ads-contract 5.2).
  void addNumberedRun() {
    Environment own;
    own.set("NODE_RANK", "0");
    own.set("NODE_COUNT", "1");
    plan_.requests.push_back({"CreateJobRun", jobRunBody(spec_, parts_.name + "-0", own)});
  }

  [[nodiscard]] std::string onlyRunName() const {
    return spec_.job ? fmt::format("{}-run-{}", parts_.name, timeInName(now())) : parts_.name;
  }

  void addNode(NodeRole role, std::string name) {
    plan_.nodes.push_back({role, std::move(name), static_cast<int>(plan_.nodes.size())});
  }

  const ClusterSpec& spec_;
  const PlanOptions& options_;
  JobParts parts_;
  Plan plan_;
};

std::vector<Issue> issuesFor(const ClusterDocument& document, const PlanOptions& options) {
  std::vector<Issue> issues = document.issues();
  if (!options.image.empty())
    std::erase_if(issues, [](const Issue& i) { return i.code == "image-unresolved"; });
  return issues;
}

/// A published conda environment that does not say its region is in that of the profile. nullopt: nothing to
/// change.
std::optional<ClusterSpec> withRegion(const ClusterSpec& spec, const std::string& region) {
  if (region.empty() || !lacksRegion(spec)) return std::nullopt;
  ClusterSpec placed = spec;
  placed.job->conda->region = region;
  return placed;
}

}  // namespace

bool isUnfinished(const Issue& issue) {
  return issue.code == "placeholder" || issue.code == "ocid";
}

bool lacksRegion(const ClusterSpec& spec) {
  if (!spec.job || !spec.job->conda) return false;
  const CondaSpec& conda = *spec.job->conda;
  return conda.type == "published" && conda.region.value_or("").empty();
}

Result<Plan> makePlan(const ClusterDocument& document, const PlanOptions& options) {
  if (const auto status = refusal(document, options.draft)) return failure(*status);
  const auto placed = withRegion(document.spec(), options.region);
  auto plan = Planner(placed ? *placed : document.spec(), options).run();
  if (!plan) return plan;
  plan->issues = issuesFor(document, options);
  plan->cost = estimateCost(document.spec(), options.prices ? *options.prices : builtInPrices());
  return plan;
}

}  // namespace lockstep
