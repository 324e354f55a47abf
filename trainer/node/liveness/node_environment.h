// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "oci/calls/service_client.h"
#include "trainer/node/liveness/connectivity_check.h"
#include "trainer/node/settings/node_settings.h"
#include "trainer/node/settings/own_address.h"
#include "workdir/object_store.h"

namespace lockstep::node {

/// What a node stands on before it meets the others. Every function here blocks on store or service.
struct NodeStore {
  std::shared_ptr<oci::ServiceClient> services;  // null: no service to ask
  std::shared_ptr<ObjectStore> store;            // the work dir
};
Result<NodeStore> openNodeStore(const NodeSettings& settings, const Environment& environment);

/// The display name of the job run; "main", "worker_0" where there is none to ask for.
[[nodiscard]] std::string nodeDisplayName(const NodeSettings& settings,
                                          const std::shared_ptr<oci::ServiceClient>& services,
                                          const std::stop_token& stop);

/// Where the other nodes reach this one: of a multi-node run as the service says, else findOwnAddress().
Result<OwnAddress> nodeAddress(const NodeSettings& settings,
                               const std::shared_ptr<oci::ServiceClient>& services,
                               const std::stop_token& stop);

/// Tests the ways to the other nodes, says what was found, and waits until they have tested theirs.
Result<void> testWays(ConnectivityCheck& test, const std::string& name, const std::stop_token& stop);

}  // namespace lockstep::node
