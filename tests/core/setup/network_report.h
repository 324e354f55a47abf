// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cluster/spec/cluster_spec.h"
#include "setup/step/setup_step.h"

namespace lockstep::testing {

/// A main and two workers.
inline ClusterSpec cluster(Framework framework, const std::string& startOptions = {}) {
  ClusterSpec spec;
  spec.kind = "distributed";
  spec.framework = framework;
  spec.clusterKind = framework == Framework::Dask ? "dask" : "tensorflow";
  spec.worker = RoleSpec();
  spec.worker->replicas = 2;
  if (!startOptions.empty()) spec.worker->startOptions = {startOptions};
  return spec;
}

inline std::string shown(const StepReport& report) {
  return toJson(report).dump(1);
}
inline const Finding* withCode(const StepReport& report, const std::string& code) {
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](const Finding& one) { return one.code == code; });
  return found == report.findings.end() ? nullptr : &*found;
}
inline const ProposedFix* fixOf(const StepReport& report, const std::string& id) {
  const auto found = std::find_if(report.fixes.begin(), report.fixes.end(),
                                  [&](const ProposedFix& one) { return one.id == id; });
  return found == report.fixes.end() ? nullptr : &*found;
}

}  // namespace lockstep::testing
