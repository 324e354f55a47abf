// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "trainer/node/settings/node_settings.h"

namespace lockstep::node {

/// The addresses of all nodes of a multi-node job run, by their rank, as a text of
/// CLUSTER_NODES_METADATA_FILE has them: [{"IPAddress": "10.0.0.2", "Rank": 0}, …] (oci-rest-contract 9;
/// `ads` meets ranks that are texts). NotFound while it is no list, or lacks one of the `count` nodes.
Result<std::vector<std::string>> clusterAddresses(const std::string& text, int count);

/// Waits until the service has told all addresses, at most the time-out of the settings.
Result<std::vector<std::string>> awaitCluster(const NodeSettings& settings, Clock& clock,
                                              const std::stop_token& stop);

}  // namespace lockstep::node
