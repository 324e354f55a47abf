// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "trainer/node/liveness/connectivity_probe.h"
#include "trainer/node/settings/beginning.h"
#include "trainer/node/settings/node_settings.h"
#include "workdir/object_store.h"

namespace lockstep::node {

/// Whether this node came to one port of a peer.
struct ReachFinding {
  int node = 0;
  std::string name, address;  // "worker_0", "10.0.0.3"
  int port = 0;
  bool fixed = false;        // a port that the cluster is going to use, not one that happened to be free
  std::optional<double> ms;  // absent: it could not be reached
  std::string cause;
};

/// Before the ranks start: every node says where it listens, waits for the others, connects to each, and
/// writes down whom it could reach (layout::reachFile), so that a link that a security list closes is named,
/// in either direction, before a collective hangs in it. Nodes that run `ads`' own programs take no part and
/// are not waited for. Training is started all the same: what is said here is a warning.
class ConnectivityCheck {
 public:
  /// `ports`: those that a cluster of this kind listens on here; 0 stands for any that is free.
  ConnectivityCheck(std::shared_ptr<ObjectStore> store, const NodeSettings& settings, std::string name,
                    std::string address, std::vector<int> ports = {0});

  /// First, and before this node writes its config file: whoever finds that and no announcement takes this
  /// node for one of `ads`. AlreadyExists when one of the ports is taken.
  Result<void> open(Clock& clock, const std::stop_token& stop);
  /// Blocks until all nodes are there and were tried, half the time-out of the settings at most for the
  /// first, and some seconds for the second. The others can still reach this node until the object goes.
  /// Failures are those of the store, or Cancelled.
  Result<std::vector<ReachFinding>> run(Clock& clock, const std::stop_token& stop);
  /// Waits until every node that takes part has written its findings, some seconds at most.
  Result<void> awaitOthers(Clock& clock, const std::stop_token& stop);
  /// Nodes that did not come in time, by rank.
  [[nodiscard]] const std::vector<int>& missing() const { return missing_; }

 private:
  struct Spot {
    int node = 0;
    std::string name, address, answer, config;
    std::vector<int> ports, fixed;
  };
  Result<void> announce(const Clock& clock, const std::stop_token& stop);
  Result<std::optional<Spot>> spotOf(int node, const Clock& clock, const std::stop_token& stop);
  Result<bool> allAreThere(const Clock& clock, const std::stop_token& stop);
  Result<int> foreignNodes(const std::stop_token& stop);
  Result<std::vector<ReachFinding>> probeAll(Clock& clock, const std::stop_token& stop);
  Result<void> publish(const std::vector<ReachFinding>& findings, const Clock& clock,
                       const std::stop_token& stop);

  std::shared_ptr<ObjectStore> store_;
  NodeSettings settings_;
  [[nodiscard]] std::string configName() const;
  [[nodiscard]] static std::vector<ReachFinding> untried(const Spot& spot);

  std::string name_, address_;
  std::vector<int> ports_;
  std::string answer_;
  std::optional<Beginning> begin_;
  std::vector<std::unique_ptr<ProbeListener>> listeners_;
  std::vector<Spot> spots_;
  std::vector<int> missing_;
};

}  // namespace lockstep::node
