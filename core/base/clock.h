// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <stop_token>

namespace lockstep {

using TimePoint = std::chrono::sys_time<std::chrono::nanoseconds>;

/// The time and the waiting, handed in so that tests can own both.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
  /// Blocks for `duration`, or until `stop` is requested; false when it was.
  virtual bool sleepFor(std::chrono::nanoseconds duration, const std::stop_token& stop) = 0;
};

/// The machine's clock. Stateless and safe to share between threads.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override;
  bool sleepFor(std::chrono::nanoseconds duration, const std::stop_token& stop) override;
};

}  // namespace lockstep
