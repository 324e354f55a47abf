// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "trainer/node/rendezvous/rendezvous_files.h"
#include "trainer/node/settings/beginning.h"
#include "trainer/node/settings/node_settings.h"
#include "workdir/object_store.h"

namespace lockstep::node {

/// One node as its config file in the work dir tells of it.
struct NodeEntry {
  NodeRole role = NodeRole::Worker;
  int rank = -1;     // -1: written by a program that does not say it, as those of `ads` are
  std::string file;  // "WORKER_<job run>_config.json"
  std::map<std::string, std::string> values;
  /// Empty when there is none.
  [[nodiscard]] std::string value(const std::string& key) const;
};

/// What the nodes of a Dask, Horovod or TensorFlow cluster tell each other beside what RendezvousFiles holds: in
/// the files and words of `ads` (ads-contract 4.1, 4.3), so that either side may be theirs. Every call blocks
/// on the store. What waits does so for at most the time-out of the settings, and ends with
/// FailedPrecondition when a node has failed.
class FrameworkRendezvous {
 public:
  /// `failures` outlives this.
  FrameworkRendezvous(std::shared_ptr<ObjectStore> store, const NodeSettings& settings,
                      RendezvousFiles& failures);

  /// Main, before it publishes: takes away what an earlier cluster left. Only outside the service, where
  /// every cluster has the same folder.
  Result<void> clearStale(const std::stop_token& stop);
  /// This node's config file, with its number.
  Result<void> publish(nlohmann::json values, const std::stop_token& stop);
  /// All nodes that have published, main first, then by number; those without one come last, by file name.
  Result<std::vector<NodeEntry>> entries(const std::stop_token& stop);
  /// Once all nodes of the settings have published. DeadlineExceeded names those that did not.
  Result<std::vector<NodeEntry>> awaitEntries(Clock& clock, const std::stop_token& stop);
  /// Which number this parameter server gets when nobody has given it one: by the order of the job runs'
  /// OCIDs, as `ads` counts them. Waits for all of them.
  Result<int> numberServer(Clock& clock, const std::stop_token& stop);

  /// cluster.json of TensorFlow.
  Result<void> writeCluster(const nlohmann::ordered_json& cluster, const std::stop_token& stop);
  Result<nlohmann::json> awaitCluster(Clock& clock, const std::stop_token& stop);

  /// `stop`; of a Horovod cluster that failed `stop_fail`.
  Result<void> writeEnd(bool ok, const std::stop_token& stop);
  /// After the run, outside the service: takes this node's files away, so that no later cluster believes
  /// them.
  Result<void> retire(const std::stop_token& stop);

 private:
  template <class T>
  Result<T> await(const std::function<Result<std::optional<T>>()>& look, const std::function<Error()>& late,
                  Clock& clock, const std::stop_token& stop);
  Result<std::optional<std::string>> read(const std::string& name, const std::stop_token& stop);
  Result<void> remove(const std::string& name, const std::stop_token& stop);
  [[nodiscard]] std::string inJob(const std::string& name) const;
  [[nodiscard]] bool isStale(const std::map<std::string, std::string>& values) const;
  [[nodiscard]] std::string missingNames(const std::vector<NodeEntry>& found) const;

  std::shared_ptr<ObjectStore> store_;
  NodeSettings settings_;
  RendezvousFiles& failures_;
  SystemClock clock_;
  Beginning begin_;
};

}  // namespace lockstep::node
