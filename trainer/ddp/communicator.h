// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <span>

#include "base/status.h"

namespace lockstep::trainer {

/// Sums floats over all ranks of a job. Two verbs in the hot loop: start() hands a range over, finish() waits
/// for everything handed over. Every rank must make the same calls in the same order. One thread at a time.
/// Failures: Unavailable (a peer is gone), DeadlineExceeded (a peer does not answer). After one, nothing
/// works any more.
class Communicator {
 public:
  virtual ~Communicator() = default;
  [[nodiscard]] virtual const char* name() const = 0;
  /// Begins to replace `data` by its sum over all ranks. The memory belongs to the communicator until
  /// finish().
  virtual Result<void> start(std::span<float> data) = 0;
  /// Blocks until every started sum is there.
  virtual Result<void> finish() = 0;
  /// Rank 0's `data` for everyone. Blocks.
  virtual Result<void> broadcast(std::span<float> data) = 0;

  Result<void> sum(std::span<float> data);
  /// Blocks until every rank is here.
  Result<void> barrier();
};

/// For a job of one process: every sum is already there.
std::unique_ptr<Communicator> makeLoneCommunicator();

}  // namespace lockstep::trainer
