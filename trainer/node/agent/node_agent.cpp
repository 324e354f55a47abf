// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/agent/node_agent.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "base/child_process.h"
#include "trainer/node/code/code_source.h"
#include "trainer/node/code/training_command.h"
#include "trainer/node/liveness/failure_words.h"
#include "trainer/node/liveness/node_environment.h"
#include "trainer/node/processes/memory_kills.h"
#include "trainer/node/processes/node_log.h"
#include "trainer/node/processes/orphans.h"

namespace lockstep::node {
namespace {

constexpr std::chrono::seconds kGrace{10};      // from SIGTERM to SIGKILL
constexpr std::chrono::seconds kStopGrace{30};  // for ranks that still run when the main node is done

std::string oneLineOf(const Error& error) {
  std::string text = error.what;
  if (!error.cause.empty()) text += ": " + error.cause;
  if (!error.remedy.empty()) text += "; " + error.remedy;
  return text;
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
    if (!ready) return reportStartFailure(ready.error());
    const int code = superviseRanks();
    if (!isRestarting()) return code;
  }
}

int NodeAgent::reportStartFailure(const Error& error) {
  if (stop_.stop_requested()) {
    say("told to stop before the ranks were started");
    return kExitTerminated;
  }
  if (isLeftOut_) {
    say("{} ends: {}", name_, describe(error));
    return kExitLeftOut;  // and tells nobody: the others train
  }
  if (!firstFailure_) say("{} cannot start its ranks: {}", name_, describe(error));
  if (!files_) return kExitFailed;
  FailureRecord record{settings_.nodeRank * settings_.ranksPerNode,
                       name_,
                       settings_.jobRunId,
                       fmt::format("{} could not start its ranks: {}", name_, error.what),
                       0,
                       kExitFailed,
                       false};
  if (firstFailure_) {
    record = *firstFailure_;  // what came first stays first
    record.restart = false;
    if (error.code != ErrorCode::FailedPrecondition) record.what += fmt::format("; {}", oneLineOf(error));
    say("{} ends: {}", name_, error.code == ErrorCode::FailedPrecondition ? oneLineOf(error) : record.what);
  }
  const auto reported = files_->reportFailure(record, SystemClock().now(), {});
  if (!reported) say("the other nodes cannot be told: {}", describe(reported.error()));
  return firstFailure_ ? kExitPeerFailed : kExitFailed;
}

Result<void> NodeAgent::openStore() {
  auto opened = openNodeStore(settings_, environment_);
  if (!opened) return failure(opened.error());
  services_ = std::move(opened->services);
  store_ = std::move(opened->store);
  files_ = std::make_unique<RendezvousFiles>(store_, settings_);
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
  if (auto opened = openMetrics(); !opened) return opened;
  stacks_ = StackRequests::open(environment_, store_, {settings_.jobId, name_, address_.address});
  return openSync();
}

Result<void> NodeAgent::openMetrics() {
  auto exporters = Exporters::open(settings_, environment_, name_, address_.address, services_);
  if (!exporters) return failure(exporters.error());
  exporters_ = std::move(*exporters);
  auto metrics = NodeMetrics::open(settings_, environment_, command_, store_,
                                   exporters_ ? exporters_->listener() : NodeMetrics::Listener());
  if (!metrics) return failure(metrics.error());
  metrics_ = std::move(*metrics);
  return {};
}

void NodeAgent::beginLooking() {
  std::vector<MeasuredRank> ranks;
  std::map<int, pid_t> processes;
  const int first = place_.nodeRank * place_.ranksPerNode;
  for (int local = 0; local < place_.ranksPerNode; ++local) {
    const int rank = first + local;
    processes[rank] = attempt_->ranks.pidOf(rank);
    ranks.push_back({rank, processes[rank], {local}});
  }
  if (metrics_ && exporters_) exporters_->begin(ranks);
  if (metrics_) metrics_->begin(std::move(ranks), place_.worldSize());
  if (stacks_) stacks_->begin(std::move(processes));
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

Result<void> NodeAgent::startRanks() {
  files_->beginAttempt(attempt_->number);
  if (liveness_) liveness_->beginAttempt(attempt_->number, members_);
  attempt_->memoryKills = memoryKills();
  auto specs = rankSpecs(place_, command_, environment_, published_, address_.interface, attempt_->number);
  say("{} at {}: world size {}, main at {}:{}", name_, address_.address, place_.worldSize(),
      environmentValue(specs[0].environment, "MASTER_ADDR"),
      environmentValue(specs[0].environment, "MASTER_PORT"));
  if (metrics_) {
    for (RankSpec& spec : specs) metrics_->addTo(spec.environment);
    attempt_->ranks.setListener(
        [this](int rank, std::string_view bytes) { metrics_->onOutput(rank, bytes); });
  }
  auto started = attempt_->ranks.start(specs, settings_.ranksPerNode > 1 || settings_.isMultiNode());
  if (started) beginLooking();
  return started;
}

int NodeAgent::superviseRanks() {
  constexpr std::chrono::milliseconds kTick{50};
  Attempt& attempt = *attempt_;
  attempt.watch = std::make_unique<ClusterWatch>(*files_);
  while (!attempt.ranks.allEnded() || attempt.reportAt) {
    attempt.ranks.pump(kTick);
    reapOrphans(attempt.ranks.pids(), false, stacks_ ? stacks_->thread() : 0);
    if (attempt.ranks.allEnded()) std::this_thread::sleep_for(kTick);  // only a report is still open
    react();
  }
  attempt.watch.reset();
  if (stacks_) stacks_->end();
  reapOrphans({}, true);
  if (metrics_) metrics_->end();
  return isRestarting() ? kExitFailed : finish();
}

void NodeAgent::react() {
  Attempt& attempt = *attempt_;
  const auto now = Steady::now();
  const auto peer = attempt.watch->failure();
  if (const auto note = liveness_ ? liveness_->popNote() : std::nullopt) say("warning: {}", *note);
  if (attempt.exitCode) {
    if (attempt.reportAt) settleReport(peer);
    if (attempt.killAt && now >= *attempt.killAt) attempt.ranks.signalAll(SIGKILL);
    return;
  }
  if (attempt.ranks.firstFailure()) return onOwnFailure(*attempt.ranks.firstFailure());
  if (attempt.ranks.allEnded()) return;
  if (stop_.stop_requested()) return endRanks("told to stop (SIGTERM)", kExitTerminated);
  // Also one that names this node: the others have given it up, and go on or end without it.
  if (peer) return onPeerFailure(*peer);
  if (const auto loss = liveness_ ? liveness_->loss() : std::nullopt) return onNodeLoss(*loss);
  if (!attempt.watch->stopped()) return;
  if (!attempt.stopSeen) attempt.stopSeen = now;
  if (now - *attempt.stopSeen > kStopGrace) endRanks("the run was stopped by another node", 0);
}

bool NodeAgent::canRestart() const {
  return attempt_->number < settings_.maxRestarts;
}

bool NodeAgent::isRestarting() const {
  return attempt_->restart && attempt_->exitCode && !stop_.stop_requested() && canRestart();
}

void NodeAgent::onOwnFailure(const RankEnd& end) {
  const int code = end.exit.signal != 0 ? 128 + end.exit.signal : end.exit.exitCode;
  if (stop_.stop_requested()) return endRanks("told to stop (SIGTERM)", kExitTerminated);
  say("rank {} on {} {}", end.rank, name_, describeEnd(end.exit, attempt_->memoryKills));
  const bool isAlone = members_.size() == 1;  // nobody else could have been first
  attempt_->reportAt = Steady::now() + (isAlone ? std::chrono::seconds(0) : reportDelayFor(end.exit));
  if (liveness_ && end.exit.signal == 0) liveness_->expedite();
  endRanks(settings_.ranksPerNode > 1 ? fmt::format("rank {} is gone", end.rank) : std::string(), code);
}

void NodeAgent::onPeerFailure(const FailureRecord& record) {
  firstFailure_ = record;
  attempt_->restart = record.restart;
  endRanks(fmt::format("the first failure of the run: {}", record.what), kExitPeerFailed);
}

void NodeAgent::onNodeLoss(const NodeLoss& loss) {
  onPeerFailure(report(recordOf(loss)));
}

FailureRecord NodeAgent::report(const FailureRecord& record) {
  const auto standing = files_->reportFailure(record, SystemClock().now(), {});
  if (!standing) say("the other nodes cannot be told: {}", describe(standing.error()));
  firstFailure_ = standing ? *standing : record;
  attempt_->restart = firstFailure_->restart;
  if (attempt_->restart) return *firstFailure_;
  if (auto wrote = files_->writeStop({}); !wrote)
    say("the stop mark cannot be written: {}", describe(wrote.error()));
  return *firstFailure_;
}

void NodeAgent::endRanks(const std::string& why, int exitCode) {
  attempt_->exitCode = exitCode;
  attempt_->killAt = Steady::now() + kGrace;
  if (!why.empty()) say("{} ends its ranks: {}", name_, why);
  attempt_->ranks.signalAll(SIGTERM);
}

void NodeAgent::settleReport(const std::optional<FailureRecord>& peer) {
  Attempt& attempt = *attempt_;
  const auto loss = liveness_ ? liveness_->loss() : std::nullopt;
  if (stop_.stop_requested()) {
    attempt.exitCode =
        kExitTerminated;  // the whole run is being ended: what our ranks said follows from that
  } else if (peer) {
    firstFailure_ = peer;
    attempt.restart = peer->restart;
    say("it follows from the first failure of the run: {}", peer->what);
  } else if (loss || Steady::now() >= *attempt.reportAt) {
    const auto standing = report(loss ? recordOf(*loss) : recordOf(*attempt.ranks.firstFailure()));
    if (!isOwn(standing)) say("it follows from the first failure of the run: {}", standing.what);
  } else {
    return;
  }
  attempt.reportAt.reset();
}

FailureRecord NodeAgent::recordOf(const RankEnd& end) const {
  return {end.rank,
          name_,
          settings_.jobRunId,
          failureText(end, name_, attempt_->memoryKills),
          end.exit.signal,
          end.exit.exitCode,
          canRestart() && !wouldFailAgain(end.exit)};
}

FailureRecord NodeAgent::recordOf(const NodeLoss& loss) const {
  const auto place = std::find(members_.begin(), members_.end(), loss.last.node) - members_.begin();
  return {static_cast<int>(place) * settings_.ranksPerNode,
          loss.last.name,
          loss.last.jobRun,
          lossText(loss),
          0,
          0,
          canRestart()};
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
  if (!attempt.exitCode && isMainNow()) {
    if (auto wrote = files_->writeStop({}); !wrote)
      say("the stop mark cannot be written: {}", describe(wrote.error()));
  }
  if (isMainNow()) {
    if (auto retired = files_->retire({}); !retired)
      say("the main node's file cannot be removed: {}", describe(retired.error()));
  }
  // With several ranks here, what the others printed on their way out came after the line that matters.
  const auto& failed = attempt.ranks.firstFailure();
  const bool ours =
      attempt.exitCode && *attempt.exitCode != kExitTerminated && *attempt.exitCode != kExitPeerFailed;
  if (failed && ours && settings_.ranksPerNode > 1)
    say("rank {} on {} {}", failed->rank, name_, describeEnd(failed->exit, attempt.memoryKills));
  return attempt.exitCode.value_or(0);
}

}  // namespace lockstep::node
