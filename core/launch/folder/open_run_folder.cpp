// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/folder/open_run_folder.h"

#include "launch/folder/folder_launcher.h"
#include "launch/folder/run_folder.h"
#include "oci/storage/object_storage_client.h"

namespace lockstep {
namespace {

/// The way to a run's folder, before anything was looked at.
struct FolderAccess {
  std::shared_ptr<ObjectStore> workDir;
  RunServices services;
};

Result<FolderAccess> accessTo(const std::string& workDir, const std::string& folder,
                              const oci::ProfileQuery& query, RetryMode retryMode) {
  const auto uri = parseWorkDirUri(workDir);
  if (!uri) return failure(uri.error());
  oci::Profile profile;
  std::shared_ptr<oci::ServiceClient> client;
  if (uri->scheme == WorkDirUri::Scheme::Oci) {
    const auto opened = RunServices::open(query, nullptr, attemptsIn(retryMode));
    if (!opened) return failure(opened.error());
    profile = opened->profile();
    client = opened->services();
  }
  auto store = oci::openWorkDir(client, workDir);
  if (!store) return failure(std::move(store.error()));
  const auto clock = std::make_shared<SystemClock>();
  auto launcher = std::make_shared<FolderLauncher>(*store, folder, clock);
  return FolderAccess{
      *store, RunServices::reading(std::move(launcher), std::move(profile), std::move(client), clock)};
}

}  // namespace

Result<OpenedRun> openRunFolder(const std::string& reference, const oci::ProfileQuery& query,
                                RetryMode retryMode, const std::stop_token& stop) {
  const auto folder = parseRunFolder(reference);
  if (!folder) return failure(folder.error());
  auto access = accessTo(folder->workDir.toString(), folder->name, query, retryMode);
  if (!access) return failure(std::move(access.error()));
  if (auto is = expectRun(*folder, *access->workDir, stop); !is) return failure(std::move(is.error()));
  TrainingRun run = runAt(*folder);
  run.configFile = access->services.profile().configFile.string();
  run.profile = access->services.profile().name;
  auto now = access->services.launcher()->refresh(std::move(run), stop);
  if (!now) return failure(std::move(now.error()));
  return OpenedRun{*std::move(now), std::move(access->services)};
}

Result<RunServices> servicesOfFolder(const TrainingRun& run, oci::ProfileQuery query, RetryMode retryMode) {
  auto access = accessTo(run.workDir, run.jobId.value, queryFor(run, std::move(query)), retryMode);
  if (!access) return failure(std::move(access.error()));
  return std::move(access->services);
}

}  // namespace lockstep
