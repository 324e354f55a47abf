// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are already there: found in the store, by an info file, or in the service.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "info_file.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

constexpr std::string_view kJobOcid = "ocid1.datasciencejob.";

Result<TrainingRun> attach(const JobId& jobId, const std::string& workDir, const GlobalOptions& global,
                           const std::shared_ptr<RunStore>& store) {
  auto services = RunServices::open(queryOf(global), store, RunServices::kOneLookAttempts);
  if (!services) return failure(std::move(services.error()));
  auto run = services->attach(jobId, {});
  if (!run) return run;
  if (run->workDir.empty()) run->workDir = workDir;
  if (auto saved = store->save(*run); !saved) return failure(std::move(saved.error()));
  note(fmt::format("attached to job {} as run {}", jobId.value, run->id.value));
  return run;
}

bool isFile(const std::string& reference) {
  std::error_code ec;
  return std::filesystem::is_regular_file(reference, ec);
}

}  // namespace

Result<RunServices> servicesOf(const TrainingRun& run, const GlobalOptions& global,
                               std::shared_ptr<RunStore> store, RetryMode retryMode) {
  return lockstep::servicesOf(run, queryOf(global), std::move(store), retryMode);
}

Result<TrainingRun> findRun(const std::string& reference, const GlobalOptions& global,
                            const std::shared_ptr<RunStore>& store) {
  auto known = store->find(reference);
  if (known || known.error().code != ErrorCode::NotFound) return known;
  if (reference.rfind(kJobOcid, 0) == 0) return attach(JobId(reference), {}, global, store);
  if (!isFile(reference)) return known;
  auto info = readInfoFile(reference);
  if (!info) return failure(std::move(info.error()));
  auto byJob = store->find(info->jobId.value);
  return byJob ? byJob : attach(info->jobId, info->workDir, global, store);
}

}  // namespace lockstep::cli
