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

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "rehearsal/jobs/job_code.h"
#include "rehearsal/jobs/node_sampler.h"
#include "rehearsal/jobs/probe_runner.h"
#include "rehearsal/network/isolation/node_network.h"
#include "rehearsal/network/isolation/node_root.h"
#include "rehearsal/support/line_capture.h"
#include "rehearsal/support/process_tree.h"
#include "rehearsal/support/run_folder.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLookInterval{50};    // while processes are being ended
constexpr std::chrono::milliseconds kRetryInterval{200};  // while the disk refuses lines
constexpr std::size_t kMaxPending = 1 << 20;
constexpr int kMaxFinalRetries = 25;

/// Appends captured lines to the output file. What the disk refuses waits in memory; meanwhile nothing is
/// read from the run, which then blocks instead of losing lines.
class OutputFile {
 public:
  OutputFile(const std::filesystem::path& path, std::filesystem::path fullMark)
      : fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)),
        fullMark_(std::move(fullMark)) {}
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
    if (pending_.empty() || diskIsFull()) return;
    while (!pending_.empty()) {
      const ssize_t n = ::write(fd_, pending_.data(), pending_.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return;
      pending_.erase(0, static_cast<std::size_t>(n));
    }
  }
  [[nodiscard]] std::size_t pending() const { return pending_.size(); }
  [[nodiscard]] long long pendingLines() const { return std::count(pending_.begin(), pending_.end(), '\n'); }

 private:
  [[nodiscard]] bool diskIsFull() const {
    return !fullMark_.empty() && ::access(fullMark_.c_str(), F_OK) == 0;
  }

  int fd_;
  std::filesystem::path fullMark_;
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
  Supervision(NodeFolder folder, NodeTask spec)
      : folder_(std::move(folder)),
        spec_(std::move(spec)),
        output_(folder_.output(), spec_.diskFullMark),
        lines_{LineCapture([this](std::string_view l) { output_.add('o', l); }),
               LineCapture([this](std::string_view l) { output_.add('e', l); })} {}

  int run() {
    if (!listenToSignals() || !enterNetwork()) return report();
    placeCode();
    if (!startProgram()) return report();
    while (!finished()) {
      waitForSomething();
      readSignals();
      reap();
      readOutput();
      output_.write();
      doWhatIsDue();
      endWhatMustEnd();
    }
    if (sampler_) keepSample();  // a short run has one sample, too
    readOutput();
    for (LineCapture& capture : lines_) capture.finish();
    writeWhatIsLeft();
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
    if (signalFd_ < 0) end_ = {NodeEnd::Why::CannotStart, 0, 0, "no signal descriptor"};
    return signalFd_ >= 0;
  }

  bool enterNetwork() {
    const std::string before = networkNamespace();
    auto network = NodeNetwork::enter(spec_.network);
    if (!network) {
      end_ = {NodeEnd::Why::CannotStart, 0, 0, describe(network.error())};
      return false;
    }
    network_ = std::move(*network);
    ownNetwork_ = networkNamespace() != before;
    return true;
  }

  // An isolated node has mounts of its own; where nodes share the machine's, paths lead to the code.
  void placeCode() {
    if (spec_.code.empty()) return;
    if (ownNetwork_) {
      const auto shown = showReadOnly(spec_.code, kCodePlace, folder_.root());
      if (shown) return;
      output_.add('e', "the code is at " + spec_.code.string() + ": " + describe(shown.error()));
    }
    mapCode(spec_, spec_.code.string());
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
    auto child = out && err ? ChildProcess::start(options) : failure(ErrorCode::Io, "cannot make a pipe");
    if (out) ::close(out->write);
    if (err) ::close(err->write);
    if (!child) {
      end_ = {NodeEnd::Why::CannotStart, 0, 0, describe(child.error())};
      return false;
    }
    streams_[0] = out->read;
    streams_[1] = err->read;
    program_ = child->pid();
    const auto now = SteadyClock::now();
    if (spec_.maximumRuntime.count() > 0) runUntil_ = now + spec_.maximumRuntime;
    if (spec_.strike) strikeAt_ = now + spec_.strike->after;
    if (spec_.probe) {
      probe_.emplace(*spec_.probe, spec_.environment, folder_.work());
    } else {
      notifyStarted();
    }
    sampler_.emplace(folder_.work(), ownNetwork_);
    sampleAt_ = now + spec_.sampleInterval;
    return true;
  }

  void notifyStarted() {
    if (const auto written = writeFileAtomically(folder_.started(), "{}", 0600); !written)
      output_.add('e', "the start of this node cannot be told: " + describe(written.error()));
  }

  void keepSample() {
    const std::string line = toLine(sampler_->sample());
    const int fd = ::open(folder_.metrics().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) return;  // a full disk: a sample is no line of anybody's
    [[maybe_unused]] const ssize_t n = ::write(fd, line.data(), line.size());
    ::close(fd);
  }

  // What happens at its time: a sample, a look of the startup probe, the strike of a fault.
  void doWhatIsDue() {
    const auto now = SteadyClock::now();
    if (now >= sampleAt_) {
      keepSample();
      sampleAt_ = now + spec_.sampleInterval;
    }
    if (strikeAt_ && now >= *strikeAt_) {
      strikeAt_.reset();
      signalEach(descendantsOf(::getpid()), spec_.strike->signal);
    }
    if (!probe_ || exited_ || killAt_) return;
    const auto problem = probe_->look(now);
    if (!problem) return;
    probe_.reset();
    if (problem->empty()) return notifyStarted();
    end_.problem = *problem;
    beginEnding(NodeEnd::Why::NotReady);
  }

  // Nothing that the program said is given up while somebody still waits for the run.
  void writeWhatIsLeft() {
    const bool urgent = end_.why != NodeEnd::Why::Exited;
    for (int i = 0; output_.pending() > 0; ++i) {
      output_.write();
      readSignals();
      if (output_.pending() == 0) return;
      if ((urgent || asked_) && i >= kMaxFinalRetries) {
        end_.linesLost = output_.pendingLines();
        return;
      }
      ::usleep(static_cast<useconds_t>(kRetryInterval.count()) * 1000);
    }
  }

  [[nodiscard]] bool finished() const { return exited_ && allGone_; }

  [[nodiscard]] int timeout() const {
    if (exited_ || killAt_) return static_cast<int>(kLookInterval.count());
    if (output_.pending() > 0) return static_cast<int>(kRetryInterval.count());
    auto next = sampleAt_;
    if (runUntil_) next = std::min(next, *runUntil_);
    if (strikeAt_) next = std::min(next, *strikeAt_);
    if (probe_) next = std::min(next, probe_->next());
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - SteadyClock::now());
    return static_cast<int>(std::clamp<long long>(left.count(), 0, 60'000));
  }

  void waitForSomething() {
    const bool full = output_.pending() > kMaxPending;
    pollfd fds[3] = {
        {signalFd_, POLLIN, 0}, {full ? -1 : streams_[0], POLLIN, 0}, {full ? -1 : streams_[1], POLLIN, 0}};
    ::poll(fds, 3, timeout());
  }

  void readSignals() {
    signalfd_siginfo info{};
    while (::read(signalFd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
      if (info.ssi_signo != SIGCHLD) {
        asked_ = true;
        if (!exited_) beginEnding(NodeEnd::Why::Canceled);
      }
  }

  void reap() {
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (probe_ && probe_->ended(pid, status)) continue;
      if (pid != program_) continue;
      exited_ = true;
      if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
      if (WIFEXITED(status)) end_.exitCode = WEXITSTATUS(status);
    }
  }

  void readOutput() {
    char buffer[65536];
    for (int i = 0; i < 2; ++i) {
      while (streams_[i] >= 0 && output_.pending() <= kMaxPending) {
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

  void beginEnding(NodeEnd::Why why) {
    if (killAt_) return;
    end_.why = why;
    killAt_ = SteadyClock::now() + spec_.grace;
    signalEach(descendantsOf(::getpid()), SIGTERM);
  }

  // A container ends with its first process; when somebody asked for the end, everyone has the grace to
  // finish.
  void endWhatMustEnd() {
    if (runUntil_ && !exited_ && SteadyClock::now() >= *runUntil_) beginEnding(NodeEnd::Why::TimedOut);
    if (!exited_ && !killAt_) return;
    const std::vector<ProcessMark> left = descendantsOf(::getpid());
    allGone_ = left.empty();
    const bool inGrace = killAt_ && SteadyClock::now() < *killAt_;
    if (!inGrace) signalEach(left, SIGKILL);
  }

  int report() {
    network_.reset();  // takes the node's network down before anybody reads that the node has ended
    end_.time = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())
                    .time_since_epoch()
                    .count();
    const auto written = writeEnd(folder_, end_);
    return written ? 0 : 1;
  }

  NodeFolder folder_;
  NodeTask spec_;
  OutputFile output_;
  LineCapture lines_[2];
  int streams_[2] = {-1, -1};
  int signalFd_ = -1;
  pid_t program_ = -1;
  bool exited_ = false, allGone_ = false, asked_ = false, ownNetwork_ = false;
  std::optional<SteadyClock::time_point> killAt_, runUntil_, strikeAt_;
  SteadyClock::time_point sampleAt_{};
  std::unique_ptr<NodeNetwork> network_;
  std::optional<ProbeRunner> probe_;
  std::optional<NodeSampler> sampler_;
  NodeEnd end_;
};

}  // namespace

int supervise(const std::filesystem::path& path) {
  ::close_range(3, ~0U, 0);  // connections of the region, which its HTTP library lets us inherit
  const NodeFolder folder{path};
  const int lock = ::open(folder.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || ::flock(lock, LOCK_EX | LOCK_NB) != 0) return 0;  // another one is at it
  if (readEnd(folder) || readSupervisor(folder)) return 0;          // this node had its one supervisor
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto spec = readSpec(folder);
  const auto self = markOf(::getpid());
  if (!spec || !self || !writeSupervisor(folder, *self)) {
    [[maybe_unused]] const auto written = writeEnd(
        folder, {NodeEnd::Why::CannotStart, 0, 0, spec ? "no supervisor record" : describe(spec.error())});
    return 1;
  }
  return Supervision(folder, *spec).run();
}

}  // namespace lockstep::rehearsal
