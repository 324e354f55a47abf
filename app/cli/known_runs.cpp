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

constexpr int kOneLookAttempts = 3;  // about three seconds while nothing answers
constexpr std::string_view kJobOcid = "ocid1.datasciencejob.";

Result<TrainingRun> attach(const JobId& jobId, const std::string& workDir, const GlobalOptions& global,
                           const std::shared_ptr<RunStore>& store) {
  auto services = RunServices::open(queryOf(global), store, kOneLookAttempts);
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

Result<std::shared_ptr<RunStore>> openRunStore() {
  auto store = RunStore::open(RunStore::defaultPath());
  if (!store) return failure(std::move(store.error()));
  return std::make_shared<RunStore>(*std::move(store));
}

Result<RunServices> servicesOf(const TrainingRun& run, const GlobalOptions& global,
                               std::shared_ptr<RunStore> store, Patience patience) {
  oci::ProfileQuery query = queryOf(global);
  if (query.configFile.empty()) query.configFile = run.configFile;
  if (query.profile.empty()) query.profile = run.profile;
  const int attempts = patience == Patience::Follow ? RunServices::kPatientAttempts : kOneLookAttempts;
  return RunServices::open(query, std::move(store), attempts);
}

Result<TrainingRun> findRun(const std::string& reference, const GlobalOptions& global,
                            const std::shared_ptr<RunStore>& store) {
  auto known = store->find(reference);
  if (known || known.error().code != StatusCode::NotFound) return known;
  if (reference.rfind(kJobOcid, 0) == 0) return attach(JobId(reference), {}, global, store);
  if (!isFile(reference)) return known;
  auto info = readInfoFile(reference);
  if (!info) return failure(std::move(info.error()));
  auto byJob = store->find(info->jobId.value);
  return byJob ? byJob : attach(info->jobId, info->workDir, global, store);
}

}  // namespace lockstep::cli
