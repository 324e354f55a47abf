// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/processes/memory_kills.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstring>
#include <sstream>

#include "base/atomic_file.h"

namespace lockstep::node {
namespace {

// "0::/path", the line of version 2 of /proc/self/cgroup; a container sees its own as "/".
std::string ownGroup() {
  const auto text = readFile("/proc/self/cgroup", 1 << 16);
  std::istringstream lines(text ? *text : std::string());
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0::")) return line.substr(3);
  }
  return "/";
}

}  // namespace

std::optional<long long> memoryKillsIn(const std::string& memoryEvents) {
  std::istringstream words(memoryEvents);
  std::string name;
  for (long long count = 0; words >> name >> count;) {
    if (name == "oom_kill") return count;
  }
  return std::nullopt;
}

std::optional<long long> memoryKills() {
  const std::string root = "/sys/fs/cgroup";
  for (const std::string& folder : {root + ownGroup(), root}) {
    if (const auto text = readFile(folder + "/memory.events", 1 << 16)) return memoryKillsIn(*text);
  }
  return std::nullopt;
}

std::string describeEnd(const ProcessExit& exit, std::optional<long long> killsBefore) {
  if (exit.signal == 0) return fmt::format("ended with exit code {}", exit.exitCode);
  std::string text = fmt::format("was killed by signal {} ({})", exit.signal, ::strsignal(exit.signal));
  const auto kills = exit.signal == SIGKILL ? memoryKills() : std::nullopt;
  if (kills && killsBefore && *kills > *killsBefore)
    text +=
        ", for want of memory: the kernel ended it; use fewer ranks per node, smaller batches or a larger "
        "shape";
  return text;
}

}  // namespace lockstep::node
