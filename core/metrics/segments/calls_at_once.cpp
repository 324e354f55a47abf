// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/calls_at_once.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace lockstep {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSlowCall{2};  // a thread costs some 50 us to start

}  // namespace

std::size_t CallsAtOnce::width() const {
  return isSlow_ ? kCallsAtOnce : 1;
}

void CallsAtOnce::make(std::size_t count, const std::function<void(std::size_t)>& call) {
  std::size_t next = 0;
  while (next < count && !isSlow_) {
    const auto begin = SteadyClock::now();
    call(next++);
    isSlow_ = SteadyClock::now() - begin >= kSlowCall;
  }
  if (next < count) makeWide(next, count, call);
}

void CallsAtOnce::makeWide(std::size_t first, std::size_t count,
                           const std::function<void(std::size_t)>& call) {
  const std::size_t threads = std::min(count - first, kCallsAtOnce);
  std::atomic<std::size_t> next = first;
  const auto loop = [&] {
    for (std::size_t index = next++; index < count; index = next++) call(index);
  };
  const auto begin = SteadyClock::now();
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(loop);
    loop();
  }
  const auto rounds = static_cast<long>((count - first + threads - 1) / threads);
  isSlow_ = SteadyClock::now() - begin >= rounds * kSlowCall;
}

}  // namespace lockstep
