// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "trainer/ddp/base/rank_context.h"
#include "trainer/ddp/peers/peer_watch.h"

namespace lockstep::trainer {

class JobStore;  // job_store.h

/// What a rank knows once all have come together.
struct Gathering {
  std::shared_ptr<JobStore> store;  // for what the ranks still have to tell each other
  std::vector<PeerIdentity> peers;  // by rank
  std::string ownAddress;           // of this machine on the way to rank 0
  std::string token;                // the same on every rank, unknown outside the job
  [[nodiscard]] int ranksOnMachineOf(int rank) const;
  [[nodiscard]] bool allOnOneMachine() const;
};

/// Goes up when ranks of the old and the new could not train together: what they say while joining, the
/// beats, the layout of shared memory, the order of collectives.
inline constexpr int kJoinProtocol = 2;

struct JoinSetup {
  RankContext place;
  std::map<std::string, std::string> environment;
  std::chrono::milliseconds timeout{120'000};
  /// Somebody takes connections at the master port and says nothing for ten seconds: another program. The
  /// call below then hangs in the store's client; this one must end the process. From another thread.
  std::function<void(const Error&)> onForeignStore;
  int protocol = kJoinProtocol;
};

/// Brings the ranks together over a TCPStore at MASTER_ADDR:MASTER_PORT, which rank 0 hosts (or torchrun's
/// agent, when TORCHELASTIC_USE_AGENT_STORE says so). On every rank, naming both processes: AlreadyExists (a
/// rank twice), FailedPrecondition (different world sizes), DataLoss (another version of this protocol).
/// NotFound: nobody can be reached at MASTER_ADDR. Unauthenticated: who answers at the port is no store.
/// DeadlineExceeded names the ranks that did not come. Blocks for at most about `timeout`.
Result<Gathering> joinJob(const JoinSetup& setup);

}  // namespace lockstep::trainer
