// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "trainer/checkpoint/checkpoint_store.h"

namespace lockstep::trainer {

/// Saves checkpoints on a thread of its own, so that no step waits for a disk or a network. One that waits
/// for its turn gives way to a newer one: there are never more than two in memory. Any thread.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(CheckpointStore store);
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;
  ~CheckpointWriter();  // abandons what is not saved yet

  void submit(long long step, std::string bytes);
  /// Waits until all is saved. False: not within `limit`, or the last one could not be saved.
  bool flush(std::chrono::milliseconds limit);

  /// What was saved or failed since the last call; for the log.
  struct Outcome {
    long long step = 0;
    Result<void> result;
  };
  std::optional<Outcome> popOutcome();

 private:
  struct Work {
    long long step = 0;
    std::string bytes;
  };
  void run(const std::stop_token& stop);

  CheckpointStore store_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Work> waiting_;  // guarded by mutex_, as all below
  bool busy_ = false;
  std::optional<Outcome> outcome_;
  bool lastFailed_ = false;
  std::jthread thread_;
};

}  // namespace lockstep::trainer
