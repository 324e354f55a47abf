// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>

#include "health/run_health.h"
#include "workdir/object_store.h"

namespace lockstep {

/// Looks what ranks and nodes have published of themselves. Cost of a look: one listing of one name and one
/// read of the heartbeat, which is a few hundred bytes per rank, every kHealthInterval; each node's findings
/// are read once, and their folder is listed less and less often until all nodes have written theirs.
/// Looks in between cost nothing. Blocks on the store; one owner thread.
class HealthReader {
 public:
  HealthReader(std::shared_ptr<ObjectStore> store, const std::string& jobId, std::shared_ptr<Clock> clock);

  /// All that is known, when something of it is new, and the first time; else null. Failures are the
  /// store's; what is there and makes no sense is told in the health itself.
  Result<std::shared_ptr<const RunHealth>> poll(const std::stop_token& stop);

 private:
  Result<void> lookForHeartbeat(const std::stop_token& stop);
  Result<void> lookForNodes(const std::stop_token& stop);
  Result<void> readNode(const ObjectInfo& object, const std::stop_token& stop);
  void updateHeartbeat(const std::string& text);
  [[nodiscard]] bool allNodesKnown() const;
  [[nodiscard]] std::shared_ptr<const RunHealth> snapshot() const;

  std::shared_ptr<ObjectStore> store_;
  std::string heartbeatName_, nodesFolder_;
  std::shared_ptr<Clock> clock_;
  std::optional<Heartbeat> heartbeat_;
  SteadyPoint heard_{};
  std::string heartbeatText_;  // as it was read last
  std::optional<Error> heartbeatTrouble_;
  std::map<int, NodeFindings> nodes_;
  std::map<std::string, Error> nodeTroubles_;
  std::set<std::string> settled_;  // names that are not read again
  SteadyPoint nextHeartbeat_{}, nextNodes_{};
  std::chrono::seconds nodesPause_;
  bool isNew_ = true;
};

inline constexpr std::chrono::seconds kHealthInterval{3};

}  // namespace lockstep
