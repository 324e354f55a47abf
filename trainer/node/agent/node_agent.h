// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "trainer/node/code/artifact_sync.h"
#include "trainer/node/exporters/exporters.h"
#include "trainer/node/liveness/connectivity_check.h"
#include "trainer/node/liveness/node_liveness.h"
#include "trainer/node/metrics/node_metrics.h"
#include "trainer/node/processes/rank_group.h"
#include "trainer/node/rendezvous/cluster_watch.h"
#include "trainer/node/rendezvous/rendezvous_files.h"
#include "trainer/node/rendezvous/restart_agreement.h"
#include "trainer/node/settings/master_port.h"
#include "trainer/node/settings/node_settings.h"
#include "trainer/node/settings/own_address.h"
#include "trainer/node/stacks/stack_requests.h"

namespace lockstep::node {

inline constexpr int kExitFailed = 1;
inline constexpr int kExitPeerFailed = 12;   // another node failed or was lost first; the message names it
inline constexpr int kExitLeftOut = 24;      // the run has continued without this node
inline constexpr int kExitTerminated = 143;  // SIGTERM

/// One node of a run: its code, rendezvous through the work dir, the local ranks and their restarts, the news
/// between nodes, and what is kept of the results. Which node is main may change from attempt to attempt:
/// where that is lost, the first of those that are left takes its place.
class NodeAgent {
 public:
  /// `stop` is requested by SIGTERM: cancels what waits, and ends the ranks with grace.
  NodeAgent(NodeSettings settings, Environment environment, std::stop_token stop);

  /// The exit code of the process: that of the first rank of this node that failed (128 + signal when one
  /// killed it), kExitPeerFailed, kExitLeftOut, kExitTerminated, or 0. Everything was printed.
  int run();

 private:
  Result<void> prepare();
  Result<void> openStore();
  Result<void> openSync();
  Result<void> openMetrics();
  void beginLooking();  // at what the ranks do, once they are there
  Result<void> meet();  // the first time: through the files of `ads`
  Result<void> beginLiveness();
  Result<void> makeMain();
  Result<void> meetAgain();  // after a failure
  Result<AttemptPlan> planAgain();
  Result<void> startRanks();
  int reportStartFailure(const Error& error);
  int superviseRanks();
  /// One look at everything that can end the ranks.
  void react();
  void onOwnFailure(const RankEnd& end);
  void onPeerFailure(const FailureRecord& record);
  void onNodeLoss(const NodeLoss& loss);
  /// Publishes it, unless there is another one; the one that stands, from now on.
  FailureRecord report(const FailureRecord& record);
  void endRanks(const std::string& why, int exitCode);
  [[nodiscard]] bool canRestart() const;
  [[nodiscard]] bool isRestarting() const;
  /// Main of this attempt.
  [[nodiscard]] bool isMainNow() const { return !members_.empty() && members_.front() == settings_.nodeRank; }
  /// Publishes our failure when its time has come, unless it follows from another one.
  void settleReport(const std::optional<FailureRecord>& peer);
  int finish();
  [[nodiscard]] bool isOwn(const FailureRecord& record) const;
  [[nodiscard]] FailureRecord recordOf(const RankEnd& end) const;
  [[nodiscard]] FailureRecord recordOf(const NodeLoss& loss) const;

  using Steady = std::chrono::steady_clock;
  /// One start of the ranks, until all have ended.
  struct Attempt {
    int number = 0;
    RankGroup ranks;
    std::unique_ptr<ClusterWatch> watch;
    std::optional<int> exitCode;               // set once the ranks were told to end
    std::optional<Steady::time_point> killAt;  // when grace is over
    std::optional<Steady::time_point>
        reportAt;  // when our own failure is published, unless a peer's was first
    std::optional<Steady::time_point> stopSeen;
    bool restart = false;                  // the failure that stands says that all start again
    std::optional<long long> memoryKills;  // of the kernel, before the ranks started
  };

  NodeSettings settings_;
  NodeSettings place_;  // settings_, with the place of this node and the number of nodes of this attempt
  Environment environment_;
  std::stop_token stop_;
  std::string name_;
  std::shared_ptr<oci::ServiceClient> services_;  // null: no service to ask
  std::shared_ptr<ObjectStore> store_;
  std::unique_ptr<RendezvousFiles> files_;
  OwnAddress address_;
  std::vector<std::string> command_;
  std::map<std::string, std::string> published_;
  std::optional<MasterPort> masterPort_;
  std::vector<int> members_;                   // nodes of this attempt, by their number in the beginning
  std::unique_ptr<NodeLiveness> liveness_;     // null: a node alone
  std::optional<FailureRecord> firstFailure_;  // the failure of the last attempt
  bool isLeftOut_ = false;
  std::unique_ptr<ArtifactSync> sync_;
  std::unique_ptr<Exporters> exporters_;   // null: nobody else is told; outlives metrics_, which tells it
  std::unique_ptr<NodeMetrics> metrics_;   // null: none are read here
  std::unique_ptr<StackRequests> stacks_;  // null: nobody is answered
  std::optional<Attempt> attempt_;
};

}  // namespace lockstep::node
