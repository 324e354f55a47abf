// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "rehearsal/crypto/crypto.h"

namespace lockstep::rehearsal {

/// Makes the keys of job runs one after the other, behind requests: a thousand runs that start at once cost
/// one thread, and whoever asks the region for something meanwhile comes first. One thread of its own, from
/// the first order on.
class KeyMaker {
 public:
  /// A key that was asked for. Without it, the key is not made any more.
  class Order {
   public:
    [[nodiscard]] bool ready() const {
      return key_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }
    /// Once, when it is ready.
    Result<Key> take() { return key_.get(); }

   private:
    friend class KeyMaker;
    std::shared_ptr<std::promise<Result<Key>>> promise_ = std::make_shared<std::promise<Result<Key>>>();
    std::future<Result<Key>> key_ = promise_->get_future();
  };

  KeyMaker() = default;
  KeyMaker(const KeyMaker&) = delete;
  KeyMaker& operator=(const KeyMaker&) = delete;

  /// Any thread.
  [[nodiscard]] Order order();

 private:
  void loop(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any asked_;
  std::deque<std::weak_ptr<std::promise<Result<Key>>>> orders_;
  std::jthread thread_;
};

}  // namespace lockstep::rehearsal
