// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace lockstep::rehearsal {

/// Threads for requests: made when all are busy, gone after some idle seconds. Waiting connections need none.
class WorkerThreads {
 public:
  WorkerThreads() = default;
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;
  void enqueue(std::function<void()> task);
  /// Whether tasks wait for a thread: then no thread should wait for anything else.
  [[nodiscard]] bool isCrowded();
  /// Carries out what is queued, and returns when all threads have ended.
  void shutdown();

 private:
  void work();

  static constexpr std::size_t kMax = 128;
  std::mutex mutex_;
  std::condition_variable wakeUp_, ended_;
  std::deque<std::function<void()>> tasks_;
  std::size_t threads_ = 0, idle_ = 0;
  bool closing_ = false;
};

}  // namespace lockstep::rehearsal
