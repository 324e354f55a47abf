// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "trainer/ddp/collectives/nccl_library.h"
#include "trainer/ddp/collectives/shared_memory_communicator.h"
#include "trainer/ddp/peers/peer_watch.h"
#include "trainer/ddp/rendezvous/join.h"

namespace lockstep::trainer {

// What ranks that have come together agree on over their store. Each call blocks on the others.

/// Starts the watch over the peers of a gathering; rank 0 hosts it and the others learn its port from the
/// store.
Result<std::unique_ptr<PeerWatch>> watchPeers(const RankContext& place, const Gathering& gathering,
                                              PeerWatch::Setup setup);

/// Waits until every rank has come to the step of that name, however long one of them takes: a data set may
/// load for an hour; rank 0 prints whom all wait for. The peer watch ends this process when a rank is gone.
Result<void> waitForAllAt(const std::string& name, int rank, const Gathering& gathering);

/// The NCCL job that rank 0 opens for all.
Result<NcclJobId> shareNcclJob(const RankContext& place, const Gathering& gathering,
                               const NcclLibrary& library);

/// A segment of shared memory for all ranks of one machine, or nullopt, on every rank alike, when one of them
/// cannot have it.
Result<std::optional<SharedSegment>> shareSegment(const RankContext& place, const Gathering& gathering,
                                                  std::chrono::milliseconds timeout);

}  // namespace lockstep::trainer
