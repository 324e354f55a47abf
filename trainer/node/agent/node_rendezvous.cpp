// SPDX-License-Identifier: GPL-3.0-or-later
// How a node finds the others: the first time, and after a failure.
#include <algorithm>

#include "trainer/node/agent/node_agent.h"
#include "trainer/node/liveness/node_environment.h"
#include "trainer/node/processes/node_log.h"

namespace lockstep::node {

Result<void> NodeAgent::beginLiveness() {
  if (settings_.nodeCount < 2) return {};
  SystemClock clock;
  liveness_ = std::make_unique<NodeLiveness>(store_, settings_, name_, address_.address);
  const auto late = settings_.maxRestarts > 0 ? liveness_->runsWithoutUs(clock, stop_) : Result<bool>(false);
  if (!late) return failure(late.error());
  isLeftOut_ = *late;
  if (!isLeftOut_) return liveness_->start();
  return failure(ErrorCode::FailedPrecondition, "the run continues without this node",
                 "it was lost and started again while the other nodes train",
                 "a lost node cannot come back: let the others end, or end the run and launch it anew");
}

Result<void> NodeAgent::makeMain() {
  auto chosen = MasterPort::choose(settings_.masterPort);
  if (!chosen) return failure(chosen.error());
  masterPort_.emplace(std::move(*chosen));
  if (auto told = files_->publishMain(address_.address, masterPort_->port(), stop_); !told) return told;
  return files_->describeRun(SystemClock().now(), stop_);
}

Result<void> NodeAgent::meet() {
  place_ = settings_;
  for (int node = 0; node < settings_.nodeCount; ++node) members_.push_back(node);
  if (auto begun = beginLiveness(); !begun) return begun;
  std::optional<ConnectivityCheck> test;
  SystemClock clock;
  if (settings_.testReach && settings_.nodeCount > 1) {
    test.emplace(store_, settings_, name_, address_.address);
    if (auto opened = test->open(clock, stop_); !opened) return opened;
  }
  if (settings_.isMain()) {
    if (auto cleared = files_->clearStale(stop_); !cleared) return cleared;
  } else if (auto told = files_->publishWorker(address_.address, stop_); !told) {
    return told;
  }
  if (test) {
    if (auto tested = testWays(*test, name_, stop_); !tested) return tested;
  }
  if (settings_.isMain()) {
    if (auto made = makeMain(); !made) return made;
  }
  auto published = files_->awaitMain(clock, stop_);
  if (!published) return failure(published.error());
  published_ = std::move(*published);
  return {};
}

Result<AttemptPlan> NodeAgent::planAgain() {
  RestartAgreement restarts(store_, settings_);
  const int attempt = attempt_->number;
  if (auto told = restarts.announce(attempt, stop_); !told) return failure(told.error());
  masterPort_.reset();
  RestartAgreement::Stand stand{members_, {}, {}, address_.address, {}};
  stand.isLost = [this](int node) { return liveness_ && liveness_->isLost(node); };
  stand.isGone = [this](int node) { return liveness_ && liveness_->isGone(node); };
  stand.openPort = [this]() -> Result<int> {
    auto chosen = MasterPort::choose(settings_.masterPort);
    if (!chosen) return failure(chosen.error());
    masterPort_.emplace(std::move(*chosen));
    return masterPort_->port();
  };
  const auto failedAlready = [this]() -> std::optional<std::string> {
    const auto record = files_->failure(stop_);
    if (record && *record) return "the first failure of the run: " + (*record)->what;
    return std::nullopt;
  };
  SystemClock clock;
  return restarts.agree(attempt, stand, failedAlready, clock, stop_);
}

Result<void> NodeAgent::meetAgain() {
  const int attempt = attempt_->number;
  say("{} starts its ranks again: {} of at most {} restarts", name_, attempt, settings_.maxRestarts);
  files_->beginAttempt(attempt);
  const auto plan = planAgain();
  if (!plan) return failure(plan.error());
  const auto own = std::find(plan->nodes.begin(), plan->nodes.end(), settings_.nodeRank);
  isLeftOut_ = own == plan->nodes.end();
  if (isLeftOut_)
    return failure(ErrorCode::FailedPrecondition, "the run continues without this node",
                   fmt::format("restart {} was planned before it came back", attempt),
                   "LOCKSTEP_RESTART_WAIT says how long the others wait for a node");
  if (plan->nodes.size() < members_.size())
    say("the run continues with {} of {} nodes", plan->nodes.size(), members_.size());
  const bool wasMain = isMainNow();
  members_ = plan->nodes;
  if (isMainNow() && !wasMain) say("{} is the main node from now on", name_);
  place_.nodeRank = static_cast<int>(own - plan->nodes.begin());
  place_.nodeCount = static_cast<int>(members_.size());
  published_["MASTER_ADDR"] = plan->address;
  published_["MASTER_PORT"] = std::to_string(plan->port);
  return {};
}

}  // namespace lockstep::node
