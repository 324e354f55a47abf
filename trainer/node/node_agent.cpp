// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/node_agent.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "oci/data_science_client.h"
#include "oci/object_storage_client.h"
#include "trainer/node/cluster_file.h"
#include "trainer/node/master_port.h"
#include "trainer/node/training_command.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

constexpr std::chrono::seconds kGrace{10};      // from SIGTERM to SIGKILL
constexpr std::chrono::seconds kStopGrace{30};  // for ranks that still run when the main node is done
constexpr int kTrainerPeerLost = 12;            // lockstep-trainer's codes for "another rank was first"
constexpr int kTrainerTimedOut = 13;

template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  writeAll(STDOUT_FILENO, "[node] " + fmt::format(format, std::forward<Args>(args)...) + "\n");
}

std::string endText(const ProcessExit& exit) {
  if (exit.signal != 0)
    return fmt::format("was killed by signal {} ({})", exit.signal, ::strsignal(exit.signal));
  return fmt::format("ended with exit code {}", exit.exitCode);
}

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
  if (ready) ready = startRanks();
  if (!ready) {
    if (stop_.stop_requested()) {
      say("told to stop before the ranks were started");
      return kExitTerminated;
    }
    say("{} cannot start its ranks: {}", name_, describe(ready.error()));
    if (board_) {
      const FailureRecord record{settings_.nodeRank * settings_.ranksPerNode,
                                 name_,
                                 settings_.jobRunId,
                                 fmt::format("{} could not start its ranks: {}", name_, ready.error().what),
                                 0,
                                 kExitFailed};
      const auto reported = board_->reportFailure(record, SystemClock().now(), {});
      if (!reported) say("the other nodes cannot be told: {}", describe(reported.error()));
    }
    return kExitFailed;
  }
  return superviseRanks();
}

Result<void> NodeAgent::prepare() {
  const auto uri = parseWorkDirUri(settings_.workDir);
  if (!uri) return failure(uri.error());
  if (uri->scheme == WorkDirUri::Scheme::Oci || !settings_.outsideService()) {
    auto services = oci::openServiceClientInJobRun(environment_);
    if (services) services_ = *services;
    if (!services && uri->scheme == WorkDirUri::Scheme::Oci) return failure(services.error());
  }
  auto store = oci::openWorkDir(services_, settings_.workDir);
  if (!store) return failure(store.error());
  board_ = std::make_unique<ClusterBoard>(*store, settings_);
  name_ = nodeName();
  say("{}: node {} of {}, {} rank{} here, work dir {}", name_, settings_.nodeRank, settings_.nodeCount,
      settings_.ranksPerNode, settings_.ranksPerNode == 1 ? "" : "s", settings_.workDir);
  if (auto found = findAddress(); !found) return found;
  if (!address_.note.empty()) say("note: {}", address_.note);
  return {};
}

Result<void> NodeAgent::findAddress() {
  if (settings_.isMultiNode()) {
    SystemClock clock;
    const auto addresses = awaitCluster(settings_, clock, stop_);
    if (!addresses) return failure(addresses.error());
    address_ = ownAmong(*addresses, settings_);
    return {};
  }
  auto address = findOwnAddress(settings_, services_, stop_);
  if (!address) return failure(address.error());
  address_ = *address;
  return {};
}

// All nodes of a multi-node run are the same job run.
bool NodeAgent::isOwn(const FailureRecord& record) const {
  return record.jobRun == settings_.jobRunId && (!settings_.isMultiNode() || record.node == name_);
}

std::string NodeAgent::nodeName() {
  if (!services_ || settings_.outsideService() || settings_.isMultiNode()) return settings_.defaultName();
  const auto run = oci::DataScienceClient(services_).getJobRun(settings_.jobRunId, stop_);
  if (!run) return settings_.defaultName();  // only a name for people
  const auto name = run->find("displayName");
  return name != run->end() && name->is_string() ? name->get<std::string>() : settings_.defaultName();
}

Result<void> NodeAgent::startRanks() {
  const auto command = trainingCommand(settings_, environment_);
  if (!command) return failure(command.error());
  std::optional<MasterPort> port;
  if (settings_.isMain()) {
    if (auto cleared = board_->clearStale(stop_); !cleared) return cleared;
    auto chosen = MasterPort::choose(settings_.masterPort);
    if (!chosen) return failure(chosen.error());
    port.emplace(std::move(*chosen));
    if (auto told = board_->publishMain(address_.address, port->port(), stop_); !told) return told;
    if (auto told = board_->describeRun(SystemClock().now(), stop_); !told) return told;
  } else if (auto told = board_->publishWorker(address_.address, stop_); !told) {
    return told;
  }
  SystemClock clock;
  auto published = board_->awaitMain(clock, stop_);
  if (!published) return failure(published.error());
  published_ = std::move(*published);
  const auto specs = rankSpecs(settings_, *command, environment_, published_, address_.interface);
  say("{} at {}: world size {}, main at {}:{}", name_, address_.address, settings_.worldSize(),
      valueOf(specs[0].environment, "MASTER_ADDR"), valueOf(specs[0].environment, "MASTER_PORT"));
  masterPort_ = std::move(port);
  return ranks_.start(specs, settings_.ranksPerNode > 1 || settings_.isMultiNode());
}

