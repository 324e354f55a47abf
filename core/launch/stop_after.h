// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

#include "base/clock.h"

namespace lockstep {

/// A stop token that stops by itself after a while, and earlier when `outer` does: puts an end to a call that
/// would otherwise retry for minutes. The timer ends with the object.
class StopAfter {
 public:
  explicit StopAfter(std::chrono::milliseconds limit, const std::stop_token& outer = {})
      : forward_(outer, [this] { source_.request_stop(); }),
        timer_([this, limit](const std::stop_token& end) {
          SystemClock clock;
          if (clock.sleepFor(limit, end)) source_.request_stop();
        }) {}
  StopAfter(const StopAfter&) = delete;
  StopAfter& operator=(const StopAfter&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> forward_;
  std::jthread timer_;
};

}  // namespace lockstep
