// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/region/commands.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>
#include <thread>

#include "rehearsal/jobs/job_code.h"
#include "rehearsal/region/print.h"
#include "rehearsal/region/profile_writer.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds kStartTimeout{30};
constexpr std::chrono::seconds kStopTimeout{
    40};  // runs have a grace of 10 s, and then the region ends them itself
constexpr std::chrono::milliseconds kLookInterval{10};

template <class Condition>
bool waitUntil(Condition condition, std::chrono::milliseconds timeout) {
  const auto deadline = SteadyClock::now() + timeout;
  while (!condition()) {
    if (SteadyClock::now() >= deadline) return false;
    std::this_thread::sleep_for(kLookInterval);
  }
  return true;
}

int complain(const Error& error) {
  printErr(describe(error));
  return 1;
}

void warn(const std::string& notes) {
  std::istringstream lines(notes);
  for (std::string line; std::getline(lines, line);) printErr(line);
}

void print(nlohmann::json info, bool json, const char* what) {
  if (json) {
    info["running"] = true;
    printOut(jsonForTerminal(info.dump(2)) + "\n");
    return;
  }
  const nlohmann::json places = info.value("places", nlohmann::json::object());
  printOut(fmt::format("{}: {}\nprofile {} in {}\nprocess {}\n", what, info.value("endpoint", ""),
                       info.value("profile", ""), info.value("config", ""), info.value("pid", 0)));
  if (info.contains("httpsEndpoint"))
    printOut(fmt::format("https: {}\ncertificate of its authority {}\n", info.value("httpsEndpoint", ""),
                         info.value("certificateBundle", "")));
  if (const std::string compartment = places.value("compartmentId", ""); compartment.empty()) {
    printOut("the tenancy is empty\n");
  } else {
    printOut(fmt::format("compartment {}\nproject {}\nsubnet {}\nlog group {}\nlog {}\nwork dir {}\n",
                         compartment, places.value("projectId", ""), places.value("subnetId", ""),
                         places.value("logGroupId", ""), places.value("logId", ""),
                         places.value("workDir", "")));
  }
}

// Of a region that was there before: one that starts says it itself.
void printRunning(const nlohmann::json& info, bool json, const char* what) {
  print(info, json, what);
  const std::string why = info.value("unenforced", "");
  if (!json && !why.empty()) warn("security rules are kept but not enforced: " + why);
}

// The info of a region that runs. While one is starting it holds the lock, and what stands in region.json is
// still of the one before.
std::optional<nlohmann::json> runningInfo(const StateFolder& state) {
  std::optional<nlohmann::json> info;
  const auto known = [&] {
    if (!isLocked(state)) return true;
    info = readInfo(state);
    const auto holder = lockHolder(state);
    return info && holder && info->value("pid", 0) == holder->pid &&
           info->value("startTicks", holder->startTicks) == holder->startTicks;
  };
  waitUntil(known, kStartTimeout);
  return isLocked(state) ? info : std::nullopt;
}

// What the background process tells the one that started it: {"info","note"} or {"error"}.
std::string encode(const Result<RegionStart>& start) {
  if (!start) return nlohmann::json{{"error", describe(start.error())}}.dump();
  return nlohmann::json{{"info", start->info}, {"note", start->note}}.dump();
}

void detach(const StateFolder& state) {
  ::setsid();
  if (::fork() != 0) ::_exit(0);  // no session leader: a terminal can never become ours
  const int null = ::open("/dev/null", O_RDWR);
  const int log = ::open(state.log().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(null, 0);
  ::dup2(log >= 0 ? log : null, 1);
  ::dup2(log >= 0 ? log : null, 2);
  if (null > 2) ::close(null);
  if (log > 2) ::close(log);
  [[maybe_unused]] const int ignored = ::chdir("/");
}

[[noreturn]] void beBackground(const RegionOptions& options, int pipe) {
  detach(options.state);
  const auto tell = [pipe](const Result<RegionStart>& start) {
    const std::string text = encode(start);
    [[maybe_unused]] const ssize_t n = ::write(pipe, text.data(), text.size());
    ::close(pipe);
  };
  const auto locked = lockState(options.state);
  if (!locked || !*locked) {
    tell(locked ? failure(ErrorCode::AlreadyExists,
                          "a region is already running on '" + options.state.path.string() + "'")
                : failure(locked.error()));
    ::_exit(1);
  }
  ::_exit(serveRegion(options, tell));
}

std::string readAll(int fd) {
  std::string text;
  char buffer[4096];
  const auto deadline = SteadyClock::now() + kStartTimeout;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now());
    pollfd p{fd, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&p, 1, static_cast<int>(left.count())) <= 0) return text;
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

