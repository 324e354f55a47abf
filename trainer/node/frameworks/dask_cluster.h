// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>

#include "trainer/node/frameworks/framework_cluster.h"
#include "trainer/node/settings/master_port.h"

namespace lockstep::node {

/// What follows an option among start arguments: "--port 8786" or "--port=8786"; empty: it is not there.
[[nodiscard]] std::string startOption(const std::vector<std::string>& arguments, const std::string& option);

/// Dask (ads-contract 4.3): main runs the scheduler, waits for the workers, and runs the entry script; the
/// others run workers until it is done. OCI__START_ARGS goes to scheduler and workers as it is. Main also
/// publishes SCHEDULER_PORT, which `ads` then exports, so that the workers come to the port that it has.
class DaskCluster final : public FrameworkCluster {
 public:
  explicit DaskCluster(ClusterNode node) : node_(std::move(node)) {}
  Result<std::vector<int>> prepare(const std::stop_token& stop) override;
  Result<std::vector<ClusterProcess>> meet(FrameworkRendezvous& rendezvous, RendezvousFiles& common,
                                           Clock& clock, const std::stop_token& stop) override;

 private:
  Result<std::vector<int>> prepareMain();
  Result<std::vector<int>> prepareWorker();
  [[nodiscard]] nlohmann::json ownValues() const;
  [[nodiscard]] ClusterProcess scheduler(FrameworkRendezvous& rendezvous) const;
  [[nodiscard]] ClusterProcess gathering() const;
  [[nodiscard]] ClusterProcess script() const;
  [[nodiscard]] ClusterProcess worker(const std::map<std::string, std::string>& published) const;
  [[nodiscard]] bool isEncrypted() const;
  [[nodiscard]] std::string schedulerAddress() const;
  [[nodiscard]] Environment daskEnvironment() const;

  ClusterNode node_;
  std::vector<std::string> program_;  // "dask-scheduler", or "dask" and "scheduler"
  int processes_ = 1;                 // worker processes of each node
  std::string deathTimeout_;          // seconds
  std::optional<MasterPort> port_;    // main
};

}  // namespace lockstep::node
