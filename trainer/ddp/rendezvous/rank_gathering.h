// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "trainer/ddp/base/exit_handler.h"
#include "trainer/ddp/collectives/communicator.h"
#include "trainer/ddp/rendezvous/join.h"

namespace lockstep::trainer {

/// All ranks together, watched, and able to sum.
struct RankGathering {
  Gathering gathering;                         // empty for a job of one
  std::unique_ptr<PeerWatch> watch;            // null for a job of one
  std::unique_ptr<Communicator> communicator;  // for memory of the host
  /// For memory of this rank's GPU; null unless --backend nccl trains more than one rank.
  std::unique_ptr<Communicator> deviceCommunicator;
};

struct GatherOptions {
  std::chrono::milliseconds timeout{120'000};
  std::string interface;     // network interface for Gloo; empty: the one that leads to rank 0
  bool sharedMemory = true;  // between ranks of one machine
  bool nccl = false;         // for gradients in memory of GPUs
};

/// Joins the job, starts the peer watch and picks the communicator: none for one rank, shared memory where
/// all ranks are on one machine and it has room for it, else Gloo. From then on the loss of a rank ends this
/// process with a message that names it, and the end of this process is told to the others. Also ends it when
/// a foreign program at the master port swallows the connection. Blocks for about `timeout` at most.
Result<RankGathering> gatherRanks(const RankContext& place,
                                  const std::map<std::string, std::string>& environment,
                                  const GatherOptions& options, ExitHandler& ending);

/// "; the others wait for rank 2 (host vm-3, pid 4712), at step 17 (data)", or nothing.
[[nodiscard]] std::string describeStragglers(const std::vector<PeerStanding>& stragglers,
                                             const std::vector<PeerIdentity>& peers);

/// "rank 1 (host vm-2, pid 4711) is gone (heard of last at step 17 (backward)): its process ended without a
/// word; …"
[[nodiscard]] std::string describe(const PeerWatch::Loss& loss, const std::vector<PeerIdentity>& peers);

}  // namespace lockstep::trainer
