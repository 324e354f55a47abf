// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/encoding.h"
#include "plan/env_interpolation.h"
#include "plan/job_body.h"
#include "plan/job_environment.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

/// What a dry run may show all the same: the values are not there yet, but the requests are clear.
bool isOnlyUnfinished(const Issue& issue) {
  return issue.code == "placeholder" || issue.code == "ocid";
}

std::optional<Status> refusal(const ClusterDocument& document, bool draft) {
  std::size_t errors = 0;
  const Issue* first = nullptr;
  for (const Issue& issue : document.issues()) {
    if (issue.severity != Severity::Error || (draft && isOnlyUnfinished(issue))) continue;
    if (errors++ == 0) first = &issue;
  }
  if (errors == 0) return std::nullopt;
  const std::string more = errors > 1 ? fmt::format(" (and {} more)", errors - 1) : "";
  return Status{StatusCode::InvalidArgument,
                "the file cannot be planned",
                first->message + more,
                first->remedy,
                fmt::format("{}:{}", first->place.line, first->place.column),
                std::nullopt};
}

/// A name that is there and not empty.
const std::string* given(const std::optional<std::string>& name) {
  return name && !name->empty() ? &*name : nullptr;
}

std::string jobNameTemplate(const ClusterSpec& spec, const PlanOptions& options) {
  if (const std::string* name = given(spec.clusterName)) return *name;
  if (const std::string* name = given(spec.infrastructure.displayName)) return *name;
  if (!options.generatedName.empty()) return options.generatedName;
  return generatedJobName(SystemClock().now(), randomBytes(2));
}

std::string runNameTemplate(const ClusterSpec& spec, NodeRole role, long long index) {
  if (role == NodeRole::Main) return given(spec.main->name) ? *spec.main->name : "main";
  const bool worker = role == NodeRole::Worker;
  const auto& name = worker ? spec.worker->name : spec.parameterServer->name;
  return fmt::format("{}_{}", given(name) ? *name : worker ? "worker" : "ps", index);
}

std::string imageOf(const ClusterSpec& spec, const PlanOptions& options) {
  const std::string image = spec.image.value_or("");
  return image.starts_with('@') && !options.image.empty() ? options.image : image;
}

class Planner {
 public:
  Planner(const ClusterSpec& spec, const PlanOptions& options) : spec_(spec), options_(options) {}

  Result<Plan> run() {
    auto environment = interpolated(jobEnvironment(spec_));
    if (!environment) return tl::unexpected(environment.error());
    environment_ = std::move(*environment);
    const std::string name = substituted(jobNameTemplate(spec_, options_), environment_);
    auto job = jobBody(spec_, name, imageOf(spec_, options_), environment_);
    if (!job) return tl::unexpected(job.error());
    plan_.requests.push_back({"CreateJob", std::move(*job)});
    addNodes(NodeRole::Main);
    addNodes(NodeRole::Worker);
    addNodes(NodeRole::ParameterServer);
    plan_.workDir = environment_["OCI__WORK_DIR"].get<std::string>();
    plan_.ranksPerNode = ranksPerNodeOf(spec_.infrastructure.shapeName.value_or(""));
    return std::move(plan_);
  }

 private:
  void addNodes(NodeRole role) {
    const long long count = nodeCount(spec_, role);
    for (long long i = 0; i < count; ++i) {
      Json own = runEnvironment(spec_, role, i);
      const std::string name = nameOf(role, i, own);
      plan_.nodes.push_back({role, name, static_cast<int>(plan_.nodes.size())});
      plan_.requests.push_back({"CreateJobRun", jobRunBody(spec_, name, std::move(own))});
    }
  }

  /// Run names see the job's variables with the run's own ones over them.
  std::string nameOf(NodeRole role, long long index, const Json& own) const {
    std::string name = runNameTemplate(spec_, role, index);
    if (name.find('$') == std::string::npos) return name;
    Json all = environment_;
    for (const auto& [key, value] : own.items()) all[key] = value;
    return substituted(name, all);
  }

  const ClusterSpec& spec_;
  const PlanOptions& options_;
  Json environment_;
  Plan plan_;
};

std::vector<Issue> issuesFor(const ClusterDocument& document, const PlanOptions& options) {
  std::vector<Issue> issues = document.issues();
  if (!options.image.empty())
    std::erase_if(issues, [](const Issue& i) { return i.code == "image-unresolved"; });
  return issues;
}

