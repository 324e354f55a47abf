// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/region/state_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/atomic_file.h"
#include "rehearsal/state/database.h"
#include "rehearsal/support/process_tree.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds kTimeout{15};  // the runs' own grace of 10 s and then some
constexpr std::string_view kLockWord = "lockstep-rehearsal";

// Files that are replaced stand beside their place as ".name.XXXXXX" for a moment, and a database has
// "name-wal" and "name-shm" beside it.
bool isOurName(const std::string& entry) {
  static constexpr std::string_view kNames[] = {
      "lock",       "region.json", "region.log",   "user.pem", "token.pem", "ca.pem",  "ca.key", "server.pem",
      "server.key", "admin.token", "state.sqlite", "objects",  "runs",      "network", "code"};
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view name) {
    const std::string beside = "." + std::string(name) + ".";
    return entry == name || entry.starts_with(beside) || entry == std::string(name) + "-wal" ||
           entry == std::string(name) + "-shm" || entry == std::string(name) + "-journal";
  });
}

std::string lockText(const StateFolder& folder) {
  std::error_code ec;
  if (std::filesystem::file_size(folder.lock(), ec) == 0 || ec) return "";
  return readFile(folder.lock(), 4096).value_or("larger than ours ever is");
}

// The first thing in the folder that no region makes; empty: none. A lock of somebody else is one.
std::string strangerIn(const StateFolder& folder) {
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path, ec))
    if (!isOurName(entry.path().filename().string())) return entry.path().filename().string();
  const std::string lock = lockText(folder);
  return lock.empty() || lock.starts_with(kLockWord) ? "" : "lock";
}

// "1: FLOCK  ADVISORY  WRITE 4711 fe:01:131074 0 EOF"
pid_t flockHolder(const std::filesystem::path& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return 0;
  const std::string place =
      fmt::format("{:02x}:{:02x}:{}", major(info.st_dev), minor(info.st_dev), info.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream fields(line);
    std::string number, kind, manner, access, where;
    pid_t pid = 0;
    if (fields >> number >> kind >> manner >> access >> pid >> where && kind == "FLOCK" &&
        access == "WRITE" && where == place)
      return pid;
  }
  return 0;
}

}  // namespace

Result<void> makeStateFolder(const StateFolder& folder) {
  std::error_code ec;
  const bool isThere =
      std::filesystem::exists(folder.path, ec) && !std::filesystem::is_empty(folder.path, ec);
  if (isThere && !strangerIn(folder).empty()) {
    if (auto proven = proveState(folder); !proven) return failure(proven.error());
  }
  for (const auto& path : {folder.path, folder.objects(), folder.runs()}) {
    std::filesystem::create_directories(path, ec);
    if (ec) return failure(ErrorCode::Io, "cannot make the folder '" + path.string() + "'", ec.message());
  }
  std::filesystem::permissions(folder.path, std::filesystem::perms::owner_all, ec);
  if (ec)
    return failure(ErrorCode::Io, "cannot set the mode of '" + folder.path.string() + "'", ec.message());
  return {};
}

Result<void> proveState(const StateFolder& folder) {
  const auto refused = [&](const std::string& why) -> Result<void> {
    return failure(ErrorCode::InvalidArgument, "'" + folder.path.string() + "' is not the state of a region",
                   why, "check --state");
  };
  std::error_code ec;
  if (!std::filesystem::is_regular_file(folder.lock(), ec)) return refused("it has no lock file");
  const Database::Owner owner = Database::ownerOf(folder.database());
  if (owner == Database::Owner::Region) return {};
  if (owner == Database::Owner::Other) return refused("its state.sqlite is another program's");
  const std::string stranger = strangerIn(folder);
  if (!stranger.empty()) return refused("there is '" + stranger + "' in it, and no database of a region");
  if (!lockText(folder).starts_with(kLockWord))
    return refused("its lock file is not a region's, and there is no database of one");
  return {};
}

Result<void> removeState(const StateFolder& folder) {
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path, ec)) {
    if (!isOurName(entry.path().filename().string())) continue;
    std::filesystem::remove_all(entry.path(), ec);
    if (ec) return failure(ErrorCode::Io, "cannot remove '" + entry.path().string() + "'", ec.message());
  }
  if (!ec && std::filesystem::is_empty(folder.path, ec)) std::filesystem::remove(folder.path, ec);
  if (ec) return failure(ErrorCode::Io, "cannot remove '" + folder.path.string() + "'", ec.message());
  return {};
}

Result<bool> lockState(const StateFolder& folder) {
  const int fd = ::open(folder.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return failure(errnoError("cannot open '" + folder.lock().string() + "'", errno));
  // Never closed: the lock goes with the process, however that ends.
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) {
    const auto self = markOf(::getpid());
    const std::string text =
        self ? fmt::format("{} {} {}\n", kLockWord, self->pid, self->startTicks) : std::string();
    if (self && ::ftruncate(fd, 0) == 0 &&
        ::pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()))
      return true;
    const int error = errno;
    ::close(fd);
    return failure(errnoError("cannot write '" + folder.lock().string() + "'", error));
  }
  const int error = errno;
  ::close(fd);
  if (error == EWOULDBLOCK) return false;
  return failure(errnoError("cannot lock '" + folder.lock().string() + "'", error));
}

std::optional<ProcessMark> lockHolder(const StateFolder& folder) {
  std::istringstream text(lockText(folder));
  std::string word;
  ProcessMark mark;
  if (text >> word >> mark.pid >> mark.startTicks && word == kLockWord)
    return isAlive(mark) ? std::optional(mark) : std::nullopt;
  // Of a version that wrote nothing into it: the kernel knows who holds it.
  const pid_t pid = flockHolder(folder.lock());
  return pid > 0 ? markOf(pid) : std::nullopt;
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
  for (const LeftRun& run : left) signalProcess(run.supervisor, SIGTERM);
  const auto deadline = SteadyClock::now() + kTimeout;
  for (const LeftRun& run : left) {
    while (isAlive(run.supervisor) && SteadyClock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (isAlive(run.supervisor)) {
      signalEach(descendantsOf(run.supervisor.pid), SIGKILL);
      signalProcess(run.supervisor, SIGKILL);
    }
    signalEach(processesOfRun(run.runId), SIGKILL);
  }
}

}  // namespace lockstep::rehearsal
