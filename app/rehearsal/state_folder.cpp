// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/state_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "base/atomic_file.h"
#include "rehearsal/jobs/process_tree.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{15};  // the runs' own grace of 10 s and then some

}  // namespace

Result<void> makeStateFolder(const StateFolder& folder) {
  std::error_code ec;
  for (const auto& path : {folder.path, folder.objects(), folder.runs(), folder.code()}) {
    std::filesystem::create_directories(path, ec);
    if (ec) return failure(StatusCode::Io, "cannot make the folder '" + path.string() + "'", ec.message());
  }
  std::filesystem::permissions(folder.path, std::filesystem::perms::owner_all, ec);
  if (ec)
    return failure(StatusCode::Io, "cannot set the mode of '" + folder.path.string() + "'", ec.message());
  return {};
}

Result<bool> lockState(const StateFolder& folder) {
  const int fd = ::open(folder.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return failure(errnoStatus("cannot open '" + folder.lock().string() + "'", errno));
  // Never closed: the lock goes with the process, however that ends.
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
  const int error = errno;
  ::close(fd);
  if (error == EWOULDBLOCK) return false;
  return failure(errnoStatus("cannot lock '" + folder.lock().string() + "'", error));
}

bool isLocked(const StateFolder& folder) {
  const int fd = ::open(folder.lock().c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return false;
  const bool locked = ::flock(fd, LOCK_SH | LOCK_NB) != 0;
  ::close(fd);
  return locked;
}

Result<void> writeInfo(const StateFolder& folder, const nlohmann::json& info) {
  return writeFileAtomically(folder.info(), info.dump(2) + "\n", 0600);
}

std::optional<nlohmann::json> readInfo(const StateFolder& folder) {
  const auto text = readFile(folder.info());
  if (!text) return std::nullopt;
  nlohmann::json info = nlohmann::json::parse(*text, nullptr, false);
  if (!info.is_object()) return std::nullopt;
  return info;
}

namespace {

struct LeftRun {
  ProcessMark supervisor;
  std::string runId;
};

std::vector<LeftRun> leftRuns(const StateFolder& folder) {
  std::vector<LeftRun> left;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(folder.runs(), ec)) {
    for (const NodeFolder& node : nodeFoldersOf(RunFolder{entry.path()})) {
      const auto supervisor = readSupervisor(node);
      const auto spec = readSpec(node);
      if (supervisor && spec && isAlive(*supervisor)) left.push_back({*supervisor, spec->runId});
    }
  }
  return left;
}

}  // namespace

void endLeftRuns(const StateFolder& folder) {
  const std::vector<LeftRun> left = leftRuns(folder);
  for (const LeftRun& run : left) ::kill(run.supervisor.pid, SIGTERM);
  const auto deadline = SteadyClock::now() + kPatience;
  for (const LeftRun& run : left) {
    while (isAlive(run.supervisor) && SteadyClock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (isAlive(run.supervisor)) {
      signalEach(descendantsOf(run.supervisor.pid), SIGKILL);
      ::kill(run.supervisor.pid, SIGKILL);
    }
    signalEach(processesOfRun(run.runId), SIGKILL);
  }
}

}  // namespace lockstep::rehearsal
