// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "trainer/node/cluster_board.h"
#include "trainer/node/cluster_watch.h"
#include "trainer/node/master_port.h"
#include "trainer/node/node_settings.h"
#include "trainer/node/own_address.h"
#include "trainer/node/rank_group.h"

namespace lockstep::node {

inline constexpr int kExitFailed = 1;
inline constexpr int kExitPeerFailed = 12;   // another node failed first; the message names the rank
inline constexpr int kExitTerminated = 143;  // SIGTERM

/// One node of a run: rendezvous through the work dir, the local ranks, and the news between nodes.
class NodeAgent {
 public:
  /// `stop` is requested by SIGTERM: cancels what waits, and ends the ranks with grace.
  NodeAgent(NodeSettings settings, Environment environment, std::stop_token stop);

  /// The exit code of the process: that of the first rank of this node that failed (128 + signal when one
  /// killed it), kExitPeerFailed, kExitTerminated, or 0. Everything was printed.
  int run();

 private:
  Result<void> prepare();
  Result<void> findAddress();
  Result<void> startRanks();
  int superviseRanks();
  /// One look at everything that can end the ranks.
  void react();
  void onOwnFailure(const RankEnd& end);
  void endRanks(const std::string& why, int exitCode);
  /// Puts our failure on the board when its time has come, unless it follows from another one.
  void settleReport(const std::optional<FailureRecord>& peer);
  int finish();
  [[nodiscard]] std::string nodeName();
  [[nodiscard]] bool isOwn(const FailureRecord& record) const;
  [[nodiscard]] FailureRecord recordOf(const RankEnd& end) const;

  NodeSettings settings_;
  Environment environment_;
  std::stop_token stop_;
  std::string name_;
  std::shared_ptr<oci::ServiceClient> services_;  // null: no service to ask
  std::unique_ptr<ClusterBoard> board_;
  OwnAddress address_;
  std::map<std::string, std::string> published_;
  std::optional<MasterPort> masterPort_;
  RankGroup ranks_;
  std::unique_ptr<ClusterWatch> watch_;

  using Steady = std::chrono::steady_clock;
  std::optional<int> exitCode_;               // set once the ranks were told to end
  std::optional<Steady::time_point> killAt_;  // when grace is over
  std::optional<Steady::time_point>
      reportAt_;  // when our own failure goes to the board, unless a peer's was first
  std::optional<Steady::time_point> stopSeen_;
};

}  // namespace lockstep::node
