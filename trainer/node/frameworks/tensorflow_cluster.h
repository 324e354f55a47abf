// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>

#include "trainer/node/frameworks/framework_cluster.h"

namespace lockstep::node {

/// cluster.json from where all nodes are: {"ps": {"0": "ip:port"}, "worker": {"0": …}} with main as worker 0,
/// in the order of their numbers, because `ads` lists them as they stand in the file (ads-contract 4.3).
/// InvalidArgument when two nodes have the same place, DataLoss when one says no place.
Result<nlohmann::ordered_json> tensorFlowCluster(const std::vector<NodeEntry>& entries);

/// TF_CONFIG of the node at `own` ("ip:port"). Without parameter servers all nodes are workers, main the
/// first of them (MultiWorkerMirroredStrategy); with them main is the chief (ParameterServerStrategy).
/// NotFound when the cluster does not have that place.
Result<nlohmann::ordered_json> tfConfig(const nlohmann::json& cluster, const std::string& own,
                                        bool withServers);

/// TensorFlow: every node says where it is, main gathers them into cluster.json, and each runs the entry
/// script with its TF_CONFIG. With parameter servers the others serve until the chief is done.
class TensorFlowCluster final : public FrameworkCluster {
 public:
  explicit TensorFlowCluster(ClusterNode node) : node_(std::move(node)) {}
  Result<std::vector<int>> prepare(const std::stop_token& stop) override;
  Result<std::vector<ClusterProcess>> meet(FrameworkRendezvous& rendezvous, RendezvousFiles& common,
                                           Clock& clock, const std::stop_token& stop) override;

 private:
  ClusterNode node_;
  int port_ = 0;
};

}  // namespace lockstep::node
