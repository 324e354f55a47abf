// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "base/issue.h"
#include "cluster/document/cluster_document.h"

namespace lockstep {

/// One thing that is different afterwards, for people.
struct MigrationChange {
  std::string what;    // "job runs"
  std::string before;  // "3: main, worker_0, worker_1"
  std::string after;   // "1, which spans 3 nodes"
};

/// From one job run per node to OCI's native multi-node job, or back: what to change in the text, and what
/// that changes in the cloud.
struct Migration {
  Fix edits;
  std::vector<MigrationChange> changes;
  std::vector<std::string> warnings;  // what will not work any more, or has to be looked at
};

/// Fails when the document cannot be planned, or has that layout already. Pure.
[[nodiscard]] Result<Migration> migrationToNodes(const ClusterDocument& document);
[[nodiscard]] Result<Migration> migrationToRuns(const ClusterDocument& document);

}  // namespace lockstep
