// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "fake_region.h"
#include "launch/run_follower.h"

namespace lockstep {

class ScriptedLauncher final : public Launcher {
 public:
  Result<TrainingRun> launch(const LaunchRequest&, const LaunchProgressHandler&,
                             const std::stop_token&) override {
    return failure(ErrorCode::Internal, "not part of this script");
  }
  Result<TrainingRun> cancel(TrainingRun run, const std::stop_token&) override { return run; }
  Result<TrainingRun> refresh(TrainingRun run, const std::stop_token&) override {
    std::this_thread::sleep_for(delay);
    if (broken) return failure(ErrorCode::Unavailable, "the service is away");
    for (NodeRun& node : run.nodes) node.state = state;
    return run;
  }
  JobRunState state = JobRunState::InProgress;
  std::chrono::milliseconds delay{0};
  bool broken = false;
};

class ScriptedLogs final : public LogSource {
 public:
  struct Script {
    std::vector<LogLine> next;
    bool broken = false;
    std::atomic<bool> isHeld = false, wasStopped = false;
    std::chrono::milliseconds delay{0};
  };
  explicit ScriptedLogs(std::shared_ptr<Script> script) : script_(std::move(script)) {}
  Result<std::vector<LogLine>> poll(const std::stop_token& stop) override {
    std::this_thread::sleep_for(script_->delay);
    while (script_->isHeld && !stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (stop.stop_requested()) script_->wasStopped = true;
    if (script_->broken) return failure(ErrorCode::Unavailable, "the log is away");
    return std::exchange(script_->next, {});
  }

 private:
  std::shared_ptr<Script> script_;
};

struct RunFollowerTest : testing::Test {
  RunFollowerTest() {
    run.launchComplete = true;
    run.nodes.resize(2);
    for (NodeRun& node : run.nodes) node.id = JobRunId("r");
  }
  RunFollower follower() { return {run, launcher, std::make_unique<ScriptedLogs>(logs), nullptr, clock}; }
  LogLine line(const std::string& text) {
    LogLine l;
    l.text = text;
    l.time = clock->now();
    return l;
  }
  TrainingRun run;
  std::shared_ptr<ScriptedLauncher> launcher = std::make_shared<ScriptedLauncher>();
  std::shared_ptr<ScriptedLogs::Script> logs = std::make_shared<ScriptedLogs::Script>();
  std::shared_ptr<FastClock> clock = std::make_shared<FastClock>();
};

}  // namespace lockstep
