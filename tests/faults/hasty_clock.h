// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>

#include "base/clock.h"

namespace lockstep::testing {

/// The machine's time, but nobody waits for long.
class HastyClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return SystemClock().now(); }
  [[nodiscard]] SteadyPoint steady() const override { return SystemClock().steady(); }
  bool sleepFor(std::chrono::nanoseconds duration, const std::stop_token& stop) override {
    return SystemClock().sleepFor(std::min<std::chrono::nanoseconds>(duration, std::chrono::milliseconds(20)),
                                  stop);
  }
};

}  // namespace lockstep::testing
