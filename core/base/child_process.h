// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep {

struct ProcessOptions {
  std::vector<std::string> command;  // argv; command[0] is looked up in PATH when it has no '/'
  std::map<std::string, std::string> environment = {};  // exactly this, nothing inherited
  std::filesystem::path workingDirectory = {};          // empty: ours
  int stdinFd = -1;                                     // -1: inherited; else duplicated onto 0
  int stdoutFd = -1;                                    // likewise onto 1
  int stderrFd = -1;
  bool newSession = true;      // own session and process group: signals reach the whole tree
  bool dieWithParent = false;  // SIGKILL when the starting thread's process dies
};

/// How a process ended.
struct ProcessExit {
  int exitCode = 0;  // meaningful when signal == 0
  int signal = 0;    // the signal that ended it, or 0
  [[nodiscard]] bool ok() const { return signal == 0 && exitCode == 0; }
};

/// "exit code 3" | "signal 9 (Killed)"
[[nodiscard]] std::string describe(const ProcessExit& exit);

/// A child that we own. Destroying it neither waits nor kills. One thread at a time.
class ChildProcess {
 public:
  /// Fails when the program cannot be executed, not only when fork fails: the cause is exec's errno.
  static Result<ChildProcess> start(const ProcessOptions& options);

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// The exit, once there is one; never blocks.
  std::optional<ProcessExit> poll();
  /// Blocks until the exit or the deadline.
  std::optional<ProcessExit> waitFor(std::chrono::milliseconds timeout);
  /// Sends a signal to the whole process group (newSession) or to the process. A gone process is fine.
  void signalAll(int signal) const;

 private:
  ChildProcess(pid_t pid, bool ownGroup) : pid_(pid), ownGroup_(ownGroup) {}
  pid_t pid_ = -1;
  bool ownGroup_ = false;
  std::optional<ProcessExit> exit_;
};

/// The environment of this process, as a map.
[[nodiscard]] std::map<std::string, std::string> currentEnvironment();

/// `otherwise` when the variable is missing or empty.
[[nodiscard]] std::string environmentValue(const std::map<std::string, std::string>& environment,
                                           const std::string& name, std::string_view otherwise = {});

}  // namespace lockstep
