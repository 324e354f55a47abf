// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/key_maker.h"

#include <sys/resource.h>

#include "rehearsal/crypto/quick_rsa_key.h"

namespace lockstep::rehearsal {

KeyMaker::Order KeyMaker::order() {
  Order order;
  {
    const std::lock_guard lock(mutex_);
    orders_.push_back(order.promise_);
    if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
  }
  asked_.notify_one();
  return order;
}

void KeyMaker::loop(const std::stop_token& stop) {
  // On Linux a thread has a priority of its own, and hands it on to those that it starts.
  constexpr int kBehindRequests = 10;
  ::setpriority(PRIO_PROCESS, 0, kBehindRequests);
  while (true) {
    std::shared_ptr<std::promise<Result<Key>>> promise;
    {
      std::unique_lock lock(mutex_);
      if (!asked_.wait(lock, stop, [this] { return !orders_.empty(); })) return;
      promise = orders_.front().lock();
      orders_.pop_front();
    }
    if (stop.stop_requested()) return;
    if (promise) promise->set_value(makeQuickRsaKey());
  }
}

}  // namespace lockstep::rehearsal
