// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "base/clock.h"

namespace lockstep::node {

/// A moment from which something is counted. Kept by the steady clock: a machine's calendar is often set a
/// minute after it has started, which is when nodes wait for each other.
class Beginning {
 public:
  explicit Beginning(const Clock& clock) : at_(clock.steady()) {}

  [[nodiscard]] std::chrono::nanoseconds passed(const Clock& clock) const { return clock.steady() - at_; }
  /// That moment by the calendar as it is now, to compare with what others have written.
  [[nodiscard]] TimePoint onCalendar(const Clock& clock) const { return clock.now() - passed(clock); }

 private:
  SteadyPoint at_;
};

}  // namespace lockstep::node
