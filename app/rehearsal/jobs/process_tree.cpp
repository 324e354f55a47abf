// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/process_tree.h"

#include <signal.h>

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
};

bool readStat(pid_t pid, Stat& stat) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return false;
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return false;
  std::istringstream fields(text.substr(end + 1));
  return static_cast<bool>(fields >> stat.state >> stat.parent);
}

bool isGone(const Stat& stat) {
  return stat.state == 'Z' || stat.state == 'X';
}

}  // namespace

std::vector<pid_t> descendantsOf(pid_t root) {
  std::multimap<pid_t, pid_t> children;
  std::map<pid_t, bool> gone;
  for (const pid_t pid : allProcesses()) {
    Stat stat;
    if (!readStat(pid, stat)) continue;
    children.emplace(stat.parent, pid);
    gone[pid] = isGone(stat);
  }
  std::vector<pid_t> found, open{root};
  while (!open.empty()) {
    const pid_t parent = open.back();
    open.pop_back();
    for (auto [it, end] = children.equal_range(parent); it != end; ++it) {
      open.push_back(it->second);
      if (!gone[it->second]) found.push_back(it->second);
    }
  }
  return found;
}

std::vector<pid_t> processesOfRun(const std::string& runId) {
  return processesOfRun(runId, {});
}

std::vector<pid_t> processesOfRun(const std::string& runId, const std::string& mark) {
  const auto has = [](const std::string& text, const std::string& variable) {
    return text.find('\0' + variable + '\0') != std::string::npos;
  };
  std::vector<pid_t> found;
  for (const pid_t pid : allProcesses()) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
    const std::string text = '\0' + std::string((std::istreambuf_iterator<char>(file)), {}) + '\0';
    Stat stat;
    if (has(text, "JOB_RUN_OCID=" + runId) && (mark.empty() || has(text, mark)) && readStat(pid, stat) &&
        !isGone(stat))
      found.push_back(pid);
  }
  return found;
}

void signalEach(const std::vector<pid_t>& processes, int signal) {
  for (const pid_t pid : processes) ::kill(pid, signal);
}

}  // namespace lockstep::rehearsal
