// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "trainer/ddp/job_place.h"
#include "trainer/ddp/peer_watch.h"
#include "trainer/ddp/shared_memory_communicator.h"

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

/// Brings the ranks together over a TCPStore at MASTER_ADDR:MASTER_PORT, which rank 0 hosts (or torchrun's
/// agent, when TORCHELASTIC_USE_AGENT_STORE says so). A rank used twice and different world sizes are
/// FailedPrecondition, naming both processes, on every rank; ranks that did not come are DeadlineExceeded,
/// naming them. Blocks for at most about `timeout`, but for a foreign program at that port that takes the
/// connection and is silent: the caller bounds that.
Result<Gathering> joinJob(const JobPlace& place, const std::map<std::string, std::string>& environment,
                          std::chrono::milliseconds timeout);

/// Starts the watch over the peers of a gathering; rank 0 hosts it and the others learn its port from the
/// store.
Result<std::unique_ptr<PeerWatch>> watchPeers(const JobPlace& place, const Gathering& gathering,
                                              PeerWatch::Setup setup);

/// A segment of shared memory for all ranks of one machine, or nullopt, on every rank alike, when one of them
/// cannot have it.
Result<std::optional<SharedSegment>> shareSegment(const JobPlace& place, const Gathering& gathering);

}  // namespace lockstep::trainer
