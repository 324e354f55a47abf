// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "trainer/node/frameworks/framework_cluster.h"
#include "trainer/node/frameworks/mpi_launch.h"
#include "trainer/node/frameworks/ssh_sandbox.h"

namespace lockstep::node {

/// Horovod and MPI (ads-contract 4.3): every node runs an sshd; main runs the entry script on all slots with
/// horovodrun, or with Open MPI's mpirun where that is not installed (LOCKSTEP_LAUNCHER says which). The key
/// that main logs in with is made for each run, and only its public half leaves the node.
class HorovodCluster final : public FrameworkCluster {
 public:
  explicit HorovodCluster(ClusterNode node) : node_(std::move(node)) {}
  Result<std::vector<int>> prepare(const std::stop_token& stop) override;
  Result<std::vector<ClusterProcess>> meet(FrameworkRendezvous& rendezvous, RendezvousFiles& common,
                                           Clock& clock, const std::stop_token& stop) override;
  [[nodiscard]] int ranksHere() const override { return slots_; }

 private:
  Result<void> readNumbers();
  Result<void> findPrograms();
  [[nodiscard]] int slotsHere(int wanted) const;
  [[nodiscard]] nlohmann::json ownValues() const;
  [[nodiscard]] ClusterProcess daemon() const;
  Result<std::vector<MpiHost>> awaitHosts(FrameworkRendezvous& rendezvous, Clock& clock,
                                          const std::stop_token& stop);
  Result<ClusterProcess> launcher(const std::vector<MpiHost>& hosts);
  Result<std::vector<ClusterProcess>> meetAsMain(FrameworkRendezvous& rendezvous, Clock& clock,
                                                 const std::stop_token& stop);

  ClusterNode node_;
  int port_ = 0, slots_ = 1;
  HorovodOptions options_;
  std::string sshd_, launcher_;  // paths
  std::unique_ptr<SshSandbox> room_;
  std::unique_ptr<HostListing> listing_;
};

}  // namespace lockstep::node