int startBackground(const RegionOptions& options, bool json) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return complain(errnoError("cannot start the region", errno));
  const pid_t pid = ::fork();
  if (pid < 0) return complain(errnoError("cannot start the region", errno));
  if (pid == 0) {
    ::close(fds[0]);
    beBackground(options, fds[1]);
  }
  ::close(fds[1]);
  const nlohmann::json told = nlohmann::json::parse(readAll(fds[0]), nullptr, false);
  ::close(fds[0]);
  if (told.is_object() && told.contains("info")) {
    warn(told.value("note", ""));
    print(told["info"], json, "The region is running");
    return 0;
  }
  if (const auto info = runningInfo(options.state)) {  // somebody else was quicker
    printRunning(*info, json, "The region is already running");
    return 0;
  }
  const std::string error = told.is_object() ? told.value("error", "") : "";
  printErr(error.empty() ? "the region ended while starting; see " + options.state.log().string() : error);
  return 1;
}

int startForeground(const RegionOptions& options, bool json) {
  const auto locked = lockState(options.state);
  if (!locked) return complain(locked.error());
  if (!*locked)
    return complain(failure(ErrorCode::AlreadyExists,
                            "a region is already running on '" + options.state.path.string() + "'")
                        .value());
  return serveRegion(options, [json](const Result<RegionStart>& start) {
    if (!start) {
      complain(start.error());
    } else {
      warn(start->note);
      print(start->info, json, "The region is running");
    }
  });
}

// A region of an earlier version may run on while this one finds it.
void repair(const nlohmann::json& info, const StateFolder& state) {
  if (const auto repaired = repairProfile(info.value("config", ""), state.userKey()); !repaired)
    warn(describe(repaired.error()));
}

Result<void> endRegion(const StateFolder& state) {
  std::optional<ProcessMark> holder;
  const auto isKnown = [&] { return !isLocked(state) || (holder = lockHolder(state)).has_value(); };
  const auto isFree = [&] { return !isLocked(state); };
  waitUntil(isKnown, kStartTimeout);
  if (holder && !isFree()) {
    signalProcess(*holder, SIGTERM);
    if (!waitUntil(isFree, kStopTimeout)) {
      signalProcess(*holder, SIGKILL);
      waitUntil(isFree, kStopTimeout);
    }
  }
  if (isLocked(state))
    return failure(ErrorCode::DeadlineExceeded, "the region on '" + state.path.string() + "' does not end");
  endLeftRuns(state);
  return {};
}

}  // namespace

int startCommand(const RegionOptions& options, bool foreground, bool json) {
  if (auto made = makeStateFolder(options.state); !made) return complain(made.error());
  if (isLocked(options.state)) {
    if (const auto info = runningInfo(options.state)) {
      repair(*info, options.state);
      printRunning(*info, json, "The region is already running");
      return 0;
    }
  }
  return foreground ? startForeground(options, json) : startBackground(options, json);
}

int statusCommand(const StateFolder& state, bool json) {
  if (const auto info = runningInfo(state)) {
    printRunning(*info, json, "The region is running");
    return 0;
  }
  if (json) {
    printOut(nlohmann::json{{"running", false}}.dump() + "\n");
  } else {
    printOut("No region is running on " + state.path.string() + "\n");
  }
  return 1;
}

int stopCommand(const StateFolder& state) {
  const bool ran = isLocked(state);
  if (auto ended = endRegion(state); !ended) return complain(ended.error());
  printOut(ran ? "The region has ended.\n" : "No region was running.\n");
  return 0;
}

int resetCommand(const StateFolder& state) {
  std::error_code ec;
  if (!std::filesystem::exists(state.path, ec)) {
    printOut("There is no state.\n");
    return 0;
  }
  // The folder came from the command line: only what is certainly a region's state is removed.
  if (!std::filesystem::is_empty(state.path, ec)) {
    if (auto proven = proveState(state); !proven) return complain(proven.error());
  }
  if (auto ended = endRegion(state); !ended) return complain(ended.error());
  const auto info = readInfo(state);
  if (info && info->contains("config")) {
    const auto removed = removeProfile(info->value("config", ""), state.userKey());
    if (!removed) printErr(describe(removed.error()));
  }
  removeAllCode(state.code());
  if (auto removed = removeState(state); !removed) return complain(removed.error());
  printOut("The state is removed.\n");
  if (std::filesystem::exists(state.path, ec))
    printOut("What is not a region's stays in '" + state.path.string() + "'.\n");
  return 0;
}

}  // namespace lockstep::rehearsal
