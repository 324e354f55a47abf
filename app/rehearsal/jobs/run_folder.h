// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace lockstep::rehearsal {

/// The folder of one job run, which region and supervisor share:
///   spec.json        what to execute (0600, since variables may hold secrets)
///   supervisor.json  which process supervises; written by it before it starts anything
///   lock             held by the supervisor while it lives, so that there is never a second one
///   output           captured lines, append only: "<ms since epoch> o|e <text>\n"
///   ended.json       how it ended; written last, when every process is gone and every line captured
///   work/            the run's own directory and HOME
///   principal/       resource principal: token and session key (0600)
struct RunFolder {
  std::filesystem::path path;
  [[nodiscard]] std::filesystem::path spec() const { return path / "spec.json"; }
  [[nodiscard]] std::filesystem::path supervisor() const { return path / "supervisor.json"; }
  [[nodiscard]] std::filesystem::path lock() const { return path / "lock"; }
  [[nodiscard]] std::filesystem::path output() const { return path / "output"; }
  [[nodiscard]] std::filesystem::path ended() const { return path / "ended.json"; }
  [[nodiscard]] std::filesystem::path work() const { return path / "work"; }
  [[nodiscard]] std::filesystem::path token() const { return path / "principal" / "rpst"; }
  [[nodiscard]] std::filesystem::path sessionKey() const { return path / "principal" / "session.pem"; }
};

struct RunSpec {
  std::string runId;  // also in the environment as JOB_RUN_OCID, by which stray processes are found
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
  std::chrono::milliseconds grace{10000};
  std::chrono::milliseconds maximumRuntime{0};  // 0: none
};
Result<void> writeSpec(const RunFolder& folder, const RunSpec& spec);
Result<RunSpec> readSpec(const RunFolder& folder);

/// A process that a number alone could confuse with a later one.
struct ProcessMark {
  pid_t pid = 0;
  unsigned long long startTicks = 0;  // field 22 of /proc/PID/stat
};
std::optional<ProcessMark> markOf(pid_t pid);
[[nodiscard]] bool isAlive(const ProcessMark& mark);  // a zombie is not
Result<void> writeSupervisor(const RunFolder& folder, const ProcessMark& mark);
std::optional<ProcessMark> readSupervisor(const RunFolder& folder);

struct RunEnd {
  enum class Why { Exited, Canceled, TimedOut, CannotStart };
  Why why = Why::Exited;
  int exitCode = 0;
  int signal = 0;
  std::string problem;  // CannotStart: why
};
Result<void> writeEnd(const RunFolder& folder, const RunEnd& end);
std::optional<RunEnd> readEnd(const RunFolder& folder);

}  // namespace lockstep::rehearsal
