// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "base/child_process.h"
#include "rehearsal/jobs/line_capture.h"
#include "rehearsal/jobs/process_tree.h"
#include "rehearsal/jobs/run_folder.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLookInterval{50};    // while processes are being ended
constexpr std::chrono::milliseconds kRetryInterval{200};  // while the disk refuses lines
constexpr std::size_t kMostPending = 1 << 20;
constexpr int kMostFinalRetries = 25;

/// Appends captured lines to the output file. What the disk refuses waits in memory; meanwhile nothing is
/// read from the run, which then blocks instead of losing lines.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}
  ~OutputFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void add(char stream, std::string_view line) {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    pending_ += std::to_string(now.time_since_epoch().count()) + " " + stream + " ";
    pending_ += line;
    pending_ += '\n';
  }
  void write() {
    while (!pending_.empty()) {
      const ssize_t n = ::write(fd_, pending_.data(), pending_.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return;
      pending_.erase(0, static_cast<std::size_t>(n));
    }
  }
  [[nodiscard]] std::size_t pending() const { return pending_.size(); }

 private:
  int fd_;
  std::string pending_;
};

struct Pipe {
  int read = -1, write = -1;
  static std::optional<Pipe> make() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return std::nullopt;
    ::fcntl(fds[0], F_SETFL, O_NONBLOCK);
    return Pipe{fds[0], fds[1]};
  }
};

class Supervision {
 public:
  Supervision(RunFolder folder, RunSpec spec)
      : folder_(std::move(folder)),
        spec_(std::move(spec)),
        output_(folder_.output()),
        lines_{LineCapture([this](std::string_view l) { output_.add('o', l); }),
               LineCapture([this](std::string_view l) { output_.add('e', l); })} {}

  int run() {
    if (!listenToSignals() || !startProgram()) return report();
    while (!finished()) {
      waitForSomething();
      takeSignals();
      reap();
      readOutput();
      output_.write();
      endWhatMustEnd();
    }
    readOutput();
    for (LineCapture& capture : lines_) capture.finish();
    for (int i = 0; i < kMostFinalRetries && output_.pending() > 0; ++i) {
      output_.write();
      if (output_.pending() > 0) ::usleep(static_cast<useconds_t>(kRetryInterval.count()) * 1000);
    }
    return report();
  }

 private:
  bool listenToSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int s : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigaddset(&signals, s);
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGCHLD,
             SIG_DFL);  // the region ignores it, and ignoring would be inherited and reap behind our back
    signalFd_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signalFd_ < 0) end_ = {RunEnd::Why::CannotStart, 0, 0, "no signal descriptor"};
    return signalFd_ >= 0;
  }

  bool startProgram() {
    const auto out = Pipe::make(), err = Pipe::make();
    ProcessOptions options;
    options.command = spec_.command;
    options.environment = spec_.environment;
    options.workingDirectory = folder_.work();
    options.stdoutFd = out ? out->write : -1;
    options.stderrFd = err ? err->write : -1;
    options.dieWithParent = true;
    ::umask(022);  // what a container begins with; our own files name their mode
    auto child = out && err ? ChildProcess::start(options) : failure(StatusCode::Io, "cannot make a pipe");
    if (out) ::close(out->write);
    if (err) ::close(err->write);
    if (!child) {
      end_ = {RunEnd::Why::CannotStart, 0, 0, describe(child.error())};
      return false;
    }
    streams_[0] = out->read;
    streams_[1] = err->read;
    program_ = child->pid();
    if (spec_.maximumRuntime.count() > 0) runUntil_ = SteadyClock::now() + spec_.maximumRuntime;
    return true;
  }

  [[nodiscard]] bool finished() const { return exited_ && allGone_; }

  [[nodiscard]] int timeout() const {
    if (exited_ || killAt_) return static_cast<int>(kLookInterval.count());
    if (output_.pending() > 0) return static_cast<int>(kRetryInterval.count());
    if (!runUntil_) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*runUntil_ - SteadyClock::now());
    return static_cast<int>(std::clamp<long long>(left.count(), 0, 60'000));
  }

  void waitForSomething() {
    const bool full = output_.pending() > kMostPending;
    pollfd fds[3] = {
        {signalFd_, POLLIN, 0}, {full ? -1 : streams_[0], POLLIN, 0}, {full ? -1 : streams_[1], POLLIN, 0}};
    ::poll(fds, 3, timeout());
  }

  void takeSignals() {
    signalfd_siginfo info{};
    while (::read(signalFd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
      if (info.ssi_signo != SIGCHLD) beginEnding(RunEnd::Why::Canceled);
  }

  void reap() {
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (pid != program_) continue;
      exited_ = true;
      if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
      if (WIFEXITED(status)) end_.exitCode = WEXITSTATUS(status);
    }
  }

  void readOutput() {
    char buffer[65536];
    for (int i = 0; i < 2; ++i) {
      while (streams_[i] >= 0 && output_.pending() <= kMostPending) {
        const ssize_t n = ::read(streams_[i], buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        if (n == 0) {
          ::close(streams_[i]);
          streams_[i] = -1;
          break;
        }
        lines_[i].take({buffer, static_cast<std::size_t>(n)});
      }
    }
  }

  void beginEnding(RunEnd::Why why) {
    if (killAt_) return;
    end_.why = why;
    killAt_ = SteadyClock::now() + spec_.grace;
    signalEach(descendantsOf(::getpid()), SIGTERM);
  }

  // A container ends with its first process; when somebody asked for the end, everyone has the grace to
  // finish.
  void endWhatMustEnd() {
    if (runUntil_ && !exited_ && SteadyClock::now() >= *runUntil_) beginEnding(RunEnd::Why::TimedOut);
    if (!exited_ && !killAt_) return;
    const std::vector<pid_t> left = descendantsOf(::getpid());
    allGone_ = left.empty();
    const bool inGrace = killAt_ && SteadyClock::now() < *killAt_;
    if (!inGrace) signalEach(left, SIGKILL);
  }

  int report() {
    const auto written = writeEnd(folder_, end_);
    return written ? 0 : 1;
  }

  RunFolder folder_;
  RunSpec spec_;
  OutputFile output_;
  LineCapture lines_[2];
  int streams_[2] = {-1, -1};
  int signalFd_ = -1;
  pid_t program_ = -1;
  bool exited_ = false, allGone_ = false;
  std::optional<SteadyClock::time_point> killAt_, runUntil_;
  RunEnd end_;
};

}  // namespace

int supervise(const std::filesystem::path& path) {
  ::close_range(3, ~0U, 0);  // connections of the region, which its HTTP library lets us inherit
  const RunFolder folder{path};
  const int lock = ::open(folder.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || ::flock(lock, LOCK_EX | LOCK_NB) != 0) return 0;  // another one is at it
  if (readEnd(folder) || readSupervisor(folder)) return 0;          // this run had its one supervisor
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto spec = readSpec(folder);
  const auto self = markOf(::getpid());
  if (!spec || !self || !writeSupervisor(folder, *self)) {
    [[maybe_unused]] const auto written = writeEnd(
        folder, {RunEnd::Why::CannotStart, 0, 0, spec ? "no supervisor record" : describe(spec.error())});
    return 1;
  }
  return Supervision(folder, *spec).run();
}

}  // namespace lockstep::rehearsal
