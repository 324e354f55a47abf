// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <mutex>
#include <vector>

#include "base/clock.h"

namespace lockstep {

/// A clock that only moves when somebody sleeps on it, and remembers the sleeps. Thread-safe.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(TimePoint start = TimePoint(std::chrono::seconds(1'767'225'600))) : now_(start) {}

  [[nodiscard]] TimePoint now() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  [[nodiscard]] SteadyPoint steady() const override {
    const std::lock_guard lock(mutex_);
    return steady_;
  }
  bool sleepFor(std::chrono::nanoseconds duration, const std::stop_token& stop) override {
    std::function<void()> hook;
    {
      const std::lock_guard lock(mutex_);
      now_ += duration;
      steady_ += duration;
      sleeps_.push_back(duration);
      hook = onSleep_;
    }
    if (hook) hook();
    return !stop.stop_requested();
  }
  void advance(std::chrono::nanoseconds duration) {
    const std::lock_guard lock(mutex_);
    now_ += duration;
    steady_ += duration;
  }
  /// Sets the calendar by `duration` (backwards when negative), as chrony does after boot: no time passes.
  void stepCalendar(std::chrono::nanoseconds duration) {
    const std::lock_guard lock(mutex_);
    now_ += duration;
  }
  /// Runs during each sleep: for a stop that comes while something waits.
  void onSleep(std::function<void()> hook) {
    const std::lock_guard lock(mutex_);
    onSleep_ = std::move(hook);
  }
  [[nodiscard]] std::vector<std::chrono::nanoseconds> sleeps() const {
    const std::lock_guard lock(mutex_);
    return sleeps_;
  }

 private:
  mutable std::mutex mutex_;
  TimePoint now_;
  SteadyPoint steady_{std::chrono::seconds(1000)};
  std::vector<std::chrono::nanoseconds> sleeps_;
  std::function<void()> onSleep_;
};

}  // namespace lockstep