int NodeAgent::superviseRanks() {
  constexpr std::chrono::milliseconds kTick{50};
  watch_ = std::make_unique<ClusterWatch>(*board_);
  while (!ranks_.allEnded() || reportAt_) {
    ranks_.pump(kTick);
    if (ranks_.allEnded()) std::this_thread::sleep_for(kTick);  // only a report is still open
    react();
  }
  return finish();
}

void NodeAgent::react() {
  const auto now = Steady::now();
  const auto peer = watch_->failure();
  const bool peerFailed = peer && !isOwn(*peer);
  if (exitCode_) {
    if (reportAt_) settleReport(peerFailed ? peer : std::nullopt);
    if (killAt_ && now >= *killAt_) ranks_.signalAll(SIGKILL);
    return;
  }
  if (ranks_.firstFailure()) return onOwnFailure(*ranks_.firstFailure());
  if (ranks_.allEnded()) return;
  if (stop_.stop_requested()) return endRanks("told to stop (SIGTERM)", kExitTerminated);
  if (peerFailed)
    return endRanks(fmt::format("the first failure of the run: {}", peer->what), kExitPeerFailed);
  if (!watch_->stopped()) return;
  if (!stopSeen_) stopSeen_ = now;
  if (now - *stopSeen_ > kStopGrace) endRanks("the run was stopped by another node", 0);
}

void NodeAgent::onOwnFailure(const RankEnd& end) {
  const int code = end.exit.signal != 0 ? 128 + end.exit.signal : end.exit.exitCode;
  if (stop_.stop_requested()) return endRanks("told to stop (SIGTERM)", kExitTerminated);
  say("rank {} on {} {}", end.rank, name_, endText(end.exit));
  reportAt_ = Steady::now() + patienceFor(end.exit);
  endRanks(settings_.ranksPerNode > 1 ? fmt::format("rank {} is gone", end.rank) : std::string(), code);
}

void NodeAgent::endRanks(const std::string& why, int exitCode) {
  exitCode_ = exitCode;
  killAt_ = Steady::now() + kGrace;
  if (!why.empty()) say("{} ends its ranks: {}", name_, why);
  ranks_.signalAll(SIGTERM);
}

void NodeAgent::settleReport(const std::optional<FailureRecord>& peer) {
  if (stop_.stop_requested()) {
    reportAt_.reset();  // the whole run is being ended: what our ranks said follows from that
    exitCode_ = kExitTerminated;
  } else if (peer) {
    reportAt_.reset();
    say("it follows from the first failure of the run: {}", peer->what);
  } else if (Steady::now() >= *reportAt_) {
    reportAt_.reset();
    const auto standing = board_->reportFailure(recordOf(*ranks_.firstFailure()), SystemClock().now(), {});
    if (!standing) return say("the other nodes cannot be told: {}", describe(standing.error()));
    if (!isOwn(*standing)) say("it follows from the first failure of the run: {}", standing->what);
    if (auto wrote = board_->writeStop({}); !wrote)
      say("the stop mark cannot be written: {}", describe(wrote.error()));
  }
}

FailureRecord NodeAgent::recordOf(const RankEnd& end) const {
  std::string what = fmt::format("rank {} on {} {}", end.rank, name_, endText(end.exit));
  constexpr std::size_t kLongestQuote = 300;
  if (end.exit.signal == 0 && !end.lastLine.empty())
    what += fmt::format("; its last line: {}", end.lastLine.substr(0, kLongestQuote));
  return {end.rank, name_, settings_.jobRunId, what, end.exit.signal, end.exit.exitCode};
}

int NodeAgent::finish() {
  if (!exitCode_) say("{}: all ranks here are done", name_);
  if (!exitCode_ && settings_.isMain()) {
    if (auto wrote = board_->writeStop({}); !wrote)
      say("the stop mark cannot be written: {}", describe(wrote.error()));
  }
  if (settings_.isMain()) {
    if (auto retired = board_->retire({}); !retired)
      say("the main node's file cannot be removed: {}", describe(retired.error()));
  }
  // With several ranks here, what the others printed on their way out came after the line that matters.
  const auto& failed = ranks_.firstFailure();
  const bool ours = exitCode_ && *exitCode_ != kExitTerminated && *exitCode_ != kExitPeerFailed;
  if (failed && ours && settings_.ranksPerNode > 1)
    say("rank {} on {} {}", failed->rank, name_, endText(failed->exit));
  return exitCode_.value_or(0);
}

}  // namespace lockstep::node
