// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "rehearsal/jobs/job_runner.h"
#include "rehearsal/jobs/key_maker.h"
#include "rehearsal/jobs/run_plan.h"

namespace lockstep::rehearsal {

/// What the drivers of all runs share.
struct RunnerParts {
  const RunnerSetup& setup;
  Database& database;
  const TokenIssuer& tokens;
  Clock& clock;
  KeyMaker& keys;
};

[[nodiscard]] RunFolder runFolderOf(const RunnerSetup& setup, const std::string& runId);
[[nodiscard]] std::filesystem::path diskFullMarkOf(const RunnerSetup& setup);

/// Takes one job run from ACCEPTED to its end, a step with each look. What it remembers is nothing that a
/// restart would miss: the database says how far the run is, the folders of its nodes what became of them.
/// Runner's thread only.
class RunDriver {
 public:
  RunDriver(const RunnerParts& parts, const Resource& run);
  /// `run` as it stands in the database now.
  void advance(Resource run);
  /// The run has ended, and so has this driver's work.
  [[nodiscard]] bool done() const { return done_; }
  /// Ends the run as canceled, for this reason.
  void cancel(Resource& run, const std::string& why);

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;
  struct Node {
    int rank = 0;
    NodeFolder folder;
    std::optional<SteadyTime> launchedAt, endAsked;
    bool started = false;
    std::string address;
    std::optional<NodeEnd> end;  // and everything it left has been copied
  };

  void provision(Resource& run);
  Result<void> prepare(const Resource& run);
  void work(Resource& run);
  void launchNodes(const Resource& run);
  Result<void> launchNode(const Resource& run, Node& node);
  void refreshNode(const Resource& run, Node& node);
  void loseNode(const Resource& run, Node& node, const std::string& why);
  void notifyNodes(const Resource& run);
  void decide(Resource& run);
  void settle(Resource& run, const std::string& state, const std::string& details, int failedGroup);
  void finish(Resource& run);
  bool endNode(const Resource& run, Node& node);  // whether nothing is left of it
  void copyOutput(const Resource& run, const Node& node);
  void refreshToken(const Resource& run);
  void showGroups(Resource& run);
  void say(Resource& run, const std::string& state, const std::string& details);
  void endRun(Resource& run);
  [[nodiscard]] bool groupStarted(std::size_t group) const;
  [[nodiscard]] const Node* firstFailure(std::size_t group) const;
  [[nodiscard]] std::string failureText(const Node& node) const;
  [[nodiscard]] static std::string canceledText(const Resource& run);

  RunnerParts parts_;
  RunPlan plan_;
  RunFolder folder_;
  std::vector<Node> nodes_;
  SteadyTime since_;
  std::optional<KeyMaker::Order> sessionKey_;
  TimePoint tokenExpiry_{};
  std::optional<SteadyTime> finishingSince_;
  std::size_t told_ = 0;  // nodes in the cluster file
  bool done_ = false;
};

}  // namespace lockstep::rehearsal
