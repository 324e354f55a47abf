// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are already there: found in the store, by an info file, in the service, in a work dir, or in a file of their own.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "info_file.h"
#include "launch/folder/open_run_folder.h"
#include "launch/folder/run_folder.h"
#include "launch/saved/open_run_file.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

constexpr std::string_view kJobOcid = "ocid1.datasciencejob.";

Result<TrainingRun> attach(const JobId& jobId, const std::string& workDir, const GlobalOptions& global,
                           const std::shared_ptr<RunStore>& store) {
  auto services = RunServices::open(queryOf(global), store, RunServices::kOneLookAttempts);
  if (!services) return failure(std::move(services.error()));
  auto run = takeUp(*services, *store, jobId, workDir, {});
  if (!run) return run;
  note(fmt::format("attached to job {} as run {}", jobId.value, run->id.value));
  return run;
}

bool isFile(const std::string& reference) {
  std::error_code ec;
  return std::filesystem::is_regular_file(reference, ec);
}

Error onlyReadable(const std::string& reference) {
  return {ErrorCode::FailedPrecondition,
          fmt::format("'{}' is no run that this machine knows", reference),
          "a run in a folder or a run file can be read, and nothing else",
          "read it with lockstep status, metrics or watch; else name a run id, the OCID of its job, or an "
          "info file; lockstep import puts a run file into the list of runs",
          {},
          {}};
}

Result<RunAccess> accessFile(const std::string& reference) {
  auto opened = openRunFile(reference);
  if (!opened) return failure(std::move(opened.error()));
  return RunAccess{std::move(opened->run), std::move(opened->services)};
}

Result<RunAccess> accessFolder(const std::string& reference, const GlobalOptions& global,
                               RetryMode retryMode) {
  auto opened = openRunFolder(reference, queryOf(global), retryMode, {});
  if (!opened) return failure(std::move(opened.error()));
  return RunAccess{std::move(opened->run), std::move(opened->services)};
}

}  // namespace

Result<RunServices> servicesOf(const TrainingRun& run, const GlobalOptions& global,
                               std::shared_ptr<RunStore> store, RetryMode retryMode) {
  if (run.backend == kFileBackend) return servicesOfFile(run);
  return lockstep::servicesOf(run, queryOf(global), std::move(store), retryMode);
}

Result<TrainingRun> findRun(const std::string& reference, const GlobalOptions& global,
                            const std::shared_ptr<RunStore>& store) {
  if (namesRunFile(reference) || namesRunFolder(reference)) return failure(onlyReadable(reference));
  auto known = store->find(reference);
  if (known || known.error().code != ErrorCode::NotFound) return known;
  if (reference.rfind(kJobOcid, 0) == 0) return attach(JobId(reference), {}, global, store);
  if (!isFile(reference)) return known;
  auto info = readInfoFile(reference);
  if (!info) return failure(std::move(info.error()));
  auto byJob = store->find(info->jobId.value);
  return byJob ? byJob : attach(info->jobId, info->workDir, global, store);
}

Result<RemoteRuns> findRemoteRuns(const std::vector<std::string>& compartments, const std::string& project,
                                  const GlobalOptions& global, const std::shared_ptr<RunStore>& store) {
  auto services = RunServices::open(queryOf(global), store, RunServices::kOneLookAttempts);
  if (!services) return failure(std::move(services.error()));
  RemoteSearch search;
  search.projectId = project;
  for (const std::string& id : compartments) search.compartments.push_back({id, {}});
  return remoteRuns(*services, std::move(search), {});
}

Result<RunAccess> accessRun(const std::string& reference, const GlobalOptions& global, RetryMode retryMode) {
  if (namesRunFile(reference)) return accessFile(reference);
  if (namesRunFolder(reference)) return accessFolder(reference, global, retryMode);
  auto store = openRunStore();
  if (!store) return failure(std::move(store.error()));
  auto run = findRun(reference, global, *store);
  if (!run && run.error().code == ErrorCode::NotFound && isFolderHere(reference))
    return accessFolder(reference, global, retryMode);
  if (!run) return failure(std::move(run.error()));
  auto services = servicesOf(*run, global, *store, retryMode);
  return RunAccess{*std::move(run), std::move(services)};
}

}  // namespace lockstep::cli
