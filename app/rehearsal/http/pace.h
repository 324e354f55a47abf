// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>

namespace lockstep::rehearsal {

/// How long the other side of a connection may take. It earns time by the bytes that move, and never more
/// than `grace` ahead: what it announces and what it has sent before buy nothing.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  Pace(std::chrono::milliseconds grace, std::uint64_t minBytesPerSecond)
      : grace_(grace), min_(std::max<std::uint64_t>(minBytesPerSecond, 1)), deadline_(Clock::now() + grace) {}

  void moved(std::uint64_t bytes) {
    const std::chrono::microseconds earned(bytes * 1'000'000 / min_);
    deadline_ = std::min(deadline_ + earned, Clock::now() + grace_);
  }
  [[nodiscard]] Clock::time_point deadline() const { return deadline_; }

 private:
  std::chrono::milliseconds grace_;
  std::uint64_t min_;
  Clock::time_point deadline_;
};

}  // namespace lockstep::rehearsal
