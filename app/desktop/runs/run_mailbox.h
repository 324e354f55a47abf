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

/// Lines of logs and points of metrics.
struct MailSize {
  std::size_t lines = 0, points = 0;
};

/// Where the monitor's thread leaves what it saw and the UI thread takes it from. Thread-safe. Bounded by who
/// asks for room before each look: then it holds `max` and one look at the most, however long nothing is
/// taken.
class RunMailbox {
 public:
  RunMailbox(MailSize perBatch, MailSize max) : perBatch_(perBatch), max_(max) {}

  /// Waits until there is room for another look. False when the token stopped first.
  bool waitForRoom(const std::stop_token& stop);

  /// Cuts or merges into batches of the agreed size. True when the UI thread must be told (it is not already
  /// due).
  bool put(RunUpdate update);
  /// The oldest batch, or nothing; nothing also means that the next put() tells again.
  std::shared_ptr<const RunUpdate> take();

 private:
  [[nodiscard]] bool fits(const RunUpdate& batch, const RunUpdate& more) const;
  [[nodiscard]] bool hasRoom() const { return waiting_.lines < max_.lines && waiting_.points < max_.points; }

  MailSize perBatch_, max_;
  MailSize waiting_;
  std::mutex mutex_;
  std::condition_variable_any taken_;
  std::deque<RunUpdate> batches_;
  bool due_ = false;
};

[[nodiscard]] std::size_t pointCount(const RunUpdate& update);

}  // namespace lockstep
