// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cluster/document/cluster_document.h"

namespace lockstep {

/// One thing that is to be other than it was: "arg.lr=0.01", "env.NCCL_DEBUG=INFO", "image=a/b:2" or the path of a value,
/// "spec.cluster.spec.worker.replicas=4".
struct LaunchChange {
  std::string key, value;
  bool operator==(const LaunchChange&) const = default;
};

/// InvalidArgument: it has no '=', or nothing before it.
[[nodiscard]] Result<LaunchChange> parseLaunchChange(std::string_view text);

/// The document with all changes made, in their order; all else of its text stays. A variable is set where its last value
/// stands, else for the whole cluster. Pure.
[[nodiscard]] Result<ClusterDocument> withChanges(ClusterDocument document,
                                                  std::span<const LaunchChange> changes);

}  // namespace lockstep
