// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/node_agent.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <iterator>

#include "trainer/node/code_source.h"
#include "trainer/node/master_port.h"
#include "trainer/node/memory_kills.h"
#include "trainer/node/node_ground.h"
#include "trainer/node/node_voice.h"
#include "trainer/node/orphans.h"
#include "trainer/node/restart_board.h"
#include "trainer/node/training_command.h"

namespace lockstep::node {
namespace {

constexpr std::chrono::seconds kGrace{10};      // from SIGTERM to SIGKILL
constexpr std::chrono::seconds kStopGrace{30};  // for ranks that still run when the main node is done
constexpr int kTrainerPeerLost = 12;            // lockstep-trainer's codes for "another rank was first"
constexpr int kTrainerTimedOut = 13;

// A rank that lost its peers ends with an error too, often before the node of the one that broke has written
// it down.
std::chrono::seconds patienceFor(const ProcessExit& exit) {
  if (exit.signal != 0) return std::chrono::seconds(0);
  const bool consequence = exit.exitCode == kTrainerPeerLost || exit.exitCode == kTrainerTimedOut;
  return std::chrono::seconds(consequence ? 10 : 3);
}

}  // namespace

NodeAgent::NodeAgent(NodeSettings settings, Environment environment, std::stop_token stop)
    : settings_(std::move(settings)),
      environment_(std::move(environment)),
      stop_(std::move(stop)),
      name_(settings_.defaultName()) {}

int NodeAgent::run() {
  auto ready = prepare();
  if (ready) ready = meet();
  for (int attempt = 0;; ++attempt) {
    attempt_.emplace();
    attempt_->number = attempt;
    if (attempt > 0) ready = meetAgain();
    if (ready) ready = startRanks();
    if (!ready) return tellStartFailure(ready.error());
    const int code = superviseRanks();
    if (!isRestarting()) return code;
  }
}

int NodeAgent::tellStartFailure(const Status& status) {
  if (stop_.stop_requested()) {
    say("told to stop before the ranks were started");
    return kExitTerminated;
  }
  say("{} cannot start its ranks: {}", name_, describe(status));
  if (board_) {
    const FailureRecord record{settings_.nodeRank * settings_.ranksPerNode,
                               name_,
                               settings_.jobRunId,
                               fmt::format("{} could not start its ranks: {}", name_, status.what),
                               0,
                               kExitFailed,
                               false};
    const auto reported = board_->reportFailure(record, SystemClock().now(), {});
    if (!reported) say("the other nodes cannot be told: {}", describe(reported.error()));
  }
  return kExitFailed;
}

Result<void> NodeAgent::openStore() {
  auto opened = openNodeStore(settings_, environment_);
  if (!opened) return failure(opened.error());
  services_ = std::move(opened->services);
  store_ = std::move(opened->store);
  board_ = std::make_unique<ClusterBoard>(store_, settings_);
  return {};
}

Result<void> NodeAgent::prepare() {
  if (auto opened = openStore(); !opened) return opened;
  name_ = nodeDisplayName(settings_, services_, stop_);
  say("{}: node {} of {}, {} rank{} here, work dir {}", name_, settings_.nodeRank, settings_.nodeCount,
      settings_.ranksPerNode, settings_.ranksPerNode == 1 ? "" : "s", settings_.workDir);
  auto address = nodeAddress(settings_, services_, stop_);
  if (!address) return failure(address.error());
  address_ = std::move(*address);
  if (!address_.note.empty()) say("note: {}", address_.note);
  if (auto fetched = fetchCode(settings_, environment_, stop_); !fetched) return fetched;
  auto command = trainingCommand(settings_, environment_);
  if (!command) return failure(command.error());
  command_ = std::move(*command);
  return openSync();
}

Result<void> NodeAgent::openSync() {
  auto sync = ArtifactSync::open(settings_, environment_, services_, stop_);
  if (!sync) return failure(sync.error());
  sync_ = std::move(*sync);
  return {};
}

// All nodes of a multi-node run are the same job run.
bool NodeAgent::isOwn(const FailureRecord& record) const {
  return record.jobRun == settings_.jobRunId && (!settings_.isMultiNode() || record.node == name_);
}

Result<void> NodeAgent::meet() {
  place_ = settings_;
  for (int node = 0; node < settings_.nodeCount; ++node) members_.push_back(node);
  std::optional<ReachTest> test;
  SystemClock clock;
  if (settings_.testReach && settings_.nodeCount > 1) {
    test.emplace(store_, settings_, name_, address_.address);
    if (auto opened = test->open(clock, stop_); !opened) return opened;
  }
  if (settings_.isMain()) {
    if (auto cleared = board_->clearStale(stop_); !cleared) return cleared;
  } else if (auto told = board_->publishWorker(address_.address, stop_); !told) {
    return told;
  }
  if (test) {
    if (auto tested = testWays(*test, name_, stop_); !tested) return tested;
  }
  std::optional<MasterPort> port;
  if (settings_.isMain()) {
    auto chosen = MasterPort::choose(settings_.masterPort);
    if (!chosen) return failure(chosen.error());
    port.emplace(std::move(*chosen));
    if (auto told = board_->publishMain(address_.address, port->port(), stop_); !told) return told;
    if (auto told = board_->describeRun(SystemClock().now(), stop_); !told) return told;
  }
  auto published = board_->awaitMain(clock, stop_);
  if (!published) return failure(published.error());
  published_ = std::move(*published);
  masterPort_ = std::move(port);
  return {};
}

Result<void> NodeAgent::meetAgain() {
  const int attempt = attempt_->number;
  say("{} starts its ranks again: {} of at most {} restarts", name_, attempt, settings_.maxRestarts);
  RestartBoard restarts(store_, settings_);
  if (auto told = restarts.announce(attempt, stop_); !told) return told;
  SystemClock clock;
  Result<AttemptPlan> plan;
  if (settings_.isMain()) {
    masterPort_.reset();
    auto chosen = MasterPort::choose(settings_.masterPort);
    if (!chosen) return failure(chosen.error());
    plan = restarts.decide(attempt, members_, address_.address, chosen->port(), clock, stop_);
    masterPort_.emplace(std::move(*chosen));
  } else {
    plan = restarts.await(attempt, clock, stop_);
  }
  if (!plan) return failure(plan.error());
  if (plan->nodes.size() < members_.size())
    say("the run goes on with {} of {} nodes", plan->nodes.size(), members_.size());
  members_ = plan->nodes;
  const auto own = std::find(members_.begin(), members_.end(), settings_.nodeRank);
  place_.nodeRank = static_cast<int>(own - members_.begin());
  place_.nodeCount = static_cast<int>(members_.size());
  published_["MASTER_ADDR"] = plan->address;
  published_["MASTER_PORT"] = std::to_string(plan->port);
  return {};
}

Result<void> NodeAgent::startRanks() {
  board_->beginAttempt(attempt_->number);
  attempt_->memoryKills = memoryKills();
  const auto specs =
      rankSpecs(place_, command_, environment_, published_, address_.interface, attempt_->number);
  say("{} at {}: world size {}, main at {}:{}", name_, address_.address, place_.worldSize(),
      valueOf(specs[0].environment, "MASTER_ADDR"), valueOf(specs[0].environment, "MASTER_PORT"));
  return attempt_->ranks.start(specs, settings_.ranksPerNode > 1 || settings_.isMultiNode());
}

int NodeAgent::superviseRanks() {
  constexpr std::chrono::milliseconds kTick{50};
  Attempt& attempt = *attempt_;
  attempt.watch = std::make_unique<ClusterWatch>(*board_);
  while (!attempt.ranks.allEnded() || attempt.reportAt) {
    attempt.ranks.pump(kTick);
    reapOrphans(attempt.ranks.pids(), false);
    if (attempt.ranks.allEnded()) std::this_thread::sleep_for(kTick);  // only a report is still open
    react();
  }
  attempt.watch.reset();
  reapOrphans({}, true);
  return isRestarting() ? kExitFailed : finish();
}

void NodeAgent::react() {
  Attempt& attempt = *attempt_;
  const auto now = Steady::now();
  const auto peer = attempt.watch->failure();
  const bool peerFailed = peer && !isOwn(*peer);
  if (attempt.exitCode) {
    if (attempt.reportAt) settleReport(peerFailed ? peer : std::nullopt);
    if (attempt.killAt && now >= *attempt.killAt) attempt.ranks.signalAll(SIGKILL);
    return;
  }
  if (attempt.ranks.firstFailure()) return onOwnFailure(*attempt.ranks.firstFailure());
  if (attempt.ranks.allEnded()) return;
  if (stop_.stop_requested()) return endRanks("told to stop (SIGTERM)", kExitTerminated);
  if (peerFailed) {
    attempt.restart = peer->restart;
    return endRanks(fmt::format("the first failure of the run: {}", peer->what), kExitPeerFailed);
  }
  if (!attempt.watch->stopped()) return;
  if (!attempt.stopSeen) attempt.stopSeen = now;
  if (now - *attempt.stopSeen > kStopGrace) endRanks("the run was stopped by another node", 0);
}

bool NodeAgent::canRestartAfter(const RankEnd& end) const {
  if (attempt_->number >= settings_.maxRestarts) return false;
  // Wrong arguments, data or a diverging loss would be there again.
  constexpr int kHopeless[] = {2, 11, 16, 17, 18, 21, 22};
  return end.exit.signal != 0 ||
         std::find(std::begin(kHopeless), std::end(kHopeless), end.exit.exitCode) == std::end(kHopeless);
}

bool NodeAgent::isRestarting() const {
  return attempt_->restart && attempt_->exitCode && !stop_.stop_requested() &&
         attempt_->number < settings_.maxRestarts;
}

void NodeAgent::onOwnFailure(const RankEnd& end) {
  const int code = end.exit.signal != 0 ? 128 + end.exit.signal : end.exit.exitCode;
  if (stop_.stop_requested()) return endRanks("told to stop (SIGTERM)", kExitTerminated);
  say("rank {} on {} {}", end.rank, name_, describeEnd(end.exit, attempt_->memoryKills));
  attempt_->reportAt = Steady::now() + patienceFor(end.exit);
  endRanks(settings_.ranksPerNode > 1 ? fmt::format("rank {} is gone", end.rank) : std::string(), code);
}

void NodeAgent::endRanks(const std::string& why, int exitCode) {
  attempt_->exitCode = exitCode;
  attempt_->killAt = Steady::now() + kGrace;
  if (!why.empty()) say("{} ends its ranks: {}", name_, why);
  attempt_->ranks.signalAll(SIGTERM);
}

void NodeAgent::settleReport(const std::optional<FailureRecord>& peer) {
  Attempt& attempt = *attempt_;
  if (stop_.stop_requested()) {
    attempt.reportAt.reset();  // the whole run is being ended: what our ranks said follows from that
    attempt.exitCode = kExitTerminated;
  } else if (peer) {
    attempt.reportAt.reset();
    attempt.restart = peer->restart;
    say("it follows from the first failure of the run: {}", peer->what);
  } else if (Steady::now() >= *attempt.reportAt) {
    attempt.reportAt.reset();
    const auto standing =
        board_->reportFailure(recordOf(*attempt.ranks.firstFailure()), SystemClock().now(), {});
    if (!standing) return say("the other nodes cannot be told: {}", describe(standing.error()));
    attempt.restart = standing->restart;
    if (!isOwn(*standing)) say("it follows from the first failure of the run: {}", standing->what);
    if (attempt.restart) return;
    if (auto wrote = board_->writeStop({}); !wrote)
      say("the stop mark cannot be written: {}", describe(wrote.error()));
  }
}

FailureRecord NodeAgent::recordOf(const RankEnd& end) const {
  std::string what =
      fmt::format("rank {} on {} {}", end.rank, name_, describeEnd(end.exit, attempt_->memoryKills));
  constexpr std::size_t kLongestQuote = 300;
  if (end.exit.signal == 0 && !end.lastLine.empty())
    what += fmt::format("; its last line: {}", end.lastLine.substr(0, kLongestQuote));
  return {
      end.rank, name_, settings_.jobRunId, what, end.exit.signal, end.exit.exitCode, canRestartAfter(end)};
}

int NodeAgent::finish() {
  const Attempt& attempt = *attempt_;
  if (!attempt.exitCode) say("{}: all ranks here are done", name_);
  if (sync_) {
    const auto kept = sync_->syncNow({});
    if (!kept) say("not all results could be kept: {}", describe(kept.error()));
    say("{} files of '{}' are kept in sync/{}/{}/", sync_->filesKept(), settings_.syncFolder.string(),
        settings_.jobId, settings_.jobRunId);
  }
  if (!attempt.exitCode && settings_.isMain()) {
    if (auto wrote = board_->writeStop({}); !wrote)
      say("the stop mark cannot be written: {}", describe(wrote.error()));
  }
  if (settings_.isMain()) {
    if (auto retired = board_->retire({}); !retired)
      say("the main node's file cannot be removed: {}", describe(retired.error()));
  }
  // With several ranks here, what the others printed on their way out came after the line that matters.
  const auto& failed = attempt.ranks.firstFailure();
  const bool ours =
      attempt.exitCode && *attempt.exitCode != kExitTerminated && *attempt.exitCode != kExitPeerFailed;
  if (failed && ours && settings_.ranksPerNode > 1)
    say("rank {} on {} {}", failed->rank, name_, describeEnd(failed->exit, attempt_->memoryKills));
  return attempt.exitCode.value_or(0);
}

}  // namespace lockstep::node
