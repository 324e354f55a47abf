// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>

namespace lockstep::trainer {

/// A counter of the kernel as so much a second. One thread.
class CounterRate {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// Since the last reading; nullopt: there was none, or the counter began again.
  std::optional<double> add(std::optional<double> counter, Time now) {
    std::optional<double> rate;
    const double seconds = std::chrono::duration<double>(now - time_).count();
    if (counter && last_ && *counter >= *last_ && seconds > 0) rate = (*counter - *last_) / seconds;
    last_ = counter;
    time_ = now;
    return rate;
  }

 private:
  std::optional<double> last_;
  Time time_{};
};

}  // namespace lockstep::trainer
