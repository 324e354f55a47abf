// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/cluster_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/quote.h"
#include "cluster/reading/shape_catalogue.h"
#include "plan/env_interpolation.h"
#include "plan/job_environment.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

/// Every container image that the requests name.
void collectImages(const Json& value, std::vector<std::string>& images) {
  if (value.is_object() && value.contains("image") && value["image"].is_string())
    images.push_back(value["image"].get<std::string>());
  if (!value.is_structured()) return;
  for (const auto& [key, inner] : value.items()) collectImages(inner, images);
}

/// The image of the cluster, an '@…' replaced by what the plan was made with.
std::string clusterImage(const ClusterSpec& spec, const Plan& plan) {
  const std::string written = spec.image.value_or("");
  if (!written.starts_with('@') && !written.empty()) return written;
  std::vector<std::string> images;
  for (const PlannedRequest& request : plan.requests) collectImages(request.body, images);
  for (const NodeRole role : {NodeRole::Main, NodeRole::Worker, NodeRole::ParameterServer}) {
    const RoleSpec* given = roleOf(spec, role);
    if (given != nullptr && given->image) std::erase(images, *given->image);
  }
  std::erase_if(images, [](const std::string& image) { return image.empty() || image.starts_with('@'); });
  return images.empty() ? "" : images.front();
}

/// Only the native multi-node job lets a role have an image of its own.
std::string imageOfRole(const ClusterSpec& spec, NodeRole role, const std::string& shared) {
  const RoleSpec* given = roleOf(spec, role);
  const bool own = spec.multiNode && given != nullptr && given->image && !given->image->empty() &&
                   !given->image->starts_with('@');
  return own ? *given->image : shared;
}

/// The words that the guides have for the services (ads-contract 3.5).
std::string hostNameOf(Framework framework, NodeRole role, long long index) {
  if (role == NodeRole::Worker) return fmt::format("worker-{}", index);
  if (role == NodeRole::ParameterServer) return fmt::format("ps-{}", index);
  return std::string(traitsOf(framework).mainWord);
}

Environment merged(Environment job, const Environment& run) {
  job.set(run.variables());
  return job;
}

void addNodes(ClusterView& view, const ClusterSpec& spec, const Environment& job) {
  for (const NodeRole role : {NodeRole::Main, NodeRole::Worker, NodeRole::ParameterServer}) {
    const long long count = nodeCount(spec, role);
    for (long long i = 0; i < count; ++i) {
      ExportNode node;
      node.role = role;
      node.index = i;
      node.nodeRank = static_cast<int>(view.nodes.size());
      node.hostName = hostNameOf(spec.framework, role, i);
      node.image = imageOfRole(spec, role, view.image);
      node.environment = merged(job, runEnvironment(spec, role, i));
      view.nodes.push_back(std::move(node));
    }
  }
}

std::string jobNameIn(const Plan& plan) {
  for (const PlannedRequest& request : plan.requests) {
    if (request.operation == "CreateJob") return request.body.value("displayName", std::string());
  }
  return {};
}

}  // namespace

std::string dnsLabel(std::string_view text, std::size_t max) {
  std::string out;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool letter = c >= 'a' && c <= 'z';
    const bool digit = c >= '0' && c <= '9';
    if (letter || (digit && !out.empty()))
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  out.resize(std::min(out.size(), max));
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "cluster" : out;
}

int ClusterView::rankedNodes() const {
  return static_cast<int>(std::count_if(nodes.begin(), nodes.end(), [](const ExportNode& node) {
    return node.role != NodeRole::ParameterServer;
  }));
}

std::string TrainingCommand::path() const {
  return entry.starts_with('/') ? entry : codeDir + (codeDir.ends_with('/') ? "" : "/") + entry;
}

TrainingCommand trainingCommandOf(const ExportNode& node) {
  TrainingCommand command;
  if (const std::string* entry = node.environment.find("OCI__ENTRY_SCRIPT")) command.entry = *entry;
  if (const std::string* text = node.environment.find("OCI__ENTRY_SCRIPT_ARGS"))
    command.arguments = splitShell(*text);
  const std::string* folder = node.environment.find("OCI__CODE_DIR");
  if (folder != nullptr && !folder->empty()) command.codeDir = *folder;
  return command;
}

Result<ClusterView> clusterView(const ExportInput& input) {
  return clusterView(input.document.spec(), input.plan);
}

Result<ClusterView> clusterView(const ClusterSpec& spec, const Plan& plan) {
  auto job = interpolated(jobEnvironment(spec));
  if (!job) return failure(job.error());
  ClusterView view;
  view.name = jobNameIn(plan);
  view.label = dnsLabel(view.name, 40);
  view.framework = spec.framework;
  view.shapeName = spec.infrastructure.shapeName.value_or("");
  const std::optional<int> gpus = gpusOfShape(view.shapeName);
  view.gpusAreKnown = gpus.has_value();
  view.gpusPerNode = gpus.value_or(0);
  const Shape* shape = ShapeCatalogue::builtIn().find(view.shapeName);
  view.hasRdma = shape != nullptr && shape->rdma;
  view.flex = spec.infrastructure.shapeConfig;
  if (const std::string* workDir = job->find("OCI__WORK_DIR")) view.workDir = *workDir;
  view.image = clusterImage(spec, plan);
  view.imageIsKnown = !view.image.empty();
  if (!view.imageIsKnown) view.image = view.label + ":latest";
  addNodes(view, spec, *job);
  for (std::size_t i = 0; i < view.nodes.size(); ++i)
    view.nodes[i].displayName = i < plan.nodes.size() ? plan.nodes[i].displayName : view.nodes[i].hostName;
  return view;
}

Error noSuchForm(const ClusterSpec& spec, std::string_view form, std::string_view remedy) {
  const std::string what = spec.job ? fmt::format("a job of type '{}'", spec.job->type)
                                    : fmt::format("a cluster of kind '{}'", spec.clusterKind);
  return Error{ErrorCode::InvalidArgument,
               fmt::format("{} cannot be exported as {}", what, form),
               "there is no such form for it",
               std::string(remedy),
               spec.job ? "spec.runtime.type" : "spec.cluster.kind",
               std::nullopt};
}

}  // namespace lockstep
