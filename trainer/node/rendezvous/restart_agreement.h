// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "trainer/node/settings/node_settings.h"
#include "workdir/object_store.h"

namespace lockstep::node {

/// Who takes part in a restart, and where its rank 0 is.
struct AttemptPlan {
  std::vector<int> nodes;  // by their number in the beginning, the new main first; the place in here is the
                           // node's new number
  std::string address;
  int port = 0;
};

/// How the nodes agree on a restart of all ranks after one of them failed, below layout::attemptFolder: every
/// node that still lives announces itself, and the one of the lowest number writes down who takes part and
/// where its own rank 0 is going to listen. The plan of an attempt is written once (ObjectStore::putNew) and
/// holds for everybody: a node that comes late finds itself left out, and nothing that it does is looked at
/// any more, because attempts are counted. Blocks on the store.
class RestartAgreement {
 public:
  /// What a node has to know of the others, and to offer.
  struct Stand {
    std::vector<int> members;               // of the attempt that failed
    std::function<bool(int)> isLost;        // a node that is not heard now
    std::function<bool(int)> isGone;        // one that cannot come back; nobody waits for it
    std::string address;                    // of this node
    std::function<Result<int>()> openPort;  // for rank 0, when this node is to be main
  };

  RestartAgreement(std::shared_ptr<ObjectStore> store, const NodeSettings& settings)
      : store_(std::move(store)), settings_(settings) {}

  Result<void> announce(int attempt, const std::stop_token& stop);
  /// The plan, which may be without this node. Waits for the members that can still come, at most
  /// restartWait. DeadlineExceeded: those that came are fewer than minNodes, or than all when it is 0; it
  /// names who is missing, and one node says so for all. FailedPrecondition: `failedAlready` says another one
  /// has.
  Result<AttemptPlan> agree(int attempt, const Stand& stand,
                            const std::function<std::optional<std::string>()>& failedAlready, Clock& clock,
                            const std::stop_token& stop);

 private:
  struct Meeting {
    std::vector<int> came, missing, gone;  // members, the first two of all, the third of the missing
  };
  Result<Meeting> meeting(int attempt, const Stand& stand, const std::stop_token& stop);
  [[nodiscard]] bool isEnough(std::size_t nodes, const Stand& stand) const;
  [[nodiscard]] Error tooFew(int attempt, const Meeting& meeting, const Stand& stand) const;
  Result<std::optional<AttemptPlan>> planOf(int attempt, const std::stop_token& stop);
  Result<void> writePlan(int attempt, const Meeting& meeting, const Stand& stand,
                         const std::stop_token& stop);

  std::shared_ptr<ObjectStore> store_;
  NodeSettings settings_;
};

}  // namespace lockstep::node
