// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "trainer/node/code/artifact_sync.h"
#include "trainer/node/exporters/exporters.h"
#include "trainer/node/frameworks/framework_cluster.h"
#include "trainer/node/liveness/node_liveness.h"
#include "trainer/node/metrics/node_metrics.h"
#include "trainer/node/processes/rank_group.h"
#include "trainer/node/rendezvous/cluster_watch.h"
#include "trainer/node/rendezvous/rendezvous_files.h"
#include "trainer/node/stacks/stack_requests.h"

namespace lockstep::node {

/// One node of a Dask, Horovod or TensorFlow cluster: code, test of the network, rendezvous, the processes of
/// its kind one after the other, the news between nodes, and what is kept of the results. Main says when the
/// work is done; one process that fails ends the whole run.
class FrameworkAgent {
 public:
  /// `stop` is requested by SIGTERM: cancels what waits, and ends the processes with grace.
  FrameworkAgent(NodeSettings settings, Environment environment, std::stop_token stop);
  ~FrameworkAgent();

  /// The exit code of this program: that of the process here that failed first (128 + signal when one killed
  /// it), kExitPeerFailed, kExitTerminated, or 0. Everything was printed.
  int run();

 private:
  using Steady = std::chrono::steady_clock;
  Result<void> prepare();
  Result<void> findPlace();
  Result<void> readNumber();
  Result<void> beginLiveness();
  Result<void> meet();
  Result<void> openMetrics(const std::vector<std::string>& script);
  void beginLooking();
  Result<void> testPorts(const std::vector<int>& ports);
  int reportStartFailure(const Error& error);
  int supervise();
  /// One look at everything that can end the processes, or start the next one.
  void react();
  void advance();
  Result<void> startNext();
  [[nodiscard]] bool hasEnded(std::size_t process) const;
  /// Whether the one after it may start.
  [[nodiscard]] bool isSatisfied(std::size_t process);
  [[nodiscard]] std::optional<std::size_t> badEnd() const;
  [[nodiscard]] bool isDone() const;
  void onStopMark();
  void onLoss(const NodeLoss& loss);
  void settle();
  void report(std::size_t process, const RankEnd& end);
  void endAll(const std::string& why, int exitCode);
  void fail(const Error& error);
  [[nodiscard]] bool isOwn(const FailureRecord& record) const;
  int finish();

  NodeSettings settings_;
  Environment environment_;
  std::stop_token stop_;
  std::string name_;
  std::shared_ptr<oci::ServiceClient> services_;
  std::shared_ptr<ObjectStore> store_;
  OwnAddress address_;
  std::unique_ptr<RendezvousFiles> common_;
  std::unique_ptr<FrameworkRendezvous> rendezvous_;
  std::unique_ptr<NodeLiveness> liveness_;  // null: there is no other node
  std::unique_ptr<ArtifactSync> sync_;
  std::unique_ptr<FrameworkCluster> cluster_;
  std::unique_ptr<Exporters> exporters_;   // null: nobody else is told; outlives metrics_, which tells it
  std::unique_ptr<NodeMetrics> metrics_;   // null: none are read here
  std::unique_ptr<StackRequests> stacks_;  // null: nobody is answered

  std::vector<ClusterProcess> processes_;
  std::size_t started_ = 0;  // the first so many
  std::size_t told_ = 0;     // the first so many have said that they are ready
  RankGroup group_;          // by their place in processes_
  std::unique_ptr<ClusterWatch> watch_;
  std::optional<int> exitCode_;               // set once the processes were told to end
  std::optional<Steady::time_point> killAt_;  // when grace is over
  std::optional<Steady::time_point>
      reportAt_;  // a process here has failed: until then a peer may have been first
  std::optional<Steady::time_point> stopSeen_;
  std::optional<long long> memoryKills_;
};

}  // namespace lockstep::node
