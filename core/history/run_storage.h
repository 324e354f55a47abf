// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "base/ids.h"
#include "workdir/object_store.h"

namespace lockstep {

/// How much lies somewhere.
struct StoredSize {
  std::uint64_t files = 0, bytes = 0;
  [[nodiscard]] bool isEmpty() const { return files == 0; }
};
/// "12 files, 3.4 MB"; "nothing".
[[nodiscard]] std::string toText(const StoredSize& size);

/// Where the lines of a run are kept on this machine (docs/formats/kept-lines.md).
[[nodiscard]] std::filesystem::path keptLinesFolder(const RunId& run);
/// What lies there. Blocks on disk.
[[nodiscard]] StoredSize keptLinesSize(const RunId& run);
/// Removes it; the service has the lines for as long as it keeps them. What was freed. Blocks on disk.
Result<StoredSize> freeKeptLines(const RunId& run);

/// What a job has left in its work dir: metrics, checkpoints, what its nodes told each other. Blocks on the store.
[[nodiscard]] Result<StoredSize> workDirSize(ObjectStore& workDir, const JobId& job,
                                             const std::stop_token& stop);
/// Removes all of it, object by object; what was freed. Fails at the first that cannot be removed: those before it are gone.
Result<StoredSize> freeWorkDir(ObjectStore& workDir, const JobId& job, const std::stop_token& stop);

}  // namespace lockstep
