// SPDX-License-Identifier: GPL-3.0-or-later
#include "telling/tell_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/text/terminal_text.h"
#include "base/text/trimmed.h"
#include "diagnosis/findings/finding_catalogue.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxErrorBytes = 300;
constexpr std::chrono::milliseconds kLook{50};
constexpr const char* kTelling = "the command that is told of findings failed";

/// Bytes without a name that a child reads or writes.
class MemoryStream {
 public:
  explicit MemoryStream(std::string_view bytes = {}) : fd_(::memfd_create("lockstep-news", MFD_CLOEXEC)) {
    if (fd_ >= 0 && writeAll(fd_, bytes)) ::lseek(fd_, 0, SEEK_SET);
  }
  MemoryStream(const MemoryStream&) = delete;
  MemoryStream& operator=(const MemoryStream&) = delete;
  ~MemoryStream() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] std::string end() const {
    const off_t size = ::lseek(fd_, 0, SEEK_END);
    std::string text(kMaxErrorBytes, '\0');
    const auto from = std::max<off_t>(0, size - static_cast<off_t>(kMaxErrorBytes));
    const ssize_t n = ::pread(fd_, text.data(), text.size(), from);
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }

 private:
  int fd_;
};

// A variable cannot hold a NUL, and one that is read line by line should be one line.
std::string variable(std::string_view text) {
  return onOneLine(text);
}

std::map<std::string, std::string> environmentFor(const RunNews& news) {
  auto environment = currentEnvironment();
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

std::optional<ProcessExit> exitOf(ChildProcess& child, std::chrono::milliseconds limit,
                                  const std::stop_token& stop) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < end && !stop.stop_requested())
    if (auto exit = child.waitFor(kLook)) return exit;
  return child.poll();
}

}  // namespace

Result<void> tellCommand(const std::string& command, const RunNews& news, std::chrono::milliseconds limit,
                         const std::stop_token& stop) {
  const MemoryStream input(documentOf(news) + "\n"), errors;
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ProcessOptions options;
  options.command = {"/bin/sh", "-c", command};
  options.environment = environmentFor(news);
  options.stdinFd = input.fd();
  options.stdoutFd = nowhere;
  options.stderrFd = errors.fd();
  options.dieWithParent = true;
  auto child = ChildProcess::start(options);
  ::close(nowhere);
  if (!child) return failure(child.error());
  const auto exit = exitOf(*child, limit, stop);
  if (!exit) {
    child->signalAll(SIGKILL);
    (void)child->waitFor(std::chrono::seconds(1));
    if (stop.stop_requested()) return failure(ErrorCode::Cancelled, kTelling, "cancelled");
    return failure(ErrorCode::DeadlineExceeded, kTelling,
                   fmt::format("it had not ended after {} s", limit.count() / 1000),
                   "let it end sooner, or go on in the background with its streams closed");
  }
  if (exit->ok()) return {};
  const std::string said(trimmed(errors.end()));
  return failure(ErrorCode::Io, kTelling, describe(*exit) + (said.empty() ? "" : ": " + onOneLine(said)),
                 "try it by hand: its input is one JSON document (docs/formats/run-news.md)");
}

}  // namespace lockstep
