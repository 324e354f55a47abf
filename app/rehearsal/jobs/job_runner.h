// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "rehearsal/identity/tokens.h"
#include "rehearsal/jobs/run_folder.h"
#include "rehearsal/state/database.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {

struct RunnerSetup {
  std::filesystem::path runsFolder;
  std::filesystem::path program;                // lockstep-rehearsal itself, for `supervise`
  std::string entrypoint;                       // what a job run executes
  std::string endpoint;                         // of this region
  std::chrono::milliseconds provisioning{600};  // ACCEPTED -> IN_PROGRESS
  std::chrono::milliseconds grace{10000};       // SIGTERM -> SIGKILL
};

/// Carries job runs from ACCEPTED to their end. The database is its queue: it looks for runs that are
/// ACCEPTED, IN_PROGRESS or CANCELING, so that a region that was killed goes on where it was. Each run is
/// executed under a supervisor process of its own, which needs nobody (supervisor.h): the runner only starts
/// it, reads what it wrote, and asks it to end. Sleeps until woken while no run is live. One thread of its
/// own.
class JobRunner {
 public:
  JobRunner(RunnerSetup setup, Database& database, const TokenIssuer& tokens, std::shared_ptr<Clock> clock);
  ~JobRunner();
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  void start();
  /// Something changed in the database. Any thread.
  void wake();
  /// Removes the folder of a deleted run. Any thread.
  void forget(const std::string& runId);
  /// Cancels every live run because the region is about to end, waits until their processes are gone, and
  /// ends the thread.
  void shutDown(const std::string& why);

 private:
  struct LiveRun;
  void loop(const std::stop_token& stop);
  bool advanceAll();  // whether any run is live
  void advance(Resource run);
  void provision(Resource& run, LiveRun& live);
  void launch(Resource& run, LiveRun& live);
  void follow(Resource& run, LiveRun& live);
  void endRun(Resource& run, const std::string& state, const std::string& details);
  void say(Resource& run, const std::string& state, const std::string& details);
  void copyLines(const Resource& run, const RunFolder& folder);
  void refreshToken(const Resource& run, const RunFolder& folder, LiveRun& live);
  [[nodiscard]] RunFolder folderOf(const std::string& runId) const;

  RunnerSetup setup_;
  Database& database_;
  const TokenIssuer& tokens_;
  std::shared_ptr<Clock> clock_;
  std::map<std::string, std::unique_ptr<LiveRun>> live_;  // runner's thread only
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool woken_ = false;
  std::string shutDownReason_;
  bool shuttingDown_ = false;
  std::jthread thread_;
};

}  // namespace lockstep::rehearsal
