// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "trainer/node/liveness/node_environment.h"
#include "trainer/node/processes/rank_group.h"
#include "trainer/node/rendezvous/framework_rendezvous.h"
#include "trainer/node/settings/node_settings.h"
#include "trainer/node/settings/own_address.h"

namespace lockstep::node {

/// A process that a cluster needs on this node. A task has to end by itself, and well; a service runs until
/// the work of the cluster is done.
struct ClusterProcess {
  enum class Duty { Task, Service };
  std::string name = {};  // "the Dask scheduler"
  std::vector<std::string> command = {};
  Environment environment = {};
  std::string label = {};  // goes in front of its lines; empty: nothing does
  Duty duty = Duty::Task;
  bool mayEndEarly = false;  // a service: its success is no failure
  int port = 0;              // a service: where it listens once it is ready; 0: at once
  std::string remedy = {};   // what to look at when it fails
  std::function<Result<void>(const std::stop_token&)> whenReady = {};  // blocks on the store
};

/// Where one node of a cluster stands.
struct ClusterNode {
  NodeSettings settings;
  Environment environment;
  std::string name;  // display name
  OwnAddress address;
  std::shared_ptr<oci::ServiceClient> services;  // null: no service to ask
  std::vector<std::string> script;               // the entry script and its arguments
};

/// What one kind of cluster is on one node: what it needs, how its nodes find each other, and the processes
/// to start, one after the other. Used by one thread.
class FrameworkCluster {
 public:
  virtual ~FrameworkCluster() = default;
  /// Looks for the programs, and returns the ports that the other nodes have to reach; 0 stands for any.
  virtual Result<std::vector<int>> prepare(const std::stop_token& stop) = 0;
  /// Publishes this node, waits for what it needs of the others, and returns its processes: each is started
  /// when the one before it is ready (a service) or has ended well (a task).
  virtual Result<std::vector<ClusterProcess>> meet(FrameworkRendezvous& rendezvous, RendezvousFiles& common,
                                                   Clock& clock, const std::stop_token& stop) = 0;
  /// How many ranks the script has on this node, once it is prepared.
  [[nodiscard]] virtual int ranksHere() const { return 1; }
};

/// For DASK, HOROVOD and TENSORFLOW.
[[nodiscard]] std::unique_ptr<FrameworkCluster> makeFrameworkCluster(ClusterNode node);

/// What the entry script gets in any kind of cluster.
[[nodiscard]] Environment scriptEnvironment(const ClusterNode& node);

}  // namespace lockstep::node
