// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/machine/machine_local.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <limits>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMega = 1'000'000, kGiga = 1'000'000'000;
// The log of calls grows to 8 MB, and a run store or a followed log is written every second.
constexpr std::uint64_t kTooLittle = 64 * kMega;
constexpr std::uint64_t kLittle = kGiga;
constexpr std::uint64_t kFewFiles = 100;
// The desktop and a followed launch keep about a hundred open; libcurl and Qt want more at times.
constexpr std::uint64_t kWantedFiles = 1024;
// The log of one node of a night's training.
constexpr std::uint64_t kWantedFileBytes = kGiga;

Finding finding(StepState state, std::string code, std::string text, std::string evidence,
                std::string remedy) {
  return {state, std::move(text), std::move(evidence), std::move(remedy), std::move(code)};
}

}  // namespace

std::string sizeText(std::uint64_t bytes) {
  if (bytes >= kGiga) return fmt::format("{:.1f} GB", static_cast<double>(bytes) / kGiga);
  return fmt::format("{} MB", bytes / kMega);
}

FreeSpace freeSpaceAt(const fs::path& folder) {
  FreeSpace space{folder};
  std::error_code ec;
  while (!fs::is_directory(space.folder, ec) && space.folder.has_relative_path())
    space.folder = space.folder.parent_path();
  struct statvfs info {};
  if (::statvfs(space.folder.c_str(), &info) == 0) {
    space.bytes = static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
    space.files = info.f_files == 0 ? std::numeric_limits<std::uint64_t>::max() : info.f_favail;
  }
  space.isWritable = ::access(space.folder.c_str(), W_OK | X_OK) == 0;
  return space;
}

Finding diskFinding(const fs::path& dataFolder, const FreeSpace& space) {
  const std::string where = fmt::format("the data folder '{}'", dataFolder.string());
  const std::string evidence = fmt::format("'{}' has {} free", space.folder.string(), sizeText(space.bytes));
  const std::string remedy = "free some space there, or set LOCKSTEP_HOME to a folder on another disk";
  if (!space.isWritable) {
    return finding(StepState::Blocked, "folder-read-only", where + " cannot be written to",
                   fmt::format("'{}' is not writable for this user", space.folder.string()),
                   fmt::format("run: chmod u+rwx '{}', or set LOCKSTEP_HOME", space.folder.string()));
  }
  if (space.bytes < kTooLittle || space.files < kFewFiles) {
    const char* what = space.bytes < kTooLittle ? "space" : "room for files (inodes)";
    return finding(StepState::Blocked, "disk-full", fmt::format("{} has no {} left", where, what), evidence,
                   remedy);
  }
  if (space.bytes < kLittle) {
    return finding(StepState::Warning, "disk-low",
                   fmt::format("{} has only {} left", where, sizeText(space.bytes)), evidence, remedy);
  }
  return finding(StepState::Ready, "", fmt::format("{} has {} free", where, sizeText(space.bytes)), evidence,
                 "");
}

std::vector<Finding> limitFindings(std::uint64_t openFiles, std::uint64_t fileBytes) {
  std::vector<Finding> findings;
  if (openFiles < kWantedFiles) {
    findings.push_back(finding(StepState::Warning, "file-limit",
                               fmt::format("this process may have {} files open at once", openFiles),
                               fmt::format("RLIMIT_NOFILE {}; wanted: {}", openFiles, kWantedFiles),
                               fmt::format("run 'ulimit -n {}' before Lockstep is started", kWantedFiles)));
  }
  if (fileBytes < kWantedFileBytes) {
    findings.push_back(finding(StepState::Warning, "file-size-limit",
                               fmt::format("this process may write files of {} at most", sizeText(fileBytes)),
                               fmt::format("RLIMIT_FSIZE {}", fileBytes),
                               "run 'ulimit -f unlimited' before Lockstep is started"));
  }
  if (findings.empty()) {
    findings.push_back(finding(StepState::Ready, "", "the limits on files are wide enough",
                               fmt::format("RLIMIT_NOFILE {}", openFiles), ""));
  }
  return findings;
}

std::vector<Finding> limitFindings() {
  struct rlimit files {
    RLIM_INFINITY, RLIM_INFINITY
  }, size = files;
  ::getrlimit(RLIMIT_NOFILE, &files);
  ::getrlimit(RLIMIT_FSIZE, &size);
  return limitFindings(files.rlim_cur, size.rlim_cur);
}

}  // namespace lockstep
