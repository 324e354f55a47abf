// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>

#include "launch/run_follower.h"

namespace lockstep {

/// Where the monitor's thread leaves what it saw and the UI thread takes it from. Thread-safe. Lines are all handed
/// over; of samples, health and state only the newest are. Bounded by who asks for room before each look: then it holds
/// `maxLines` and one look at the most, however long nothing is taken.
class RunMailbox {
 public:
  RunMailbox(std::size_t linesPerBatch, std::size_t maxLines) : perBatch_(linesPerBatch), max_(maxLines) {}

  /// Waits until there is room for another look. False when the token stopped first.
  bool waitForRoom(const std::stop_token& stop);

  /// Cuts or merges into batches of the agreed size. `update.metrics` is empty: the samples are in a store. True when the UI thread must be told (it is not already
  /// due).
  bool put(RunUpdate update);
  /// The oldest batch, or nothing; nothing also means that the next put() tells again.
  std::shared_ptr<const RunUpdate> take();

 private:
  std::size_t perBatch_, max_;  // lines
  std::size_t waiting_ = 0;     // likewise
  std::mutex mutex_;
  std::condition_variable_any taken_;
  std::deque<RunUpdate> batches_;
  bool due_ = false;
};

}  // namespace lockstep
