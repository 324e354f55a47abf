// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/code/code_source.h"

#include <fmt/format.h>
#include <signal.h>

#include <filesystem>
#include <sstream>

#include "base/child_process.h"
#include "base/clock.h"
#include "base/text/quote.h"

namespace lockstep::node {
namespace {

namespace fs = std::filesystem;

// git's own words go to our output, where people look.
Result<void> runGit(const std::vector<std::string>& arguments, const Environment& environment,
                    std::chrono::seconds limit, const std::stop_token& stop) {
  ProcessOptions options;
  options.command = {"git"};
  options.command.insert(options.command.end(), arguments.begin(), arguments.end());
  options.environment = environment;
  options.environment["GIT_TERMINAL_PROMPT"] = "0";  // a private repository must not wait for a password
  if (const std::string key = environmentValue(environment, "OCI__GIT_SSH_KEY_PATH"); !key.empty()) {
    options.environment["GIT_SSH_COMMAND"] =
        fmt::format("ssh -i {} -o IdentitiesOnly=yes -o StrictHostKeyChecking=accept-new", quoteShell(key));
  }
  options.dieWithParent = true;
  auto process = ChildProcess::start(options);
  if (!process) return failure(process.error());
  const SteadyPoint deadline = SystemClock().steady() + limit;
  while (true) {
    if (const auto exit = process->waitFor(std::chrono::milliseconds(100))) {
      if (exit->ok()) return {};
      return failure(ErrorCode::Unavailable, fmt::format("git {} failed", arguments.front()), describe(*exit),
                     "its own words stand above; check spec.runtime.spec.uri, the branch and the key");
    }
    const bool isLate = SystemClock().steady() > deadline;
    if (!stop.stop_requested() && !isLate) continue;
    process->signalAll(SIGKILL);
    process->waitFor(std::chrono::seconds(5));
    if (!isLate) return failure(ErrorCode::Cancelled, "told to stop while fetching the code");
    return failure(
        ErrorCode::DeadlineExceeded,
        fmt::format("git {} did not end within {} s", arguments.front(), limit.count()), {},
        "check that the node reaches the server of spec.runtime.spec.uri; LOCKSTEP_GIT_TIMEOUT sets "
        "the limit");
  }
}

Result<void> makeRoom(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error) || fs::is_empty(folder, error)) return {};
  const auto aside = fmt::format("{}-{}", folder.string(), SystemClock().now().time_since_epoch().count());
  fs::rename(folder, aside, error);
  if (!error) return {};
  return failure(
      errnoError(fmt::format("cannot move '{}' aside for the code", folder.string()), error.value()));
}

}  // namespace

Result<void> fetchCode(const NodeSettings& settings, const Environment& environment,
                       const std::stop_token& stop) {
  const std::string type = environmentValue(environment, "OCI__RUNTIME_TYPE");
  if (type.empty()) return {};
  if (type != "git") {
    return failure(ErrorCode::InvalidArgument, fmt::format("OCI__RUNTIME_TYPE='{}' is not usable here", type),
                   "lockstep-node fetches code with git only",
                   "leave spec.runtime.type out when the image holds the code, or use git");
  }
  const std::string uri = environmentValue(environment, "OCI__RUNTIME_URI");
  if (uri.empty()) {
    return failure(ErrorCode::InvalidArgument, "OCI__RUNTIME_URI is not set", "it says what to clone",
                   "set spec.runtime.spec.uri in the train.yaml");
  }
  if (!environmentValue(environment, "OCI__RUNTIME_GIT_SECRET_ID").empty() &&
      environmentValue(environment, "OCI__GIT_SSH_KEY_PATH").empty()) {
    return failure(ErrorCode::InvalidArgument, "OCI__RUNTIME_GIT_SECRET_ID is not usable here",
                   "lockstep-node reads no secrets of a vault",
                   "put the key of the repository into the image and name it in OCI__GIT_SSH_KEY_PATH");
  }
  if (auto room = makeRoom(settings.codeDir); !room) return room;
  if (auto cloned =
          runGit({"clone", "--", uri, settings.codeDir.string()}, environment, settings.codeLimit, stop);
      !cloned)
    return cloned;
  std::string wanted = environmentValue(environment, "OCI__RUNTIME_GIT_COMMIT");
  if (wanted.empty()) wanted = environmentValue(environment, "OCI__RUNTIME_GIT_BRANCH");
  if (wanted.empty()) return {};
  if (wanted.starts_with('-')) {
    return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is no commit and no branch", wanted));
  }
  return runGit({"-C", settings.codeDir.string(), "checkout", wanted}, environment, settings.codeLimit, stop);
}

std::string pythonPath(const NodeSettings& settings, const Environment& environment) {
  std::string path;
  std::istringstream folders(environmentValue(environment, "OCI__RUNTIME_PYTHON_PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty()) path += (path.empty() ? "" : ":") + (settings.codeDir / folder).string();
  }
  const std::string before = environmentValue(environment, "PYTHONPATH");
  if (path.empty() || before.empty()) return path + before;
  return path + ":" + before;
}

}  // namespace lockstep::node
