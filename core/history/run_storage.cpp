// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/run_storage.h"

#include <fmt/format.h>

#include <array>
#include <system_error>

#include "base/text/encoding.h"
#include "base/user_dirs.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Only a job's own folder: an empty id would name those of all jobs.
Result<std::vector<ObjectInfo>> objectsOf(ObjectStore& workDir, const JobId& job,
                                          const std::stop_token& stop) {
  if (job.empty()) return std::vector<ObjectInfo>();
  return workDir.list(layout::jobFolder(job.value), {}, stop);
}

}  // namespace

std::string toText(const StoredSize& size) {
  if (size.isEmpty()) return "nothing";
  constexpr std::array<const char*, 5> kUnits{"bytes", "kB", "MB", "GB", "TB"};
  auto amount = static_cast<double>(size.bytes);
  std::size_t unit = 0;
  for (; amount >= 1000 && unit + 1 < kUnits.size(); ++unit) amount /= 1000;
  return fmt::format("{} {}, {:.{}f} {}", size.files, size.files == 1 ? "file" : "files", amount,
                     unit == 0 ? 0 : 1, kUnits[unit]);
}

fs::path keptLinesFolder(const RunId& run) {
  std::string name = percentEncode(run.value);
  if (name.starts_with('.')) name.insert(0, "_");  // neither hidden nor the folder above
  return userCacheDir() / "logs" / name;
}

StoredSize keptLinesSize(const RunId& run) {
  StoredSize size;
  if (run.empty()) return size;
  std::error_code error;
  for (fs::recursive_directory_iterator at(keptLinesFolder(run), error), end; !error && at != end;
       at.increment(error)) {
    if (!at->is_regular_file(error)) continue;
    ++size.files;
    const auto bytes = at->file_size(error);
    if (!error) size.bytes += bytes;
    error.clear();  // one that has gone meanwhile is no reason to stop
  }
  return size;
}

Result<StoredSize> freeKeptLines(const RunId& run) {
  if (run.empty()) return StoredSize{};  // its folder would be that of all
  const StoredSize size = keptLinesSize(run);
  std::error_code why;
  fs::remove_all(keptLinesFolder(run), why);
  if (!why) return size;
  return failure(ErrorCode::Io,
                 fmt::format("the lines of the run in '{}' are still there", keptLinesFolder(run).string()),
                 why.message(), "remove that folder");
}

Result<StoredSize> workDirSize(ObjectStore& workDir, const JobId& job, const std::stop_token& stop) {
  const auto objects = objectsOf(workDir, job, stop);
  if (!objects) return failure(objects.error());
  StoredSize size;
  for (const ObjectInfo& object : *objects) {
    ++size.files;
    size.bytes += object.size;
  }
  return size;
}

Result<StoredSize> freeWorkDir(ObjectStore& workDir, const JobId& job, const std::stop_token& stop) {
  const auto objects = objectsOf(workDir, job, stop);
  if (!objects) return failure(objects.error());
  StoredSize freed;
  for (const ObjectInfo& object : *objects) {
    auto removed = workDir.remove(object.name, stop);
    const bool isGone = !removed && removed.error().code == ErrorCode::NotFound;
    if (!removed && !isGone) {
      Error error = removed.error();
      error.cause += fmt::format(" (removed before that: {})", toText(freed));
      return failure(std::move(error));
    }
    ++freed.files;
    freed.bytes += object.size;
  }
  return freed;
}

}  // namespace lockstep