void replaceIfPresent(Json& object, const char* key, const std::string& value) {
  if (!value.empty() && object.contains(key)) object[key] = value;
}

void moveJob(Json& body, const TenancyPlaces& places) {
  replaceIfPresent(body["jobInfrastructureConfigurationDetails"], "subnetId", places.subnetId);
  replaceIfPresent(body["jobConfigurationDetails"]["environmentVariables"], "OCI__WORK_DIR", places.workDir);
  if (!body.contains("jobLogConfigurationDetails")) return;
  replaceIfPresent(body["jobLogConfigurationDetails"], "logGroupId", places.logGroupId);
  replaceIfPresent(body["jobLogConfigurationDetails"], "logId", places.logId);
}

}  // namespace

Result<Plan> makePlan(const ClusterDocument& document, const PlanOptions& options) {
  if (const auto status = refusal(document, options.draft)) return failure(*status);
  const ClusterSpec& spec = document.spec();
  if (spec.framework != Framework::PyTorch)
    return failure(StatusCode::InvalidArgument,
                   fmt::format("a cluster of kind '{}' cannot be planned yet", spec.clusterKind),
                   "this version plans PYTORCH clusters", "use kind: PYTORCH", "spec.cluster.kind");
  auto plan = Planner(spec, options).run();
  if (plan) plan->issues = issuesFor(document, options);
  return plan;
}

std::optional<int> ranksPerNodeOf(const std::string& shapeName) {
  if (shapeName.find("GPU") == std::string::npos) return 1;
  const std::size_t dot = shapeName.rfind('.');
  const std::string last = dot == std::string::npos ? "" : shapeName.substr(dot + 1);
  const bool digits = !last.empty() && last.size() <= 2 &&
                      std::all_of(last.begin(), last.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || last == "0") return std::nullopt;
  return std::stoi(last);
}

std::string generatedJobName(TimePoint now, std::string_view randomness) {
  static constexpr std::array<const char*, 16> kAdjectives{
      "amber", "brisk", "calm",   "clever", "crisp", "eager", "fair",  "gentle",
      "happy", "keen",  "lively", "merry",  "proud", "quiet", "swift", "witty"};
  static constexpr std::array<const char*, 16> kAnimals{
      "badger", "bison", "crane",  "dolphin", "falcon", "gecko", "heron", "ibex",
      "koala",  "lynx",  "marmot", "otter",   "panda",  "raven", "seal",  "wombat"};
  const auto pick = [&](std::size_t i) {
    return i < randomness.size() ? static_cast<unsigned char>(randomness[i]) % 16U : 0U;
  };
  using namespace std::chrono;
  const auto day = floor<days>(now);
  const year_month_day date(day);
  const hh_mm_ss time(floor<seconds>(now - day));
  return fmt::format("{}-{}-{}-{:02}-{:02}-{:02}:{:02}.{:02}", kAdjectives[pick(0)], kAnimals[pick(1)],
                     static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), time.hours().count(), time.minutes().count(),
                     time.seconds().count());
}

Json toJson(const Plan& plan) {
  Json json = Json::object();
  json["layout"] = plan.layout;
  json["requests"] = Json::array();
  for (const PlannedRequest& request : plan.requests)
    json["requests"].push_back({{"operation", request.operation}, {"body", request.body}});
  Json roles = Json::object();
  for (const PlannedNode& node : plan.nodes) {
    const char* role = node.role == NodeRole::Main ? "MAIN" : node.role == NodeRole::Worker ? "WORKER" : "PS";
    roles[role] = roles.value(role, 0) + 1;
  }
  json["world"] = {{"nodes", plan.nodes.size()}, {"roles", roles}, {"ranksPerNode", nullptr}};
  if (plan.ranksPerNode) json["world"]["ranksPerNode"] = *plan.ranksPerNode;
  json["issues"] = toJson(plan.issues);
  json["cost"] = nullptr;
  return json;
}

Json toJson(const std::vector<Issue>& issues) {
  Json json = Json::array();
  for (const Issue& issue : issues) json.push_back(Json(toJson(issue)));
  return json;
}

Plan movedTo(Plan plan, const TenancyPlaces& places) {
  for (PlannedRequest& request : plan.requests) {
    replaceIfPresent(request.body, "compartmentId", places.compartmentId);
    replaceIfPresent(request.body, "projectId", places.projectId);
    if (request.operation == "CreateJob") moveJob(request.body, places);
  }
  if (!places.workDir.empty()) plan.workDir = places.workDir;
  return plan;
}

}  // namespace lockstep
