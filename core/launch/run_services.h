// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>

#include "launch/launcher.h"
#include "launch/run_follower.h"
#include "oci/calls/service_client.h"
#include "oci/signing/profile.h"

namespace lockstep {

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
  /// For a run that is only read: its state comes from `launcher`. Without `services` its work dir has to be a folder.
  static RunServices reading(std::shared_ptr<Launcher> launcher, oci::Profile profile,
                             std::shared_ptr<oci::ServiceClient> services, std::shared_ptr<Clock> clock);

  [[nodiscard]] const oci::Profile& profile() const { return profile_; }
  [[nodiscard]] std::shared_ptr<Launcher> launcher() const { return launcher_; }
  [[nodiscard]] std::shared_ptr<oci::ServiceClient> services() const { return services_; }
  /// Follows from the beginning of the run. A run without a log has no lines. Sends nothing.
  /// `reading`: how much of its metrics is read.
  Result<std::unique_ptr<RunFollower>> follow(const TrainingRun& run, const MetricReading& reading = {});
  /// The metrics of a run alone, from their beginning. Sends nothing.
  Result<std::unique_ptr<MetricReader>> metrics(const TrainingRun& run, const MetricReading& reading = {});
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
