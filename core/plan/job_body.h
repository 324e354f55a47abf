// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "base/status.h"
#include "cluster/cluster_spec.h"

namespace lockstep {

/// The body of CreateJob (ads-contract 2.5): `environment` is the final one, `name` and `image` too.
[[nodiscard]] Result<nlohmann::ordered_json> jobBody(const ClusterSpec& spec, const std::string& name,
                                                     const std::string& image,
                                                     nlohmann::ordered_json environment);

/// The body of CreateJobRun; "${job}" stands for the job's id.
[[nodiscard]] nlohmann::ordered_json jobRunBody(const ClusterSpec& spec, const std::string& name,
                                                nlohmann::ordered_json environment);

}  // namespace lockstep
