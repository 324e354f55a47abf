// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_services.h"

#include <algorithm>

#include "launch/attached_run.h"
#include "launch/oci_launcher.h"
#include "launch/run_names.h"
#include "logs/oci_log_source.h"
#include "oci/signin/open_service_client.h"
#include "oci/storage/object_storage_client.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

// The service may stamp a line a little earlier than we believe to have launched.
constexpr std::chrono::seconds kClockTolerance{60};

std::vector<LogNode> logNodesOf(const TrainingRun& run) {
  std::vector<LogNode> nodes;
  for (const NodeRun& node : run.nodes) {
    if (node.id.empty()) continue;
    LogNode row{node.id, node.displayName, std::nullopt};
    // A node with several ranks prefixes their lines, and that wins over this.
    if (node.role != NodeRole::ParameterServer && node.nodes == 1) row.rank = Rank(node.nodeRank);
    nodes.push_back(std::move(row));
  }
  return nodes;
}

}  // namespace

Result<RunServices> RunServices::open(const oci::ProfileQuery& query, std::shared_ptr<RunStore> store,
                                      int maxAttempts) {
  auto profile = oci::loadProfile(query);
  if (!profile) return failure(std::move(profile.error()));
  auto services = oci::openServiceClient(*profile);
  if (!services) return failure(std::move(services.error()));
  oci::ServiceClient::Setup setup = (*services)->setup();
  setup.maxAttempts = std::min(setup.maxAttempts, maxAttempts);
  return over(*std::move(profile), std::make_shared<oci::ServiceClient>(std::move(setup)), std::move(store),
              std::make_shared<SystemClock>());
}

RunServices RunServices::over(oci::Profile profile, std::shared_ptr<oci::ServiceClient> services,
                              std::shared_ptr<RunStore> store, std::shared_ptr<Clock> clock) {
  RunServices opened;
  opened.profile_ = std::move(profile);
  opened.services_ = std::move(services);
  opened.store_ = std::move(store);
  opened.clock_ = std::move(clock);
  opened.launcher_ = std::make_shared<OciLauncher>(opened.services_, opened.store_, opened.clock_);
  return opened;
}

RunServices RunServices::reading(std::shared_ptr<Launcher> launcher, oci::Profile profile,
                                 std::shared_ptr<oci::ServiceClient> services, std::shared_ptr<Clock> clock,
                                 OwnRunParts parts) {
  RunServices opened;
  opened.profile_ = std::move(profile);
  opened.services_ = std::move(services);
  opened.parts_ = std::move(parts);
  opened.launcher_ = std::move(launcher);
  opened.clock_ = std::move(clock);
  return opened;
}

Result<TrainingRun> RunServices::attach(const JobId& jobId, const std::stop_token& stop) {
  auto run = attachedRun(services_, jobId, stop);
  if (!run) return run;
  auto id = newRunId(run->name, *store_);
  if (!id) return failure(std::move(id.error()));
  run->id = *std::move(id);
  run->configFile = profile_.configFile.string();
  run->profile = profile_.name;
  return run;
}

Result<std::shared_ptr<ObjectStore>> RunServices::workDir(const std::string& uri) {
  if (parts_.workDir) return parts_.workDir;
  return oci::openWorkDir(services_, uri);
}

Result<std::unique_ptr<MetricReader>> RunServices::metrics(const TrainingRun& run,
                                                           const MetricReading& reading) {
  auto store = workDir(run.workDir);
  if (!store) return failure(std::move(store.error()));
  return std::make_unique<MetricReader>(*std::move(store), layout::metricsFolder(run.jobId.value),
                                        layout::runDescription(run.jobId.value), reading);
}

Result<std::unique_ptr<HealthReader>> RunServices::health(const TrainingRun& run) {
  auto store = workDir(run.workDir);
  if (!store) return failure(std::move(store.error()));
  return std::make_unique<HealthReader>(*std::move(store), run.jobId.value, clock_);
}

std::unique_ptr<LogSource> RunServices::lines(const TrainingRun& run) {
  if (parts_.lines) return parts_.lines();
  if (run.logGroupId.empty()) return nullptr;
  return std::make_unique<OciLogSource>(std::make_shared<oci::LogSearchClient>(services_),
                                        OciLogSource::Place{run.compartmentId, run.logGroupId, run.logId},
                                        logNodesOf(run), run.created - kClockTolerance, clock_);
}

std::unique_ptr<JobRunMetrics> RunServices::monitored(const TrainingRun& run) {
  if (!services_ || isReadOnly(run) || run.compartmentId.empty()) return nullptr;
  return std::make_unique<JobRunMetrics>(services_, clock_);
}

Result<std::unique_ptr<RunFollower>> RunServices::follow(const TrainingRun& run,
                                                         const MetricReading& reading) {
  if (run.workDir.empty())
    return std::make_unique<RunFollower>(run, launcher_, lines(run), nullptr, clock_, nullptr,
                                         monitored(run));
  auto reader = metrics(run, reading);
  if (!reader) return failure(std::move(reader.error()));
  auto watcher = health(run);
  if (!watcher) return failure(std::move(watcher.error()));
  return std::make_unique<RunFollower>(run, launcher_, lines(run), *std::move(reader), clock_,
                                       *std::move(watcher), monitored(run));
}

Result<std::shared_ptr<RunStore>> openRunStore() {
  auto store = RunStore::open(RunStore::defaultPath());
  if (!store) return failure(std::move(store.error()));
  return std::make_shared<RunStore>(*std::move(store));
}

oci::ProfileQuery queryFor(const TrainingRun& run, oci::ProfileQuery query) {
  if (query.configFile.empty()) query.configFile = run.configFile;
  if (query.profile.empty()) query.profile = run.profile;
  return query;
}

int attemptsIn(RetryMode retryMode) {
  return retryMode == RetryMode::Follow ? RunServices::kFollowAttempts : RunServices::kOneLookAttempts;
}

Result<RunServices> servicesOf(const TrainingRun& run, oci::ProfileQuery query,
                               std::shared_ptr<RunStore> store, RetryMode retryMode) {
  return RunServices::open(queryFor(run, std::move(query)), std::move(store), attemptsIn(retryMode));
}

}  // namespace lockstep
