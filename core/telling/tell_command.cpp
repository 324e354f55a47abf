// SPDX-License-Identifier: GPL-3.0-or-later
#include "telling/tell_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/text/terminal_text.h"
#include "base/text/trimmed.h"
#include "diagnosis/findings/finding_catalogue.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxErrorBytes = 300;
constexpr std::size_t kMaxVariableBytes = 8000;  // a whole one may have 128 KiB
constexpr std::chrono::milliseconds kLook{20};
constexpr const char* kTelling = "the command that is told of findings failed";

/// What a child reads: an anonymous file, so that nobody has to feed it.
class Input {
 public:
  explicit Input(std::string_view bytes) : fd_(::memfd_create("lockstep-news", MFD_CLOEXEC)) {
    if (fd_ >= 0 && writeAll(fd_, bytes)) ::lseek(fd_, 0, SEEK_SET);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

/// What a child says, of which only the end is kept, however much it is. What it leaves running may keep the other end open.
class Said {
 public:
  Said() {
    if (::pipe2(ends_.data(), O_CLOEXEC) == 0) ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  Said(const Said&) = delete;
  Said& operator=(const Said&) = delete;
  ~Said() {
    for (const int fd : ends_)
      if (fd >= 0) ::close(fd);
  }
  [[nodiscard]] int writeEnd() const { return ends_[1]; }
  void closeWriteEnd() { ::close(std::exchange(ends_[1], -1)); }
  /// Takes what comes within that time.
  void read(std::chrono::milliseconds limit) {
    pollfd one{ends_[0], POLLIN, 0};
    ::poll(&one, 1, static_cast<int>(limit.count()));
    std::array<char, 1 << 16> buffer;
    for (int i = 0; i < kMostReads && ends_[0] >= 0; ++i) {
      const ssize_t n = ::read(ends_[0], buffer.data(), buffer.size());
      if (n == 0) ::close(std::exchange(ends_[0], -1));
      if (n <= 0) return;
      text_.append(buffer.data(), static_cast<std::size_t>(n));
      if (text_.size() > kMaxErrorBytes) text_.erase(0, text_.size() - kMaxErrorBytes);
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  static constexpr int kMostReads = 64;  // the time is looked at between them
  std::array<int, 2> ends_{-1, -1};
  std::string text_;
};

// A variable cannot hold a NUL, the system refuses long ones, and one that is read line by line should be one line.
std::string variable(std::string_view text) {
  return onOneLine(text.substr(0, kMaxVariableBytes));
}

std::map<std::string, std::string> environmentFor(const RunNews& news) {
  auto environment = currentEnvironment();
  environment.erase("LOCKSTEP_WEBHOOK");  // it may hold a secret
  const nlohmann::json document = nlohmann::json::parse(documentOf(news));
  environment["LOCKSTEP_EVENT"] = document.at("event").get<std::string>();
  environment["LOCKSTEP_RUN"] = variable(news.run.value);
  environment["LOCKSTEP_RUN_NAME"] = variable(news.name);
  environment["LOCKSTEP_STATE"] = toString(news.state);
  environment["LOCKSTEP_FINDING"] = news.finding ? variable(news.finding->key()) : "";
  environment["LOCKSTEP_SEVERITY"] = news.finding ? codeOf(news.finding->severity) : "";
  environment["LOCKSTEP_TITLE"] = variable(titleOf(news));
  environment["LOCKSTEP_TEXT"] = variable(textOf(news));
  return environment;
}

std::optional<ProcessExit> exitOf(ChildProcess& child, Said& said, std::chrono::milliseconds limit,
                                  const std::stop_token& stop) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!child.poll() && std::chrono::steady_clock::now() < end && !stop.stop_requested()) said.read(kLook);
  said.read(std::chrono::milliseconds(0));
  return child.poll();
}

}  // namespace

Result<void> tellCommand(const std::string& command, const RunNews& news, std::chrono::milliseconds limit,
                         const std::stop_token& stop) {
  const Input input(documentOf(news) + "\n");
  Said said;
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ProcessOptions options;
  options.command = {"/bin/sh", "-c", command};
  options.environment = environmentFor(news);
  options.stdinFd = input.fd();
  options.stdoutFd = nowhere;
  options.stderrFd = said.writeEnd();
  options.dieWithParent = true;
  auto child = ChildProcess::start(options);
  ::close(nowhere);
  said.closeWriteEnd();
  if (!child) return failure(child.error());
  const auto exit = exitOf(*child, said, limit, stop);
  if (!exit) {
    child->signalAll(SIGKILL);
    (void)child->waitFor(std::chrono::seconds(1));
    if (stop.stop_requested()) return failure(ErrorCode::Cancelled, kTelling, "cancelled");
    return failure(ErrorCode::DeadlineExceeded, kTelling,
                   fmt::format("it had not ended after {} s", limit.count() / 1000),
                   "let it end sooner, or go on in the background with its streams closed");
  }
  if (exit->ok()) return {};
  const std::string why(trimmed(said.text()));
  return failure(ErrorCode::Io, kTelling, describe(*exit) + (why.empty() ? "" : ": " + onOneLine(why)),
                 "try it by hand: its input is one JSON document (docs/formats/run-news.md)");
}

}  // namespace lockstep
