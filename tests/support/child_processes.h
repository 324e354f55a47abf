// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lockstep {

/// The children of a process that live, the oldest number first. From the table of all processes, since many kernels
/// are built without /proc/<pid>/task/<tid>/children.
inline std::vector<pid_t> childrenOf(pid_t parent) {
  std::vector<pid_t> children;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || end != name.data() + name.size()) continue;
    std::string line;  // "12 (any name) S 11 …"
    std::getline(std::ifstream(entry.path() / "stat"), line);
    const std::size_t behind = line.rfind(')');
    if (behind == std::string::npos || behind + 4 >= line.size() || line[behind + 2] == 'Z') continue;
    if (std::atoi(line.c_str() + behind + 4) == parent) children.push_back(pid);
  }
  std::sort(children.begin(), children.end());
  return children;
}

}  // namespace lockstep
