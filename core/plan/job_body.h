// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "plan/environment.h"

namespace lockstep {

/// What of a job is worked out already.
struct JobParts {
  std::string name;
  std::string image;        // of the cluster; '@image' replaced where it can be
  std::string atImage;      // what replaces a role's image that begins with '@'; empty: nothing
  Environment environment;  // of the job, interpolated
};

/// The body of CreateJob for one job run per node, or for a `kind: job` file with one node (ads-contract
/// 2.5).
[[nodiscard]] Result<nlohmann::ordered_json> jobBody(const ClusterSpec& spec, const JobParts& parts);

/// The body of CreateJob for a native multi-node job (ads-contract 5.2).
[[nodiscard]] Result<nlohmann::ordered_json> multiNodeJobBody(const ClusterSpec& spec, const JobParts& parts);

/// The body of CreateJobRun; "${job}" stands for the job's id.
[[nodiscard]] nlohmann::ordered_json jobRunBody(const ClusterSpec& spec, const std::string& name);
/// The same with variables of its own.
[[nodiscard]] nlohmann::ordered_json jobRunBody(const ClusterSpec& spec, const std::string& name,
                                                const Environment& environment);

/// The environment of the nodes of a role in a native multi-node job: the job's with the role's over it, as
/// one job run per node would have it, but without RANK, which cannot differ from node to node, and with
/// NODE_COUNT. No role: all nodes alike.
[[nodiscard]] Environment groupEnvironment(const ClusterSpec& spec, const Environment& job,
                                           std::optional<NodeRole> role);

/// The image with '@…' replaced, if there is something to replace it.
[[nodiscard]] std::string resolvedImage(const std::string& image, const std::string& atImage);

}  // namespace lockstep
