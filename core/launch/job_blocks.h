// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace lockstep {

/// What the nodes of a planned job run, read from the body of its CreateJob: at the top, or in a node group
/// of a native multi-node job.
struct JobBlock {
  std::map<std::string, std::string> variables;
  bool isContainer = false;
  std::optional<std::vector<std::string>> entrypoint;  // unset: the image's own
  std::vector<std::string> cmd;

  [[nodiscard]] std::string variable(const std::string& name) const;
  /// OCI__CLUSTER_TYPE; empty for a job that is no cluster of ads' kind.
  [[nodiscard]] std::string kind() const { return variable("OCI__CLUSTER_TYPE"); }
  /// A container that names its program can be run without its image, by the program of that name here.
  [[nodiscard]] bool namesItsProgram() const { return entrypoint && !(entrypoint->empty() && cmd.empty()); }
  /// entrypoint and then cmd.
  [[nodiscard]] std::vector<std::string> words() const;
};

[[nodiscard]] std::vector<JobBlock> jobBlocksOf(const Plan& plan);

}  // namespace lockstep
