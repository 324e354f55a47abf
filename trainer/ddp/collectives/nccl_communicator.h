// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "trainer/ddp/collectives/communicator.h"
#include "trainer/ddp/collectives/nccl_library.h"
#include "trainer/ddp/device/device_queue.h"

namespace lockstep::trainer {

struct NcclSetup {
  std::shared_ptr<NcclLibrary> library;
  std::unique_ptr<DeviceQueue> queue;
  NcclJobId job;  // rank 0's, the same on all
  int rank = 0;
  int worldSize = 1;
  std::chrono::milliseconds timeout{120'000};
  /// A collective failed or takes longer than the timeout while the host waits for the GPU elsewhere: must
  /// end the process. From a thread of the communicator, at most once.
  std::function<void(const Error&)> onFailure;
};

/// Sums over NCCL. The ranges are memory of the GPU and must stay until the sums have been used. start() and
/// finish() only order the GPU's work: the sum runs beside the rest of backward, and what is computed after
/// finish() waits for it there. Blocks until every rank has come. The times are those of the step before, and
/// count only what the computing queue waited for.
Result<std::unique_ptr<Communicator>> makeNcclCommunicator(NcclSetup setup);

/// Whether this build and this machine have what --backend nccl needs; the failure says which of them is
/// missing. FailedPrecondition or NotFound.
Result<void> checkNccl(const std::map<std::string, std::string>& environment);

}  // namespace lockstep::trainer
