// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runs/training_run.h"

namespace lockstep {

/// Every run that this machine launched or attached to, in one SQLite file (WAL). Several processes may use
/// it at once. Each save is one transaction and is on disk when the call returns. Blocks on disk.
/// Thread-safe. A file that is no run store, or a damaged one, is refused with an explanation and left as it
/// is.
class RunStore {
 public:
  /// Creates file and folder. The default path: userDataDir()/runs.sqlite.
  static Result<RunStore> open(const std::filesystem::path& path);
  static std::filesystem::path defaultPath();
  RunStore(RunStore&&) noexcept;
  RunStore& operator=(RunStore&&) noexcept;
  ~RunStore();

  /// Inserts, or puts together with what is stored under that id (mergedRun), so that two processes that
  /// follow the same run cannot undo what the other one learned.
  Result<void> save(const TrainingRun& run);
  Result<std::vector<TrainingRun>> all();  // newest first
  /// A run id, a unique prefix of one, a job OCID, a job run OCID, or "last". The error lists the candidates.
  Result<TrainingRun> find(const std::string& reference);
  /// Held by the process that launches a run; gone with it, however it ends.
  class LaunchMark {
   public:
    LaunchMark(std::filesystem::path file, int descriptor) : file_(std::move(file)), lock_(descriptor) {}
    ~LaunchMark();
    LaunchMark(const LaunchMark&) = delete;
    LaunchMark& operator=(const LaunchMark&) = delete;

   private:
    std::filesystem::path file_;
    int lock_;
  };
  Result<std::unique_ptr<LaunchMark>> markLaunching(const RunId& id);
  [[nodiscard]] bool isBeingLaunched(const RunId& id) const;
  /// The body of the CreateJob that is about to be sent, kept until save() knows the job: whoever finds the
  /// launch cut short learns from the same request with the same retry token which job it made.
  Result<void> keepJobRequest(const RunId& id, const std::string& body);
  Result<std::optional<std::string>> keptJobRequest(const RunId& id);
  Result<void> remove(const RunId& id);  // forgets it here; nothing happens in the service

 private:
  struct Impl;
  explicit RunStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep
