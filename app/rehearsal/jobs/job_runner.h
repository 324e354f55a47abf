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
#include "rehearsal/iam/tokens.h"
#include "rehearsal/jobs/key_maker.h"
#include "rehearsal/state/blobs.h"
#include "rehearsal/state/database.h"
#include "rehearsal/state/resources.h"
#include "rehearsal/support/run_folder.h"

namespace lockstep::rehearsal {

class Faults;
class RunDriver;
class VcnNetwork;

struct RunnerSetup {
  std::filesystem::path runsFolder;
  std::filesystem::path program;  // lockstep-rehearsal itself, for `supervise`
  std::string entrypoint;         // what a container executes in place of its image's entrypoint
  std::string endpoint;           // of this region
  std::map<std::string, std::string> clientEnvironment;  // by which Oracle's SDKs find it, in every run
  std::chrono::milliseconds provisioning{600};           // ACCEPTED -> IN_PROGRESS
  std::chrono::milliseconds grace{10000};                // SIGTERM -> SIGKILL
  std::chrono::milliseconds sampleInterval{5000};        // of the metrics of a node
  const Blobs* blobs = nullptr;                          // of job artifacts
  Faults* faults = nullptr;                              // null: nothing goes wrong
  VcnNetwork* network = nullptr;                         // null: nodes share the machine's network
  std::filesystem::path codeFolder = {};                 // of the copies that stand for /code (job_code.h)
};

/// Carries job runs from ACCEPTED to their end. The database is its queue: it looks for runs that are
/// ACCEPTED, IN_PROGRESS, CANCELING or NEEDS_ATTENTION, so that a region that was killed goes on where it
/// was. Each node of a run is executed under a supervisor process of its own, which needs nobody
/// (supervisor.h): the runner only starts it, reads what it wrote, and asks it to end. Sleeps until woken
/// while no run is live. One thread of its own.
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

  [[nodiscard]] const RunnerSetup& setup() const { return setup_; }

 private:
  void loop(const std::stop_token& stop);
  bool advanceAll();  // whether any run is live
  void advance(Resource run);
  void markFullDisk() const;

  RunnerSetup setup_;
  Database& database_;
  const TokenIssuer& tokens_;
  std::shared_ptr<Clock> clock_;
  KeyMaker keys_;
  std::map<std::string, std::unique_ptr<RunDriver>> drivers_;  // of live runs; runner's thread only
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool woken_ = false;
  std::string shutDownReason_;
  bool shuttingDown_ = false;
  std::jthread thread_;
};

}  // namespace lockstep::rehearsal
