// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/settings/program_path.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <sstream>

#include "base/child_process.h"

namespace lockstep::node {

std::string programPath(const std::string& name, const Environment& environment) {
  std::istringstream folders(environmentValue(environment, "PATH", "/usr/local/bin:/usr/bin:/bin") +
                             ":/usr/sbin:/usr/local/sbin:/sbin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path file = std::filesystem::path(folder) / name;
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) return file.string();
  }
  return {};
}

Result<std::string> needProgram(const std::string& name, const Environment& environment,
                                const std::string& remedy) {
  std::string path = programPath(name, environment);
  if (!path.empty()) return path;
  return failure(ErrorCode::NotFound, fmt::format("the program '{}' is not in this image", name),
                 fmt::format("no folder of PATH='{}' has it", environmentValue(environment, "PATH")), remedy);
}

Result<void> runProgram(const std::vector<std::string>& command, const Environment& environment,
                        const std::stop_token& stop) {
  ProcessOptions options;
  options.command = command;
  options.environment = environment;
  options.dieWithParent = true;
  auto process = ChildProcess::start(options);
  if (!process) return failure(process.error());
  while (true) {
    if (const auto exit = process->waitFor(std::chrono::milliseconds(50))) {
      if (exit->ok()) return {};
      return failure(ErrorCode::Unavailable, fmt::format("{} failed", command.front()), describe(*exit),
                     "its own words stand above");
    }
    if (!stop.stop_requested()) continue;
    process->signalAll(SIGKILL);
    process->waitFor(std::chrono::seconds(5));
    return failure(ErrorCode::Cancelled, fmt::format("told to stop while {} ran", command.front()));
  }
}

}  // namespace lockstep::node
