// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <stop_token>
#include <string>

#include "runs/training_run.h"
#include "workdir/object_store.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {

/// Where a run lies: a work dir, and the run's folder in it (docs/formats/work-dir.md).
struct RunFolder {
  WorkDirUri workDir;
  std::string name;  // OCID of the job, or "Undefined"; not empty, no slashes
  [[nodiscard]] std::string uri() const;
};

/// Whether what a user wrote for a run can only be a place: a URI, or a path that is no file. What it says need not be
/// there. A word without a slash is an id, also where a folder has that name. Blocks on disk.
[[nodiscard]] bool namesRunFolder(const std::string& reference);
/// Whether this is an existing folder; what is left when a word is no run's id. Blocks on disk.
[[nodiscard]] bool isFolderHere(const std::string& reference);
/// `file:///…/<run>`, a path, which may be relative, or `oci://bucket@namespace/…/<run>`. InvalidArgument: none of them,
/// or nothing is left of it for a work dir. Looks at nothing.
[[nodiscard]] Result<RunFolder> parseRunFolder(const std::string& reference);

/// Whether there is anything of a run; else an Error that names the folder and what was expected below it: NotFound, or
/// InvalidArgument where it is something else. Five short listings at most, one long one where only metrics are there.
[[nodiscard]] Result<void> expectRun(const RunFolder& folder, ObjectStore& workDir,
                                     const std::stop_token& stop);

/// The run as far as its place alone tells: no state yet. Its id is the URI of the folder.
[[nodiscard]] TrainingRun runAt(const RunFolder& folder);

}  // namespace lockstep
