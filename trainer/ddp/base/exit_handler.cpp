// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/exit_handler.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "trainer/ddp/base/exit_codes.h"
#include "trainer/ddp/base/put_line.h"
#include "trainer/ddp/base/sockets.h"

namespace lockstep::trainer {
namespace {

sigset_t endingSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

bool waitForSignal(std::chrono::milliseconds limit) {
  const sigset_t set = endingSignals();
  const timespec time{limit.count() / 1000, (limit.count() % 1000) * 1'000'000};
  return ::sigtimedwait(&set, nullptr, &time) > 0;
}

}  // namespace

ExitHandler::ExitHandler(int rank) : rank_(rank) {
  const sigset_t set = endingSignals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signalThread_ = std::jthread([this](const std::stop_token& stop) { watchSignals(stop); });
}

void ExitHandler::beforeExit(Hook hook) {
  const std::lock_guard lock(mutex_);
  hooks_.push_back(std::move(hook));
}

void ExitHandler::exitNow(int exitCode, const std::string& message) {
  mutex_.lock();  // never unlocked: whoever comes second waits for the end of the process
  if (!message.empty()) putLine(stderr, message);
  std::fflush(nullptr);
  for (auto hook = hooks_.rbegin(); hook != hooks_.rend(); ++hook) (*hook)(exitCode, message);
  std::fflush(nullptr);
  ::_exit(exitCode);
}

void ExitHandler::fail(const Error& error) {
  fail(exitCodeFor(error, progress_.standing().phase), oneLine(error));
}

void ExitHandler::fail(int exitCode, const std::string& why) {
  exitNow(exitCode, lastWords(why));
}

std::string ExitHandler::lastWords(const std::string& why) const {
  return fmt::format("rank {} (host {}, pid {}) ends {}: {}", rank_, hostName(), ::getpid(),
                     describe(progress_.standing()), why);
}

void ExitHandler::exitAsAsked(long long stepsDone) {
  exitNow(kExitTerminated, fmt::format("rank {}: told to stop (SIGTERM) after {} steps", rank_, stepsDone));
}

void ExitHandler::watchSignals(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kLook{100};
  while (!waitForSignal(kLook)) {
    if (stop.stop_requested()) return;
  }
  terminationAsked_ = true;
  waitForSignal(std::chrono::milliseconds(graceMs_.load()));  // a second signal does not wait for the step
  exitNow(kExitTerminated, fmt::format("rank {}: told to stop (SIGTERM)", rank_));
}

}  // namespace lockstep::trainer
