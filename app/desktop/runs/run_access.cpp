// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_access.h"

#include "launch/folder/open_run_folder.h"
#include "launch/folder/run_folder.h"
#include "launch/saved/open_run_file.h"
#include "oci/services/logging_client.h"
#include "portable/run_file.h"

namespace lockstep {

Result<RunServices> servicesOf(const TrainingRun& run, const PassPhrases& passPhrases) {
  if (run.backend == kFileBackend) return servicesOfFile(run);
  if (isReadOnly(run)) return servicesOfFolder(run, {{}, {}, passPhrases}, RetryMode::Follow);
  auto store = openRunStore();
  if (!store) return failure(store.error());
  return servicesOf(run, {{}, {}, passPhrases}, *store, RetryMode::Follow);
}

Result<TrainingRun> findRun(const std::string& reference) {
  auto store = openRunStore();
  if (!store) return failure(store.error());
  return (*store)->find(reference);
}

Result<TrainingRun> findOrOpenRun(const std::string& reference, const oci::ProfileQuery& query,
                                  const std::stop_token& stop) {
  const bool isFile = namesRunFile(reference);
  if (!isFile && !namesRunFolder(reference)) return findRun(reference);
  auto opened = isFile ? openRunFile(reference) : openRunFolder(reference, query, RetryMode::OneLook, stop);
  if (!opened) return failure(std::move(opened.error()));
  return std::move(opened->run);
}

Result<std::chrono::days> logRetention(const TrainingRun& run, const PassPhrases& passPhrases,
                                       const std::stop_token& stop) {
  auto services = servicesOf(run, passPhrases);
  if (!services) return failure(services.error());
  const auto log = oci::LoggingClient(services->services()).getLog(run.logGroupId, run.logId, stop);
  if (!log) return failure(log.error());
  return std::chrono::days(log->retentionDays);
}

RunPollFactory followerOf(const TrainingRun& run, const PassPhrases& passPhrases,
                          const MetricReading& reading) {
  return [run, passPhrases, reading](const std::stop_token&) -> Result<RunPoll> {
    auto services = servicesOf(run, passPhrases);
    if (!services) return failure(services.error());
    auto follower = services->follow(run, reading);
    if (!follower) return failure(follower.error());
    const std::shared_ptr<RunFollower> shared(std::move(*follower));
    // The services live as long as what they made.
    return RunPoll([shared, services = std::make_shared<RunServices>(std::move(*services))](
                       const std::stop_token& stop) { return shared->poll(stop); },
                   [shared](std::vector<CoarseSpan> parts) { shared->wantFiner(std::move(parts)); },
                   [shared](const std::optional<KeptLines>& kept) { shared->startWithNewestLines(kept); },
                   [shared](const std::stop_token& stop) { return shared->pollLines(stop); });
  };
}

}  // namespace lockstep
