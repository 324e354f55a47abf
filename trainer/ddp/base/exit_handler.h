// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "trainer/ddp/base/progress.h"

namespace lockstep::trainer {

/// The one way out of a rank that cannot go on: prints one message, runs the hooks (tell the peers, flush
/// metrics) and leaves with _exit, because destructors of process groups can block when a peer is gone.
/// Thread-safe; the first call wins and the others never return. Also owns SIGTERM and SIGINT:
/// terminationAsked() turns true, and a rank that does not come to the end of its step within `kStepGrace` is
/// ended all the same.
class ExitHandler {
 public:
  static constexpr std::chrono::milliseconds kStepGrace{1500};
  /// Instead of kStepGrace, from the next signal on.
  void setGrace(std::chrono::milliseconds grace) { graceMs_ = grace.count(); }

  /// Call before any other thread starts: the signals are blocked in every thread that starts afterwards.
  explicit ExitHandler(int rank);
  ExitHandler(const ExitHandler&) = delete;
  ExitHandler& operator=(const ExitHandler&) = delete;
  ~ExitHandler() = default;

  /// Runs before the process leaves, the hook added last first, as destructors do. Gets the exit code and the
  /// message.
  using Hook = std::function<void(int exitCode, const std::string& message)>;
  void beforeExit(Hook hook);
  [[nodiscard]] bool terminationAsked() const { return terminationAsked_.load(std::memory_order_relaxed); }
  /// An empty message prints nothing.
  [[noreturn]] void exitNow(int exitCode, const std::string& message);
  /// Leaves with the code that belongs to the failure, and one line that names rank, host, what the rank was
  /// doing, the cause and the way out.
  [[noreturn]] void fail(const Error& error);
  [[noreturn]] void fail(int exitCode, const std::string& why);
  /// After SIGTERM, at the end of a step.
  [[noreturn]] void exitAsAsked(long long stepsDone);
  /// "rank 1 (host vm-2, pid 47) ends at step 17 (backward): " and the reason.
  [[nodiscard]] std::string lastWords(const std::string& why) const;

  /// What this rank is doing; written by the training thread.
  [[nodiscard]] Progress& progress() { return progress_; }
  [[nodiscard]] const Progress& progress() const { return progress_; }

 private:
  void watchSignals(const std::stop_token& stop);

  int rank_;
  Progress progress_;
  std::atomic<bool> terminationAsked_{false};
  std::atomic<long long> graceMs_{kStepGrace.count()};
  std::mutex mutex_;  // guards hooks_; stays locked by the call that ends the process
  std::vector<Hook> hooks_;
  std::jthread signalThread_;
};

}  // namespace lockstep::trainer
