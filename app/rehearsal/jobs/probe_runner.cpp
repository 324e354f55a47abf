// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/probe_runner.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/child_process.h"

namespace lockstep::rehearsal {

ProbeRunner::ProbeRunner(StartupProbe probe, std::map<std::string, std::string> environment,
                         std::filesystem::path home)
    : probe_(std::move(probe)),
      environment_(std::move(environment)),
      home_(std::move(home)),
      next_(std::chrono::steady_clock::now() + probe_.initialDelay) {}

void ProbeRunner::fail(const std::string& how) {
  ++failures_;
  lastFailure_ = how;
}

std::optional<std::string> ProbeRunner::look(SteadyTime now) {
  if (ready_) return std::string();
  if (now >= next_ && running_ > 0) {
    ::kill(-running_, SIGKILL);  // a try is a session of its own
    running_ = -1;
    fail("no answer within its period");
  }
  if (failures_ >= probe_.failureThreshold)
    return fmt::format("its startup probe failed {} times, the last time with {}", failures_, lastFailure_);
  if (now < next_) return std::nullopt;
  next_ = now + probe_.period;
  ProcessOptions options;
  options.command = probe_.command;
  options.environment = environment_;
  options.workingDirectory = home_;
  options.dieWithParent = true;
  const auto child = ChildProcess::start(options);
  if (child) {
    running_ = child->pid();
  } else {
    fail(describe(child.error()));
  }
  return std::nullopt;
}

bool ProbeRunner::ended(pid_t pid, int status) {
  if (pid != running_) return false;
  running_ = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    ready_ = true;
    next_ = std::chrono::steady_clock::now();
  } else {
    fail(describe(ProcessExit{WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                              WIFSIGNALED(status) ? WTERMSIG(status) : 0}));
    if (failures_ >= probe_.failureThreshold) next_ = std::chrono::steady_clock::now();
  }
  return true;
}

}  // namespace lockstep::rehearsal
