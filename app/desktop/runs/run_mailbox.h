// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "launch/run_follower.h"

namespace lockstep {

/// Where the monitor's thread leaves what it saw and the UI thread takes it from. Thread-safe.
class RunMailbox {
 public:
  RunMailbox(std::size_t linesPerBatch, std::size_t pointsPerBatch)
      : linesPerBatch_(linesPerBatch), pointsPerBatch_(pointsPerBatch) {}

  /// Cuts or merges into batches of the agreed size. True when the UI thread must be told (it is not already
  /// due).
  bool put(RunUpdate update);
  /// The oldest batch, or nothing; nothing also means that the next put() tells again.
  std::shared_ptr<const RunUpdate> take();

 private:
  bool fits(const RunUpdate& batch, const RunUpdate& more) const;

  std::size_t linesPerBatch_, pointsPerBatch_;
  std::mutex mutex_;
  std::deque<RunUpdate> batches_;
  bool due_ = false;
};

[[nodiscard]] std::size_t pointCount(const RunUpdate& update);

}  // namespace lockstep
