// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/captured_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/clock.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxOutput = 1 << 20;

// An anonymous file instead of a pipe: no reader that could block on a background child that keeps its end
// open.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : fd_(::memfd_create(name, MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int fd() const { return fd_; }
  /// From where a process that inherits it begins to read.
  [[nodiscard]] bool fill(std::string_view text) const {
    const ssize_t n = ::write(fd_, text.data(), text.size());
    return n == static_cast<ssize_t>(text.size()) && ::lseek(fd_, 0, SEEK_SET) == 0;
  }
  [[nodiscard]] std::string text() const {
    std::string text(kMaxOutput, '\0');
    const ssize_t n = ::pread(fd_, text.data(), text.size(), 0);
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }

 private:
  int fd_;
};

}  // namespace

Result<CapturedExit> runCaptured(const std::vector<std::string>& command, std::chrono::milliseconds limit,
                                 const std::stop_token& stop, const Secret& input) {
  const MemoryFile words("stdin"), output("stdout"), errors("stderr");
  const std::string what = fmt::format("cannot run '{}'", command.front());
  if (output.fd() < 0 || errors.fd() < 0 || !words.fill(input.reveal()))
    return failure(errnoStatus(what, errno));
  ProcessOptions options{.command = command, .environment = currentEnvironment()};
  options.stdinFd = words.fd();
  options.stdoutFd = output.fd();
  options.stderrFd = errors.fd();
  auto process = ChildProcess::start(options);
  if (!process) return failure(std::move(process.error()));
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!process->waitFor(20ms)) {
    const bool late = std::chrono::steady_clock::now() > deadline;
    if (!late && !stop.stop_requested()) continue;
    process->signalAll(SIGKILL);
    process->waitFor(1s);
    return late ? failure(StatusCode::DeadlineExceeded, what,
                          fmt::format("no end after {} s; it said: {}", limit.count() / 1000, errors.text()))
                : failure(StatusCode::Cancelled, what, "cancelled");
  }
  return CapturedExit{*process->poll(), output.text(), errors.text()};
}

}  // namespace lockstep
