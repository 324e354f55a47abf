// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "metrics/events/event_folder.h"
#include "trainer/node/metrics/node_metrics.h"
#include "trainer/node/metrics/run_step.h"
#include "trainer/usage/node_usage.h"
#include "trainer/usage/nvml.h"
#include "trainer/usage/process_tree_usage.h"

namespace lockstep::node {

/// NodeMetrics from the start of the ranks to their end.
class NodeMetrics::Attempt {
 public:
  /// What all attempts have in common; lives longer than any.
  struct Sources {
    MetricsInbox& inbox;
    std::optional<LineMatcher> lines;  // nullopt: lines are not read
    std::vector<std::filesystem::path> eventFolders;
    const Environment& environment;
    std::filesystem::path results;   // whose disk is looked at
    std::optional<RunStep> runStep;  // nullopt: there are no other nodes
    bool onlyTells = false;          // what the ranks leave in the inbox is all; they write it themselves
  };
  Attempt(Sources sources, std::vector<MeasuredRank> ranks, std::map<int, RankMetrics> metrics);
  ~Attempt();

  void onOutput(int rank, std::string_view bytes);
  void finish(std::chrono::milliseconds limit);

 private:
  void run(const std::stop_token& stop);
  void collectLines();
  void collectScript();
  void collectEvents();
  void sampleUsage(const std::stop_token& stop);
  /// Of the ranks that do not say where they are.
  [[nodiscard]] Step stepOfOthers(const std::stop_token& stop);
  void tellProblems();
  [[nodiscard]] trainer::GpuUsage gpuUsageOf(const MeasuredRank& rank);
  void tellSharers();
  [[nodiscard]] RankMetrics* metricsOf(int rank);
  [[nodiscard]] int rankOf(std::optional<int> process);

  Sources sources_;
  std::vector<MeasuredRank> ranks_;
  std::map<int, RankMetrics> metrics_;
  std::unique_ptr<PrintedMetrics> printed_;  // null: lines are not read
  EventFolder events_;
  trainer::ProcessTreeUsage processes_;
  trainer::NodeUsageReader node_;
  std::map<int, std::unique_ptr<trainer::NvmlDevice>> gpus_;
  std::map<int, int> writers_;        // rank by process, of those that have written event files
  std::map<long long, int> sharers_;  // how often others were seen computing on our GPUs, by process
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool isProblemTold_ = false;
  std::size_t brokenTold_ = 0;
  std::jthread thread_;
};

}  // namespace lockstep::node
