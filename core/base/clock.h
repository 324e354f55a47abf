// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <stop_token>

namespace lockstep {

using TimePoint = std::chrono::sys_time<std::chrono::nanoseconds>;

/// A moment of a clock that nobody sets: it only goes forward. What durations and limits are measured with.
using SteadyPoint = std::chrono::steady_clock::time_point;

/// The time and the waiting, handed in so that tests can own both.
class Clock {
 public:
  virtual ~Clock() = default;
  /// What the calendar says: for stamps that people or other machines read. It may jump either way at any moment, so no
  /// duration and no limit is taken from it.
  [[nodiscard]] virtual TimePoint now() const = 0;
  /// For durations and limits within this process.
  [[nodiscard]] virtual SteadyPoint steady() const = 0;
  /// Blocks for `duration`, or until `stop` is requested; false when it was.
  virtual bool sleepFor(std::chrono::nanoseconds duration, const std::stop_token& stop) = 0;
};

/// The machine's clock. Stateless and safe to share between threads.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override;
  [[nodiscard]] SteadyPoint steady() const override;
  bool sleepFor(std::chrono::nanoseconds duration, const std::stop_token& stop) override;
};

}  // namespace lockstep
