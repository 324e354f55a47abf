// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "launch/launcher.h"
#include "launch/run_follower.h"
#include "oci/calls/service_client.h"
#include "oci/signing/profile.h"

namespace lockstep {

/// Where the parts of a run are that no service has.
struct OwnRunParts {
  std::shared_ptr<ObjectStore> workDir;
  std::function<std::unique_ptr<LogSource>()> lines;  // from their beginning; null: it has none
};

/// The composition that CLI and desktop share: from a profile to the clients, launcher and sources of its
/// runs. Creating one reads the profile and key file but sends nothing. Copies share everything; thread-safe.
class RunServices {
 public:
  /// `maxAttempts`: how often a call is tried while the service cannot be reached; 8 is some two minutes.
  static Result<RunServices> open(const oci::ProfileQuery& query, std::shared_ptr<RunStore> store,
                                  int maxAttempts = kFollowAttempts);
  static constexpr int kFollowAttempts = 8;
  static constexpr int kOneLookAttempts = 3;  // about three seconds while nothing answers
  /// The same over parts that are there already, with the clock that all of it shall live by.
  static RunServices over(oci::Profile profile, std::shared_ptr<oci::ServiceClient> services,
                          std::shared_ptr<RunStore> store, std::shared_ptr<Clock> clock);
  /// For a run that is only read: its state comes from `launcher`. Without `services` its work dir has to be a folder,
  /// or one of `parts`, which stand for what is asked of them.
  static RunServices reading(std::shared_ptr<Launcher> launcher, oci::Profile profile,
                             std::shared_ptr<oci::ServiceClient> services, std::shared_ptr<Clock> clock,
                             OwnRunParts parts = {});

  [[nodiscard]] const oci::Profile& profile() const { return profile_; }
  [[nodiscard]] std::shared_ptr<Launcher> launcher() const { return launcher_; }
  [[nodiscard]] std::shared_ptr<oci::ServiceClient> services() const { return services_; }
  /// Follows from the beginning of the run. A run without a log has no lines, one without a work dir no metrics of its nodes.
  /// Sends nothing.
  /// `reading`: how much of its metrics is read.
  Result<std::unique_ptr<RunFollower>> follow(const TrainingRun& run, const MetricReading& reading = {});
  /// The metrics of a run alone, from their beginning. Sends nothing.
  Result<std::unique_ptr<MetricReader>> metrics(const TrainingRun& run, const MetricReading& reading = {});
  /// The lines of a run alone, from their beginning; null: it has no log. Sends nothing.
  [[nodiscard]] std::unique_ptr<LogSource> lines(const TrainingRun& run);
  /// What Monitoring has of its job runs; null: there is no service to ask. Sends nothing.
  [[nodiscard]] std::unique_ptr<JobRunMetrics> monitored(const TrainingRun& run);
  /// What ranks and nodes publish beside metrics. Sends nothing.
  Result<std::unique_ptr<HealthReader>> health(const TrainingRun& run);
  Result<std::shared_ptr<ObjectStore>> workDir(const std::string& uri);
  /// A run that another machine or tool launched, as the service tells it: GetJob, ListJobRuns, and one
  /// GetJobRun per node. Not stored yet. Its id is new.
  Result<TrainingRun> attach(const JobId& jobId, const std::stop_token& stop);

 private:
  oci::Profile profile_;
  std::shared_ptr<oci::ServiceClient> services_;
  std::shared_ptr<Launcher> launcher_;
  std::shared_ptr<RunStore> store_;
  std::shared_ptr<Clock> clock_;
  OwnRunParts parts_;
};

/// A run and the way to it.
struct OpenedRun {
  TrainingRun run;
  RunServices services;
};

/// The store of this machine's runs. Blocks on disk.
Result<std::shared_ptr<RunStore>> openRunStore();

/// How long a client tries a service that does not answer: for one look, or while it follows a run.
enum class RetryMode { OneLook, Follow };

/// `query`, or where it is empty, what the run was launched with.
[[nodiscard]] oci::ProfileQuery queryFor(const TrainingRun& run, oci::ProfileQuery query);
/// How often a call is tried.
[[nodiscard]] int attemptsIn(RetryMode retryMode);

/// The services of the profile that the run was launched with, unless `query` names another. Sends nothing.
Result<RunServices> servicesOf(const TrainingRun& run, oci::ProfileQuery query,
                               std::shared_ptr<RunStore> store, RetryMode retryMode);

}  // namespace lockstep
