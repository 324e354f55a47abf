// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "launch/launcher.h"
#include "oci/services/data_science_client.h"

namespace lockstep {

/// Runs as OCI Data Science jobs: one job, then one job run per node, main first; of a plan with layout
/// "nodes" one job run in all. Keeps no run state of its
/// own but when it first saw one fail. Thread-safe, except that one launch goes on at a time.
///
/// refresh() is one ListJobRuns. When it finds a failed node it writes down why (TrainingRun::failure), and
/// when the other nodes have not ended some seconds later, as their agents should make them, it cancels them.
/// A launch whose process died is settled by the next refresh(): what it had created is found out, by its
/// retry token where no id was stored yet; complete, it goes on; partial, it is rolled back.
class OciLauncher final : public Launcher {
 public:
  OciLauncher(std::shared_ptr<oci::ServiceClient> services, std::shared_ptr<RunStore> store,
              std::shared_ptr<Clock> clock);

  Result<TrainingRun> launch(const LaunchRequest& request, const LaunchProgressHandler& progress,
                             const std::stop_token& stop) override;
  Result<TrainingRun> cancel(TrainingRun run, const std::stop_token& stop) override;
  Result<TrainingRun> refresh(TrainingRun run, const std::stop_token& stop) override;

 private:
  using LaunchMark = std::unique_ptr<RunStore::LaunchMark>;
  Result<TrainingRun> begin(const LaunchRequest& request, LaunchMark& mark);
  Result<void> create(TrainingRun& run, const PlannedRequest& request, NodeRun* node,
                      const std::stop_token& stop);
  [[nodiscard]] bool isCutShort(const TrainingRun& run) const;
  Result<void> settle(TrainingRun& run, const std::stop_token& stop);
  Result<void> findJob(TrainingRun& run, const std::stop_token& stop);
  Result<void> endCutShort(TrainingRun& run, const std::stop_token& stop);
  Error abandon(TrainingRun& run, const std::string& doing, Error why);
  Result<void> refreshGroups(TrainingRun& run, const std::stop_token& stop);
  Result<void> update(TrainingRun& run, const std::stop_token& stop);
  Result<void> resolveMissing(TrainingRun& run, const std::vector<std::size_t>& missing,
                              const std::stop_token& stop);
  Result<void> handleFailure(TrainingRun& run, const std::stop_token& stop);
  bool failedLongAgo(const TrainingRun& run);
  std::vector<Error> cancelLiveNodes(TrainingRun& run, const std::stop_token& stop);
  [[nodiscard]] std::optional<nlohmann::json> readFailureFile(const TrainingRun& run,
                                                              const std::stop_token& stop);

  std::shared_ptr<oci::ServiceClient> services_;
  oci::DataScienceClient jobs_;
  std::shared_ptr<RunStore> store_;
  std::shared_ptr<Clock> clock_;
  std::mutex mutex_;
  std::map<RunId, SteadyPoint> failureSeen_;
};

}  // namespace lockstep
