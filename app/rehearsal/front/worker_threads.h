// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lockstep::rehearsal {

/// Threads for the HTTP library, which keeps one busy for as long as a connection is open: as many as there
/// are connections, made when needed, gone after some idle seconds.
class WorkerThreads final : public httplib::TaskQueue {
 public:
  WorkerThreads() = default;
  ~WorkerThreads() override;
  void enqueue(std::function<void()> task) override;
  void shutdown() override;

 private:
  void work();

  static constexpr std::size_t kMost = 256;
  std::mutex mutex_;
  std::condition_variable wakeUp_, ended_;
  std::deque<std::function<void()>> tasks_;
  std::size_t threads_ = 0, idle_ = 0;
  bool closing_ = false;
};

}  // namespace lockstep::rehearsal
