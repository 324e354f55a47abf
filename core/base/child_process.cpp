// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

extern char** environ;

namespace lockstep {
namespace {

std::vector<char*> pointersTo(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Looked up here, in the parent, since nothing that allocates may run between fork and exec.
std::string findProgram(const std::string& name, const std::map<std::string, std::string>& environment) {
  if (name.find('/') != std::string::npos) return name;
  const auto path = environment.find("PATH");
  std::string rest = path == environment.end() ? "/usr/local/bin:/usr/bin:/bin" : path->second;
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const std::string candidate = rest.substr(0, end) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  return name;
}

struct Launch {
  const char* program;
  char** argv;
  char** envp;
  const char* directory;
  const ProcessOptions* options;
  pid_t parent;
};

// A program that was written a moment ago may still be open for writing in a child that another thread has just started: that
// is over as soon as that child has become its own program.
void becomeIt(const Launch& launch) {
  constexpr int kTries = 50;
  constexpr timespec kPause{0, 10'000'000};
  for (int i = 0; i < kTries; ++i) {
    ::execve(launch.program, launch.argv, launch.envp);
    if (errno != ETXTBSY) return;
    ::nanosleep(&kPause, nullptr);
    errno = ETXTBSY;
  }
}

// Runs in the child. Only async-signal-safe calls.
[[noreturn]] void becomeProgram(const Launch& launch, int errorPipe) {
  if (launch.options->newSession) ::setsid();
  if (launch.options->dieWithParent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != launch.parent) ::_exit(127);  // the parent died before prctl
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int s : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) ::signal(s, SIG_DFL);
  const ProcessOptions& o = *launch.options;
  const bool ready = (o.stdinFd < 0 || ::dup2(o.stdinFd, 0) >= 0) &&
                     (o.stdoutFd < 0 || ::dup2(o.stdoutFd, 1) >= 0) &&
                     (o.stderrFd < 0 || ::dup2(o.stderrFd, 2) >= 0) &&
                     (launch.directory == nullptr || ::chdir(launch.directory) == 0);
  if (ready) becomeIt(launch);
  const int e = errno;
  [[maybe_unused]] const ssize_t n = ::write(errorPipe, &e, sizeof e);
  ::_exit(127);
}

ProcessExit exitOf(int status) {
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace

std::string describe(const ProcessExit& exit) {
  if (exit.signal != 0) return fmt::format("signal {} ({})", exit.signal, ::strsignal(exit.signal));
  return fmt::format("exit code {}", exit.exitCode);
}

Result<ChildProcess> ChildProcess::start(const ProcessOptions& options) {
  if (options.command.empty())
    return failure(ErrorCode::InvalidArgument, "cannot start a program without a name");
  std::vector<std::string> arguments = options.command;
  std::vector<std::string> variables;
  for (const auto& [name, value] : options.environment) variables.push_back(name + "=" + value);
  auto argv = pointersTo(arguments);
  auto envp = pointersTo(variables);
  const std::string program = findProgram(options.command[0], options.environment);
  const std::string what = fmt::format("cannot start '{}'", options.command[0]);

  int errorPipe[2];
  if (::pipe2(errorPipe, O_CLOEXEC) != 0) return failure(errnoError(what, errno));
  const Launch launch{
      program.c_str(), argv.data(),
      envp.data(),     options.workingDirectory.empty() ? nullptr : options.workingDirectory.c_str(),
      &options,        ::getpid()};
  const pid_t pid = ::fork();
  if (pid == 0) becomeProgram(launch, errorPipe[1]);
  const int forkError = errno;
  ::close(errorPipe[1]);
  int execError = 0;
  const ssize_t n = pid < 0 ? 0 : ::read(errorPipe[0], &execError, sizeof execError);
  ::close(errorPipe[0]);
  if (pid < 0) return failure(errnoError(what, forkError));
  if (n == static_cast<ssize_t>(sizeof execError)) {
    ::waitpid(pid, nullptr, 0);
    return failure(errnoError(what, execError, "check that the program is installed and may be executed"));
  }
  return ChildProcess(pid, options.newSession);
}

std::optional<ProcessExit> ChildProcess::poll() {
  if (exit_) return exit_;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) == pid_) exit_ = exitOf(status);
  return exit_;
}

std::optional<ProcessExit> ChildProcess::waitFor(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!poll() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return exit_;
}

void ChildProcess::signalAll(int signal) const {
  if (exit_ && !ownGroup_) return;
  ::kill(ownGroup_ ? -pid_ : pid_, signal);
}

std::map<std::string, std::string> currentEnvironment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

std::string environmentValue(const std::map<std::string, std::string>& environment, const std::string& name,
                             std::string_view otherwise) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? std::string(otherwise) : found->second;
}

}  // namespace lockstep
