// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/support/process_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace lockstep::rehearsal {
namespace {

std::vector<pid_t> allProcesses() {
  std::vector<pid_t> processes;
  std::error_code ec;
  for (auto it = std::filesystem::directory_iterator("/proc", ec);
       !ec && it != std::filesystem::directory_iterator(); it.increment(ec)) {
    const std::string name = it->path().filename().string();
    if (std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); }))
      processes.push_back(std::stoi(name));
  }
  return processes;
}

struct Stat {
  char state = '?';
  pid_t parent = 0;
  unsigned long long startTicks = 0;
};

bool readStat(pid_t pid, Stat& stat) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return false;
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return false;
  std::istringstream fields(text.substr(end + 1));
  if (!(fields >> stat.state >> stat.parent)) return false;
  std::string skipped;
  for (int number = 5; number < 22; ++number) fields >> skipped;
  return static_cast<bool>(fields >> stat.startTicks);
}

bool isGone(const Stat& stat) {
  return stat.state == 'Z' || stat.state == 'X';
}

}  // namespace

std::vector<ProcessMark> descendantsOf(pid_t root) {
  std::multimap<pid_t, pid_t> children;
  std::map<pid_t, Stat> stats;
  for (const pid_t pid : allProcesses()) {
    Stat stat;
    if (!readStat(pid, stat)) continue;
    children.emplace(stat.parent, pid);
    stats[pid] = stat;
  }
  std::vector<ProcessMark> found;
  std::vector<pid_t> open{root};
  while (!open.empty()) {
    const pid_t parent = open.back();
    open.pop_back();
    for (auto [it, end] = children.equal_range(parent); it != end; ++it) {
      open.push_back(it->second);
      const Stat& stat = stats[it->second];
      if (!isGone(stat)) found.push_back({it->second, stat.startTicks});
    }
  }
  return found;
}

std::vector<ProcessMark> processesOfRun(const std::string& runId) {
  return processesOfRun(runId, {});
}

std::vector<ProcessMark> processesOfRun(const std::string& runId, const std::string& mark) {
  const auto has = [](const std::string& text, const std::string& variable) {
    return text.find('\0' + variable + '\0') != std::string::npos;
  };
  std::vector<ProcessMark> found;
  for (const pid_t pid : allProcesses()) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
    const std::string text = '\0' + std::string((std::istreambuf_iterator<char>(file)), {}) + '\0';
    Stat stat;
    if (has(text, "JOB_RUN_OCID=" + runId) && (mark.empty() || has(text, mark)) && readStat(pid, stat) &&
        !isGone(stat))
      found.push_back({pid, stat.startTicks});
  }
  return found;
}

void signalEach(const std::vector<ProcessMark>& processes, int signal) {
  for (const ProcessMark& process : processes) signalProcess(process, signal);
}

}  // namespace lockstep::rehearsal
