// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "health/stack_reader.h"
#include "trainer/node/stacks/process_stacks.h"
#include "workdir/object_store.h"

namespace lockstep::node {

/// Answers those who look at the run and want to know where in its code a rank is: a run that hangs says so itself then. On a
/// thread of its own, which asks the store every kStackInterval; nothing here ever fails or delays the training, but for the
/// moment in which a tool reads a process.
class StackRequests {
 public:
  struct Place {
    std::string jobId, node, host;  // whose ranks these are: "worker_0", "10.0.0.3"
  };
  /// Null: LOCKSTEP_STACKS=0 says that nobody is to be answered.
  static std::unique_ptr<StackRequests> open(const std::map<std::string, std::string>& environment,
                                             std::shared_ptr<ObjectStore> store, Place place);
  StackRequests(std::shared_ptr<ObjectStore> store, Place place, std::vector<StackTool> tools = stackTools(),
                std::chrono::milliseconds interval = kStackInterval);
  StackRequests(const StackRequests&) = delete;
  StackRequests& operator=(const StackRequests&) = delete;
  ~StackRequests();

  /// The ranks of this node that have been started, and the process of each; those of an earlier start are forgotten.
  void begin(std::map<int, pid_t> ranks);
  /// They have ended.
  void end();
  /// The thread that starts the tools: what it has started is no orphan. 0: there is none.
  [[nodiscard]] pid_t thread() const { return threadId_; }

 private:
  void run(const std::stop_token& stop, const std::map<int, pid_t>& ranks);
  void look(const std::map<int, pid_t>& ranks, const std::stop_token& stop);
  void answer(const StackRequest& request, int rank, pid_t process, const std::stop_token& stop);

  std::shared_ptr<ObjectStore> store_;
  Place place_;
  std::vector<StackTool> tools_;
  std::chrono::milliseconds interval_;
  std::string answered_;  // the id of the last request; of the thread
  bool isFirstLook_ = true;
  std::atomic<pid_t> threadId_{0};
  std::jthread thread_;
};

}  // namespace lockstep::node
