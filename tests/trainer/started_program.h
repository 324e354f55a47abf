// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/child_process.h"

namespace lockstep {

/// A program of ours as a real process, its output in a file. Killed when the test goes.
class StartedProgram {
 public:
  StartedProgram(const std::filesystem::path& outputFile, std::vector<std::string> command,
                 std::map<std::string, std::string> environment, std::filesystem::path workingDirectory = {})
      : outputFile_(outputFile) {
    const int fd = ::open(outputFile.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    environment.try_emplace("PATH", std::string(LOCKSTEP_BIN_DIR) + ":/usr/bin:/bin");
    environment.try_emplace("OMP_NUM_THREADS", "1");
    if (const char* gpus = std::getenv("CUDA_VISIBLE_DEVICES"))
      environment.try_emplace("CUDA_VISIBLE_DEVICES", gpus);  // empty hides them all
    auto started = ChildProcess::start({.command = std::move(command),
                                        .environment = std::move(environment),
                                        .workingDirectory = std::move(workingDirectory),
                                        .stdoutFd = fd,
                                        .stderrFd = fd,
                                        .newSession = true,
                                        .dieWithParent = true});
    ::close(fd);
    if (!started) throw std::runtime_error(describe(started.error()));
    process_.emplace(std::move(*started));
  }
  StartedProgram(StartedProgram&& other) noexcept
      : outputFile_(std::move(other.outputFile_)), process_(std::exchange(other.process_, std::nullopt)) {}
  StartedProgram& operator=(StartedProgram&&) = delete;
  ~StartedProgram() {
    if (!process_) return;
    if (!process_->poll()) process_->signalAll(SIGKILL);
    process_->waitFor(std::chrono::seconds(10));
  }

  /// 128 + signal when a signal ended it, -1 when it still runs after the limit.
  int exitCode(std::chrono::seconds limit = std::chrono::seconds(120)) {
    const auto exit = process_->waitFor(limit);
    if (!exit) return -1;
    return exit->signal != 0 ? 128 + exit->signal : exit->exitCode;
  }
  void signal(int number) const { ::kill(process_->pid(), number); }
  [[nodiscard]] pid_t pid() const { return process_->pid(); }
  [[nodiscard]] std::string output() const {
    std::ifstream file(outputFile_);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  [[nodiscard]] bool says(const std::string& text) const { return output().find(text) != std::string::npos; }
  /// Waits until the output has the text; false when the program ended or the limit passed without it.
  bool waitUntilItSays(const std::string& text, std::chrono::seconds limit = std::chrono::seconds(120)) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!says(text)) {
      if (process_->poll() || std::chrono::steady_clock::now() > deadline) return says(text);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
  }

 private:
  std::filesystem::path outputFile_;
  std::optional<ChildProcess> process_;
};

inline std::string program(const std::string& name) {
  return std::string(LOCKSTEP_BIN_DIR) + "/" + name;
}

/// A TCP port that was free a moment ago.
inline int freePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  const bool bound = ::bind(fd, plain, size) == 0 && ::getsockname(fd, plain, &size) == 0;
  ::close(fd);
  return bound ? ntohs(address.sin_port) : 0;
}

}  // namespace lockstep
