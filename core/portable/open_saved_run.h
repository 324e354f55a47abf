// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "logs/log_source.h"
#include "portable/run_file.h"
#include "runs/training_run.h"

namespace lockstep {

/// A run that was opened from its .lockstep file.
struct OpenedRunFile {
  TrainingRun run;  // its id and workDir are the URI of the file; with its trainYaml
  std::string findings = "[]";
  std::shared_ptr<ObjectStore> workDir;  // as if the run's folder (jobId) lay in a work dir
  std::shared_ptr<RunFile> file;
  bool hasLines = false;

  /// All of them, from the beginning; each call gives another source.
  [[nodiscard]] std::unique_ptr<LogSource> lines() const;
};

/// Reads the description and opens the rest. What went against the format is an Error of RunFile::open(), or DataLoss.
/// Blocks on disk.
[[nodiscard]] Result<OpenedRunFile> openSavedRun(const std::filesystem::path& path);

}  // namespace lockstep
