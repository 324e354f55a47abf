// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsable.h"

namespace lockstep {
namespace {

constexpr const char* kRunsPyTorch = "PYTORCH";

// What the job says of its kind: OCI__CLUSTER_TYPE; empty for a job that is no cluster of ads' kind.
std::string kindOf(const Plan& plan) {
  if (plan.requests.empty()) return {};
  const nlohmann::ordered_json& body = plan.requests.front().body;
  const nlohmann::ordered_json::json_pointer place(
      "/jobConfigurationDetails/environmentVariables/OCI__CLUSTER_TYPE");
  return body.contains(place) && body[place].is_string() ? body[place].get<std::string>() : std::string();
}

}  // namespace

Result<void> rehearsable(const Plan& plan) {
  if (plan.layout == "nodes") {
    return failure(
        StatusCode::FailedPrecondition, "a native multi-node job cannot be rehearsed",
        "the rehearsal region has job runs of one node only",
        "remove spec.multiNode to rehearse it with one job run for each node, or launch it in OCI");
  }
  const std::string kind = kindOf(plan);
  if (kind == kRunsPyTorch) return {};
  if (kind.empty()) {
    return failure(StatusCode::FailedPrecondition, "this job cannot be rehearsed",
                   "it is no cluster of kind PYTORCH, and the rehearsal region has no images to run",
                   "rehearse a PYTORCH cluster, or launch it in OCI");
  }
  return failure(
      StatusCode::FailedPrecondition, "a " + kind + " cluster cannot be rehearsed",
      "the rehearsal region runs lockstep-node in place of the image, and lockstep-node runs PYTORCH "
      "clusters only",
      "launch it in OCI, or write it as a compose file with `lockstep export --to compose`");
}

}  // namespace lockstep
