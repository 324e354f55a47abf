// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <span>
#include <utility>

#include "base/error.h"

namespace lockstep::trainer {

/// What the calling thread spent in collectives, and on what.
struct CommunicationTimes {
  double waitMs = 0;      // until the slowest peer had come; measured, not inferred
  double transferMs = 0;  // the rest: moving and adding, as far as it was not hidden behind computing
  double bytes = 0;       // handed over to be summed
};

/// Sums floats over all ranks of a job. Two verbs in the hot loop: start() hands a range over, finish() waits
/// for everything handed over. Every rank must make the same calls in the same order. One thread at a time.
/// The ranges lie in memory of the host; those of the NCCL communicator, and only those, in memory of its GPU
/// (usesDeviceMemory()), where finish() orders the GPU's work instead of blocking the host.
/// Failures: Unavailable (a peer is gone), DeadlineExceeded (a peer does not answer). After one, nothing
/// works any more.
class Communicator {
 public:
  virtual ~Communicator() = default;
  [[nodiscard]] virtual const char* name() const = 0;
  [[nodiscard]] virtual bool usesDeviceMemory() const { return false; }
  /// Whether it tells waiting from transfer by itself.
  [[nodiscard]] virtual bool measuresWaiting() const { return false; }
  /// Begins to replace `data` by its sum over all ranks. The memory belongs to the communicator until
  /// finish().
  virtual Result<void> start(std::span<float> data) = 0;
  /// Blocks until every started sum is there.
  virtual Result<void> finish() = 0;
  /// Rank 0's `data` for everyone. Blocks.
  virtual Result<void> broadcast(std::span<float> data) = 0;

  Result<void> sum(std::span<float> data);
  /// Blocks until every rank is here.
  virtual Result<void> barrier();

  /// Since the last call of this.
  virtual CommunicationTimes popTimes() { return std::exchange(times_, {}); }

 protected:
  CommunicationTimes times_;
};

/// For a job of one process: every sum is already there.
std::unique_ptr<Communicator> makeLoneCommunicator();

}  // namespace lockstep::trainer
