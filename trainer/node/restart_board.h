// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "trainer/node/node_settings.h"
#include "workdir/object_store.h"

namespace lockstep::node {

/// Who takes part in a restart, and where its rank 0 is.
struct AttemptPlan {
  std::vector<int>
      nodes;  // by their number in the beginning, main first; the place in here is the node's new one
  std::string address;
  int port = 0;
};

/// How the nodes agree on a restart of all ranks after one of them failed, below layout::attemptFolder: every
/// node that still lives announces itself, and the main node, which must be one of them, decides who takes
/// part. Blocks on the store.
class RestartBoard {
 public:
  RestartBoard(std::shared_ptr<ObjectStore> store, const NodeSettings& settings)
      : store_(std::move(store)), settings_(settings) {}

  Result<void> announce(int attempt, const std::stop_token& stop);
  /// The main node: waits for `members`, at most restartWait; then goes on with those that came, when
  /// minNodes allows it. DeadlineExceeded names those that did not come.
  Result<AttemptPlan> decide(int attempt, const std::vector<int>& members, const std::string& address,
                             int port, Clock& clock, const std::stop_token& stop);
  /// The others: what main has decided. FailedPrecondition when it goes on without this node;
  /// DeadlineExceeded when it has not decided within restartWait and some.
  Result<AttemptPlan> await(int attempt, Clock& clock, const std::stop_token& stop);

 private:
  std::shared_ptr<ObjectStore> store_;
  NodeSettings settings_;
};

}  // namespace lockstep::node
