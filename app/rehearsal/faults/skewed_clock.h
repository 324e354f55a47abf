// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "base/clock.h"
#include "rehearsal/faults/fault_plan.h"

namespace lockstep::rehearsal {

/// The clock of a region, ahead of the machine's by the `delay` of a clock-skew fault. Waiting takes as long
/// as it does. Thread-safe; `faults` outlives it.
class SkewedClock final : public Clock {
 public:
  SkewedClock(std::shared_ptr<Clock> machine, const Faults& faults)
      : machine_(std::move(machine)), faults_(faults) {}
  [[nodiscard]] TimePoint now() const override {
    const auto fault = faults_.active(FaultKind::ClockSkew);
    return fault ? machine_->now() + fault->delay : machine_->now();
  }
  [[nodiscard]] SteadyPoint steady() const override { return machine_->steady(); }
  bool sleepFor(std::chrono::nanoseconds duration, const std::stop_token& stop) override {
    return machine_->sleepFor(duration, stop);
  }

 private:
  std::shared_ptr<Clock> machine_;
  const Faults& faults_;
};

}  // namespace lockstep::rehearsal
