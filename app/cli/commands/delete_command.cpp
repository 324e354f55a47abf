// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli.h"
#include "history/imported_runs.h"
#include "oci/services/data_science_client.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string run;
  bool yes = false;
  bool workDir = false;  // that of the run, too
};

/// What lies in the work dir of the run; null: nobody can look there.
std::shared_ptr<ObjectStore> workDirOf(const TrainingRun& run, RunServices& services) {
  if (run.workDir.empty()) return nullptr;
  auto store = services.workDir(run.workDir);
  return store ? *std::move(store) : nullptr;
}

std::string sizeIn(ObjectStore* workDir, const TrainingRun& run) {
  const auto size = workDir == nullptr ? Result<StoredSize>(failure(ErrorCode::NotFound, "no work dir"))
                                       : workDirSize(*workDir, run.jobId, {});
  return size ? toText(*size) : "how much is not known";
}

/// After the job is gone: what else is freed, and what stays.
int freeTheRest(const TrainingRun& run, ObjectStore* workDir, const Options& options) {
  if (const auto lines = freeKeptLines(run.id); !lines)
    warn(describe(lines.error()));
  else
    printLine(fmt::format("freed on this machine: its history; of its kept lines: {}", toText(*lines)));
  if (run.workDir.empty()) return kDone;
  if (!options.workDir || workDir == nullptr) {
    printLine(fmt::format("stays in work dir {}: {}", run.workDir, sizeIn(workDir, run)));
    return kDone;
  }
  const auto freed = freeWorkDir(*workDir, run.jobId, {});
  if (!freed) return failed(freed.error());
  printLine(fmt::format("freed in work dir {}: {}", run.workDir, toText(*freed)));
  return kDone;
}

// Asked on the terminal; without one, only --yes says yes.
bool askedYes(const std::string& question) {
  if (::isatty(STDIN_FILENO) != 1) {
    note("nothing was deleted: say --yes where nobody can be asked");
    return false;
  }
  askOnStderr(question);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

bool isConfirmed(const TrainingRun& run, ObjectStore* workDir, const Options& options) {
  if (options.yes) return true;
  const std::string rest = run.workDir.empty() ? "" : sizeIn(workDir, run);
  return askedYes(fmt::format(
      "delete job {} of run {} and its {} job runs in the service{}? [y/N] ", run.jobId.value, run.id.value,
      run.nodes.size(),
      options.workDir ? fmt::format(", and what it has left in its work dir ({})", rest) : std::string()));
}

/// Of an imported run nothing is in the service.
int removeImported(const TrainingRun& run, RunStore& store, const Options& options) {
  if (!options.yes && !askedYes(fmt::format("delete the imported run {}? [y/N] ", run.id.value)))
    return kCancelled;
  const auto freed = freeImportedRun(run);
  if (!freed) return failed(freed.error());
  if (const auto forgotten = store.remove(run.id); !forgotten) return failed(forgotten.error());
  printLine(fmt::format("deleted run {}; freed: {}", run.id.value, toText(*freed)));
  return kDone;
}

int remove(const Options& options, const GlobalOptions& global) {
  auto store = openRunStore();
  if (!store) return failed(store.error());
  const auto found = findRun(options.run, global, *store);
  if (!found) return failed(found.error());
  if (found->backend == kFileBackend) return removeImported(*found, **store, options);
  auto services = servicesOf(*found, global, *store, RetryMode::OneLook);
  if (!services) return failed(services.error());
  const auto run = services->launcher()->refresh(*found, {});
  if (!run) return failed(run.error());
  if (!allNodesEnded(*run)) {
    return failed({ErrorCode::FailedPrecondition,
                   fmt::format("cannot delete run '{}'", run->id.value),
                   fmt::format("it is {}", toString(stateOf(*run))),
                   fmt::format("end it first with: lockstep cancel {}", run->id.value),
                   {},
                   {}});
  }
  const auto workDir = workDirOf(*run, *services);
  if (!isConfirmed(*run, workDir.get(), options)) return kCancelled;
  if (!run->jobId.empty()) {
    const auto deleted = oci::DataScienceClient(services->services())
                             .deleteJob(run->jobId.value, {}, oci::DataScienceClient::Related::DeleteJobRuns);
    const bool isGone = !deleted && deleted.error().service && deleted.error().service->httpStatus == 404;
    if (!deleted && !isGone) return failed(deleted.error());
  }
  if (const auto forgotten = (*store)->remove(run->id); !forgotten) return failed(forgotten.error());
  printLine(fmt::format("deleted run {}: its job and {} job runs", run->id.value, run->nodes.size()));
  return freeTheRest(*run, workDir.get(), options);
}

}  // namespace

void addDeleteCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "delete", "Delete the job of an ended run and its job runs in the service, or an imported run");
  command->add_option("RUN", options->run, "run id or the beginning of one, job OCID, info file, or 'last'")
      ->required();
  command->add_flag("--work-dir", options->workDir,
                    "what the run has left in its work dir, too: metrics, checkpoints and all");
  command->add_flag("-y,--yes", options->yes, "do not ask");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return remove(*options, cli.global); }; });
}

}  // namespace lockstep::cli
