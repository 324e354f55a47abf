// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "logs/log_line.h"
#include "runs/training_run.h"
#include "workdir/object_store.h"

namespace lockstep {

using PutLine = std::function<Result<void>(const LogLine&)>;

/// A run, and where its parts come from.
struct RunToSave {
  TrainingRun run;
  std::shared_ptr<ObjectStore> workDir;  // null: it has none
  std::function<Result<void>(const PutLine& put)> lines =
      {};                       // hands over all lines, in order; empty: it has none
  std::string findings = "[]";  // a JSON array: what was found wrong with it
  std::string home = {};        // the person's folder at this machine, which no file shows; empty: not known
  TimePoint now{};
};

/// What has been written so far.
struct SaveProgress {
  std::uint64_t objects = 0, ofObjects = 0;  // of the work dir
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;  // of all
};
using SaveProgressHandler = std::function<void(const SaveProgress&)>;

/// What a file has come to hold.
struct SavedRun {
  SaveProgress written;
  std::uint64_t shortenedLines = 0;  // that had secrets in them
  std::uint64_t leftOut = 0;         // objects of the work dir that are torn, or no documents
  bool hasTrainYaml = false;         // false where there is none, or one that is no YAML
};

/// Writes a run into one .lockstep file (docs/formats/run-file.md): its description, train.yaml, metric segments as they are,
/// health, lines and findings, without secrets (SecretFilter) and without what only this machine or tenancy has a use for.
/// A run that has not ended is described as it is now: nobody will hear of it any more. One object is in memory at a time,
/// or 16 where the store is slow. Blocks on the store and on disk; Cancelled, and nothing is left, once it is asked to stop.
[[nodiscard]] Result<SavedRun> saveRun(const RunToSave& what, const std::filesystem::path& path,
                                       const SaveProgressHandler& progress, const std::stop_token& stop);

}  // namespace lockstep
