// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "metrics/metric_store.h"

namespace lockstep {

/// Which steps the window shows, for the monitor's thread: it reads what of them is coarse. Only the newest counts.
/// Thread-safe; set() does not wait.
class RunSight {
 public:
  void set(StepsInSight sight);
  /// The newest; what is new after this wakes the waits below.
  [[nodiscard]] StepsInSight take();
  /// What is in sight is other than what was taken.
  [[nodiscard]] bool isNew() const;
  /// Until something new is in sight, the time is up or the token stops. False: it has stopped.
  bool waitFor(std::chrono::milliseconds time, const std::stop_token& stop);
  /// The same, however long it takes.
  bool wait(const std::stop_token& stop);

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  StepsInSight sight_;
  bool isNew_ = false;
};

}  // namespace lockstep
