// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/http/worker_threads.h"

#include <system_error>
#include <thread>

namespace lockstep::rehearsal {

WorkerThreads::~WorkerThreads() {
  shutdown();
}

void WorkerThreads::enqueue(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    if (idle_ < tasks_.size() && threads_ < kMax) {
      try {
        std::thread([this] { work(); }).detach();  // counted, and waited for in shutdown()
        ++threads_;
      } catch (const std::system_error&) {
        if (threads_ == 0) throw;  // nobody would ever take the task
      }
    }
  }
  wakeUp_.notify_one();
}

bool WorkerThreads::isCrowded() {
  const std::lock_guard lock(mutex_);
  return !tasks_.empty();
}

void WorkerThreads::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    wakeUp_.wait_for(lock, std::chrono::seconds(5), [this] { return closing_ || !tasks_.empty(); });
    --idle_;
    if (tasks_.empty()) break;  // closing, or idle for long enough
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
  --threads_;
  ended_.notify_all();
}

void WorkerThreads::shutdown() {
  std::unique_lock lock(mutex_);
  closing_ = true;
  wakeUp_.notify_all();
  ended_.wait(lock, [this] { return threads_ == 0; });
}

}  // namespace lockstep::rehearsal
