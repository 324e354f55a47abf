// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsable.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

// What lockstep-node starts.
constexpr std::string_view kKinds[] = {"PYTORCH", "DASK", "HOROVOD", "TENSORFLOW"};

const Json* objectAt(const Json& holder, const char* name) {
  const auto found = holder.find(name);
  return found != holder.end() && found->is_object() ? &*found : nullptr;
}

std::string textAt(const Json& holder, const char* name) {
  const auto found = holder.find(name);
  return found != holder.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Where the job says what its nodes run: at the top, or in each node group of a native multi-node job.
std::vector<const Json*> blocksOf(const Json& job) {
  const Json* nodes = objectAt(job, "jobNodeConfigurationDetails");
  if (nodes == nullptr) return {&job};
  std::vector<const Json*> blocks;
  const auto groups = nodes->find("jobNodeGroupConfigurationDetailsList");
  if (groups != nodes->end())
    for (const Json& group : *groups) blocks.push_back(&group);
  return blocks;
}

/// What a block says of its kind: OCI__CLUSTER_TYPE; empty for a job that is no cluster of ads' kind.
std::string kindOf(const Json& block) {
  const Json* configuration = objectAt(block, "jobConfigurationDetails");
  const Json* variables =
      configuration == nullptr ? nullptr : objectAt(*configuration, "environmentVariables");
  return variables == nullptr ? std::string() : textAt(*variables, "OCI__CLUSTER_TYPE");
}

/// A container that names its program can be run without its image, by the program of that name here.
bool namesItsProgram(const Json& block) {
  const Json* container = objectAt(block, "jobEnvironmentConfigurationDetails");
  if (container == nullptr) return false;
  const auto words = container->find("entrypoint");
  return words != container->end() && words->is_array() && !words->empty();
}

Result<void> blockRehearsable(const Json& block) {
  const std::string kind = kindOf(block);
  if (std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds)) return {};
  if (!kind.empty())
    return failure(StatusCode::FailedPrecondition, "a " + kind + " cluster cannot be rehearsed",
                   "the rehearsal region runs lockstep-node in place of the image, and lockstep-node runs "
                   "PYTORCH, DASK, "
                   "HOROVOD and TENSORFLOW clusters only",
                   "launch it in OCI, or write it as a compose file with `lockstep export --to compose`");
  if (namesItsProgram(block)) return {};
  const bool container = objectAt(block, "jobEnvironmentConfigurationDetails") != nullptr;
  return failure(StatusCode::FailedPrecondition, "this job cannot be rehearsed",
                 container ? "the rehearsal region has no images, so it cannot know what this one runs"
                           : "it runs driver files and a conda environment that the rehearsal region lacks",
                 container ? "name the program in spec.runtime.spec.entrypoint, or launch it in OCI"
                           : "rehearse a PYTORCH cluster, or launch it in OCI");
}

}  // namespace

Result<void> rehearsable(const Plan& plan) {
  if (plan.requests.empty()) return {};
  for (const Json* block : blocksOf(plan.requests.front().body))
    if (auto fits = blockRehearsable(*block); !fits) return fits;
  return {};
}

}  // namespace lockstep
