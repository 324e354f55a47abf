// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"

#include <condition_variable>
#include <mutex>

namespace lockstep {

TimePoint SystemClock::now() const {
  return std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
}

SteadyPoint SystemClock::steady() const {
  return std::chrono::steady_clock::now();
}

bool SystemClock::sleepFor(std::chrono::nanoseconds duration, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, duration, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace lockstep
