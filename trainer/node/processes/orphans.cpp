// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/processes/orphans.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace lockstep::node {
namespace {

// Children belong to the thread that started them; adopted ones to the first that lives.
std::vector<pid_t> children(pid_t otherThan) {
  std::vector<pid_t> found;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    if (otherThan != 0 && task.path().filename() == std::to_string(otherThan)) continue;
    std::ifstream list(task.path() / "children");
    for (pid_t pid = 0; list >> pid;) found.push_back(pid);
  }
  return found;
}

}  // namespace

void adoptOrphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int reapOrphans(const std::vector<pid_t>& own, bool end, pid_t thread) {
  int count = 0;
  // Killing one may give us its children: look again until there are no more.
  for (int round = 0; round < 100; ++round) {
    int killed = 0;
    for (const pid_t pid : children(thread)) {
      if (std::find(own.begin(), own.end(), pid) != own.end()) continue;
      ++count;
      if (end && ::kill(pid, SIGKILL) == 0) ++killed;
      ::waitpid(pid, nullptr, end ? 0 : WNOHANG);
    }
    if (killed == 0) break;
  }
  return count;
}

}  // namespace lockstep::node
