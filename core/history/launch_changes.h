// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// What of a document is likely to be other in the next launch, with the values that stand there now: named arguments of the
/// script ("arg.lr"), the number of workers, the image, and variables of the cluster ("env.NCCL_DEBUG") that are no secrets. Pure.
[[nodiscard]] std::vector<LaunchChange> valuesNow(const ClusterDocument& document);

/// The document with all changes made, in their order; all else of its text stays. A variable is set where its last value
/// stands, else for the whole cluster. Pure.
[[nodiscard]] Result<ClusterDocument> withChanges(ClusterDocument document,
                                                  std::span<const LaunchChange> changes);

}  // namespace lockstep
