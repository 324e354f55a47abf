// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runs/run_summary.h"
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
  /// All runs as lists show them, archived ones too, newest first. Reads no document (tests/bench/history_bench.cpp).
  Result<std::vector<RunSummary>> summaries();
  Result<bool> has(const RunId& id);
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
  /// Changes what is said about a run, as one transaction: two processes that each add a tag both have added it. The marks
  /// afterwards; tags are sorted, and each is there once. NotFound: no such run.
  Result<RunMarks> changeMarks(const RunId& id, const std::function<void(RunMarks&)>& change);
  Result<RunMarks> marks(const RunId& id);
  /// What a run came to, in place of what was said of the same quantities before.
  Result<void> keepResults(const RunId& id, const std::vector<RunResult>& results);
  Result<std::vector<RunResult>> results(const RunId& id);  // sorted by metric
  /// What goes on in a run, in place of what was found before. NotFound: no such run.
  Result<void> keepFindings(const RunId& id, const RunFindings& findings);
  /// What all nodes of a run cost in an hour; nullopt: looked for, and not known.
  Result<void> keepPrice(const RunId& id, std::optional<double> perHour, const std::string& currency);
  /// How the code of a run differed from its commit (CodeVersion::difference); empty: it did not, or that is not known.
  Result<std::string> difference(const RunId& id);

  // ---- sweeps: the definition is a document of core/history
  /// AlreadyExists: there is one of that name.
  Result<void> keepSweep(const std::string& name, const std::string& definition, TimePoint created);
  Result<std::optional<std::string>> keptSweep(const std::string& name);
  Result<std::vector<TrainingRun>> runsOfSweep(const std::string& name);  // in the order of their points
  /// Held by the process that works on a sweep. FailedPrecondition: another one does.
  Result<std::unique_ptr<LaunchMark>> markSweeping(const std::string& name);

  Result<void> remove(const RunId& id);  // forgets it here; nothing happens in the service

 private:
  struct Impl;
  explicit RunStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lockstep
