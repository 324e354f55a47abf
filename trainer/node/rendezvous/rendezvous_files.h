// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "trainer/node/settings/node_settings.h"
#include "trainer/node/settings/own_address.h"
#include "workdir/object_store.h"

namespace lockstep::node {

/// The first failure of a run, as the node that had it wrote it down.
struct FailureRecord {
  int rank = 0;
  std::string node;  // display name: "worker_1"
  std::string jobRun;
  std::string what;  // "rank 2 on worker_1 was killed by signal 9 (Killed)"
  int signal = 0;
  int exitCode = 0;
  bool restart = false;  // all ranks are to be started once more
};

/// The config file of a node that is not main: "<job>/WORKER_<job run>_config.json", of a parameter server
/// "<job>/PS_…". The nodes of a multi-node run share an OCID, so there their number is added.
[[nodiscard]] std::string ownConfig(const NodeSettings& settings);

/// What the nodes of a run tell each other through the work dir, in the files and words of `ads`
/// (ads-contract 4.1) and, beside them, who failed first. Every call blocks on the store. Thread-safe as the
/// store is.
class RendezvousFiles {
 public:
  RendezvousFiles(std::shared_ptr<ObjectStore> store, const NodeSettings& settings)
      : store_(std::move(store)), settings_(settings) {}

  /// Removes what an earlier cluster left. Only outside the service, where every cluster has the same folder.
  Result<void> clearStale(const std::stop_token& stop);
  /// After the run, outside the service: takes the main node's file away, so that no later cluster believes
  /// it.
  Result<void> retire(const std::stop_token& stop);
  Result<void> publishMain(const std::string& address, int port, const std::stop_token& stop);
  Result<void> publishWorker(const std::string& address, const std::stop_token& stop);
  /// Waits for the main node's file, at most the time-out of the settings, and returns its keys for the
  /// environment. FailedPrecondition when a node has failed already.
  Result<std::map<std::string, std::string>> awaitMain(Clock& clock, const std::stop_token& stop);
  Result<void> describeRun(TimePoint started, const std::stop_token& stop);

  /// Which start of the ranks this is, from 0. A failure with `restart` ends it, and not the run. Before the
  /// watch starts.
  void beginAttempt(int attempt) { attempt_ = attempt; }
  /// Writes the record unless there is one already; returns the one that stands.
  Result<FailureRecord> reportFailure(const FailureRecord& record, TimePoint time,
                                      const std::stop_token& stop);
  Result<std::optional<FailureRecord>> failure(const std::stop_token& stop);
  Result<bool> stopped(const std::stop_token& stop);
  Result<void> writeStop(const std::stop_token& stop);

 private:
  Result<void> removeIfThere(const std::string& name, const std::stop_token& stop);
  Result<std::optional<FailureRecord>> failureMark(const FrameworkTraits& traits,
                                                   const std::stop_token& stop);
  Result<std::optional<FailureRecord>> failureIn(const std::string& name, const std::stop_token& stop);
  [[nodiscard]] std::string attemptFailureFile() const;
  Result<std::optional<std::string>> read(const std::string& name, const std::stop_token& stop);

  std::shared_ptr<ObjectStore> store_;
  NodeSettings settings_;
  int attempt_ = 0;
};

}  // namespace lockstep::node
