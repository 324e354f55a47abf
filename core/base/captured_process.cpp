// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/captured_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/clock.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

/// What the program reads: an anonymous file, so that nobody has to feed it.
class Input {
 public:
  explicit Input(std::string_view text) : fd_(::memfd_create("stdin", MFD_CLOEXEC)) {
    const ssize_t n = ::write(fd_, text.data(), text.size());
    isFine_ = n == static_cast<ssize_t>(text.size()) && ::lseek(fd_, 0, SEEK_SET) == 0;
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] bool isFine() const { return isFine_; }

 private:
  int fd_;
  bool isFine_ = false;
};

/// A pipe that is read without ever waiting for it: a background child may keep the other end open.
class Output {
 public:
  Output() { isFine_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0 && ::fcntl(ends_[0], F_SETFL, O_NONBLOCK) == 0; }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() {
    for (const int fd : ends_)
      if (fd >= 0) ::close(fd);
  }
  [[nodiscard]] bool isFine() const { return isFine_; }
  [[nodiscard]] int writeEnd() const { return ends_[1]; }
  void closeWriteEnd() { ::close(std::exchange(ends_[1], -1)); }
  /// -1 once it is at its end: poll() leaves it out.
  [[nodiscard]] int readEnd() const { return ends_[0]; }
  [[nodiscard]] bool isTooLong() const { return text_.size() > kMaxCapturedBytes; }
  [[nodiscard]] std::string& text() { return text_; }

  /// Takes what is there.
  void read() {
    std::array<char, 1 << 16> buffer;
    while (ends_[0] >= 0 && !isTooLong()) {
      const ssize_t n = ::read(ends_[0], buffer.data(), buffer.size());
      if (n > 0) text_.append(buffer.data(), static_cast<std::size_t>(n));
      if (n > 0 || (n < 0 && errno == EINTR)) continue;
      if (n == 0 || errno != EAGAIN) ::close(std::exchange(ends_[0], -1));
      return;
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  std::string text_;
  bool isFine_ = false;
};

void readBoth(Output& output, Output& errors, std::chrono::milliseconds limit) {
  std::array<pollfd, 2> both{{{output.readEnd(), POLLIN, 0}, {errors.readEnd(), POLLIN, 0}}};
  ::poll(both.data(), both.size(), static_cast<int>(limit.count()));
  output.read();
  errors.read();
}

}  // namespace

Result<CapturedExit> runCaptured(const std::vector<std::string>& command, std::chrono::milliseconds limit,
                                 const std::stop_token& stop, const Secret& input) {
  const Input words(input.reveal());
  Output output, errors;
  const std::string what = fmt::format("cannot run '{}'", command.front());
  if (!words.isFine() || !output.isFine() || !errors.isFine()) return failure(errnoError(what, errno));
  ProcessOptions options{.command = command, .environment = currentEnvironment()};
  options.stdinFd = words.fd();
  options.stdoutFd = output.writeEnd();
  options.stderrFd = errors.writeEnd();
  auto process = ChildProcess::start(options);
  if (!process) return failure(std::move(process.error()));
  output.closeWriteEnd();
  errors.closeWriteEnd();
  const auto killed = [&](ErrorCode code, std::string cause) {
    if (!process->poll()) process->signalAll(SIGKILL);
    process->waitFor(1s);
    return failure(code, what, std::move(cause));
  };
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (bool hasEnded = false; !hasEnded;) {
    // Without a stream that is open, poll() waits its whole time.
    readBoth(output, errors, 20ms);
    hasEnded = process->poll().has_value();
    if (hasEnded) readBoth(output, errors, 0ms);
    if (output.isTooLong() || errors.isTooLong())
      return killed(ErrorCode::ResourceExhausted,
                    fmt::format("it printed more than {} KiB, and was ended", kMaxCapturedBytes / 1024));
    if (hasEnded) break;
    if (stop.stop_requested()) return killed(ErrorCode::Cancelled, "cancelled");
    if (std::chrono::steady_clock::now() > deadline)
      return killed(ErrorCode::DeadlineExceeded,
                    fmt::format("no end after {} s; it said: {}", limit.count() / 1000, errors.text()));
  }
  return CapturedExit{*process->poll(), std::move(output.text()), std::move(errors.text())};
}

}  // namespace lockstep
