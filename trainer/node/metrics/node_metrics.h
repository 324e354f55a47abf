// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "trainer/node/metrics/metrics_inbox.h"
#include "trainer/node/metrics/printed_metrics.h"
#include "trainer/node/metrics/rank_metrics.h"
#include "trainer/node/settings/node_settings.h"
#include "workdir/object_store.h"

namespace lockstep::node {

/// A rank of this node whose metrics are read here.
struct MeasuredRank {
  int rank = 0;
  pid_t process = 0;      // what it and all that it started use; 0: unknown here
  std::vector<int> gpus;  // those of the node that it trains on, from 0
};

/// The metrics of scripts that are no trainer of ours: what the processes, the node and its GPUs use, what the ranks print,
/// what they write for TensorBoard, and what they record with lockstep.py. On a thread of its own; nothing here ever fails
/// or delays the training.
class NodeMetrics {
 public:
  /// Told of the newest values of each rank, on another thread.
  using Listener = std::function<void(int rank, std::optional<Step> step, TimePoint time,
                                      const std::vector<NamedValue>& values)>;
  /// Null: LOCKSTEP_METRICS=0 says that there are to be none, or `command` is lockstep-trainer, which writes its own; with a
  /// listener it leaves them here, too, and only that is told. InvalidArgument: LOCKSTEP_METRIC_PATTERN.
  static Result<std::unique_ptr<NodeMetrics>> open(const NodeSettings& settings,
                                                   const Environment& environment,
                                                   const std::vector<std::string>& command,
                                                   std::shared_ptr<ObjectStore> store,
                                                   Listener listener = {});
  NodeMetrics(const NodeMetrics&) = delete;
  NodeMetrics& operator=(const NodeMetrics&) = delete;
  ~NodeMetrics();

  /// What the ranks have to find in their environment.
  void addTo(Environment& environment) const;
  /// The ranks have been started. `worldSize`: of this attempt.
  void begin(std::vector<MeasuredRank> ranks, int worldSize);
  /// What a rank has printed. Never waits. The thread that calls begin() and end().
  void onOutput(int rank, std::string_view bytes);
  /// The ranks have ended: what they left is stored, some seconds at most.
  void end();

 private:
  class Attempt;
  NodeMetrics(const NodeSettings& settings, Environment environment, std::shared_ptr<ObjectStore> store,
              std::unique_ptr<MetricsInbox> inbox, std::vector<std::string> patterns,
              std::vector<std::filesystem::path> eventFolders);
  [[nodiscard]] RankMetrics::Listener listenerOf(int rank) const;
  [[nodiscard]] std::unique_ptr<MetricWriter> writerOf(int rank, int worldSize) const;

  NodeSettings settings_;
  Environment environment_;
  std::shared_ptr<ObjectStore> store_;
  std::unique_ptr<MetricsInbox> inbox_;
  std::vector<std::string> patterns_;
  bool readsLines_ = true;
  bool onlyTells_ = false;  // the ranks write their metrics themselves
  std::vector<std::filesystem::path> eventFolders_;
  Listener listener_;                 // may be empty
  std::unique_ptr<Attempt> attempt_;  // null: no ranks
};

/// Where scripts usually write for TensorBoard: what --logdir and the like name among the arguments, the folder of the
/// results, and the usual names below the folder that the ranks are started in and that of the code.
[[nodiscard]] std::vector<std::filesystem::path> usualEventFolders(const NodeSettings& settings,
                                                                   const std::vector<std::string>& command);

}  // namespace lockstep::node
