// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <memory>

#include "trainer/ddp/base/rank_context.h"
#include "trainer/ddp/collectives/communicator.h"
#include "trainer/ddp/rendezvous/join.h"

namespace lockstep::trainer {

/// Sums over TCP with Gloo, on the interface of GLOO_SOCKET_IFNAME or else the one that leads to rank 0.
/// Blocks until every rank is connected to every other.
Result<std::unique_ptr<Communicator>> makeGlooCommunicator(const RankContext& place,
                                                           const Gathering& gathering,
                                                           const std::string& interface,
                                                           std::chrono::milliseconds timeout);

/// Whether this build found Gloo's headers; PyTorch's wheels have none.
[[nodiscard]] bool buildHasGloo();

/// Sums through the store of rank 0: for builds without Gloo whose gradients go over NCCL, and for few
/// numbers only.
std::unique_ptr<Communicator> makeStoreCommunicator(const RankContext& place, const Gathering& gathering);

}  // namespace lockstep::trainer
