// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/agent/framework_agent.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "trainer/node/agent/node_agent.h"
#include "trainer/node/code/code_source.h"
#include "trainer/node/code/training_command.h"
#include "trainer/node/liveness/failure_words.h"
#include "trainer/node/liveness/node_environment.h"
#include "trainer/node/processes/memory_kills.h"
#include "trainer/node/processes/node_log.h"
#include "trainer/node/processes/orphans.h"
#include "trainer/node/settings/listening.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

constexpr std::chrono::seconds kGrace{10};      // from SIGTERM to SIGKILL
constexpr std::chrono::seconds kStopGrace{30};  // for a script that still runs when the main node is done

// What follows from the end of another node comes a moment before that node has said so.
std::chrono::seconds reportDelayFor(const ClusterProcess& process, const ProcessExit& exit) {
  if (exit.signal != 0) return std::chrono::seconds(0);
  return std::chrono::seconds(process.duty == ClusterProcess::Duty::Service ? 5 : 3);
}

}  // namespace

FrameworkAgent::FrameworkAgent(NodeSettings settings, Environment environment, std::stop_token stop)
    : settings_(std::move(settings)),
      environment_(std::move(environment)),
      stop_(std::move(stop)),
      name_(settings_.defaultName()) {}

FrameworkAgent::~FrameworkAgent() = default;

int FrameworkAgent::run() {
  auto ready = prepare();
  if (ready) ready = meet();
  if (!ready) return reportStartFailure(ready.error());
  return supervise();
}

Result<void> FrameworkAgent::findPlace() {
  auto opened = openNodeStore(settings_, environment_);
  if (!opened) return failure(opened.error());
  services_ = std::move(opened->services);
  store_ = std::move(opened->store);
  common_ = std::make_unique<RendezvousFiles>(store_, settings_);
  rendezvous_ = std::make_unique<FrameworkRendezvous>(store_, settings_, *common_);
  if (auto numbered = readNumber(); !numbered) return numbered;
  name_ = nodeDisplayName(settings_, services_, stop_);
  auto address = nodeAddress(settings_, services_, stop_);
  if (!address) return failure(address.error());
  address_ = std::move(*address);
  say("{}: node {} of {} of a {} cluster, at {}, work dir {}", name_, settings_.nodeRank, settings_.nodeCount,
      traitsOf(settings_.framework).id, address_.address, settings_.workDir);
  if (!address_.note.empty()) say("note: {}", address_.note);
  if (settings_.maxRestarts > 0)
    say("note: LOCKSTEP_MAX_RESTARTS has no effect: only PYTORCH clusters are started again");
  return {};
}

Result<void> FrameworkAgent::readNumber() {
  if (settings_.isNumbered) return {};
  SystemClock clock;
  const auto index = rendezvous_->numberServer(clock, stop_);
  if (!index) return failure(index.error());
  settings_.nodeRank = 1 + settings_.workerCount() + *index;
  settings_.isNumbered = true;
  common_ = std::make_unique<RendezvousFiles>(store_, settings_);
  rendezvous_ = std::make_unique<FrameworkRendezvous>(store_, settings_, *common_);
  return {};
}

Result<void> FrameworkAgent::beginLiveness() {
  if (settings_.nodeCount < 2) return {};
  liveness_ = std::make_unique<NodeLiveness>(store_, settings_, name_, address_.address);
  return liveness_->start();
}

Result<void> FrameworkAgent::prepare() {
  if (auto found = findPlace(); !found) return found;
  if (auto begun = beginLiveness(); !begun) return begun;
  if (auto fetched = fetchCode(settings_, environment_, stop_); !fetched) return fetched;
  auto script = trainingCommand(settings_, environment_);
  if (!script) return failure(script.error());
  auto sync = ArtifactSync::open(settings_, environment_, services_, stop_);
  if (!sync) return failure(sync.error());
  sync_ = std::move(*sync);
  if (auto opened = openMetrics(*script); !opened) return opened;
  stacks_ = StackRequests::open(environment_, store_, {settings_.jobId, name_, address_.address});
  cluster_ = makeFrameworkCluster({settings_, environment_, name_, address_, services_, std::move(*script)});
  const auto ports = cluster_->prepare(stop_);
  if (!ports) return failure(ports.error());
  return testPorts(*ports);
}

// Before the cluster gets its environment, which the processes of the script inherit in their own ways.
Result<void> FrameworkAgent::openMetrics(const std::vector<std::string>& script) {
  auto exporters = Exporters::open(settings_, environment_, name_, address_.address, services_);
  if (!exporters) return failure(exporters.error());
  exporters_ = std::move(*exporters);
  auto metrics = NodeMetrics::open(settings_, environment_, script, store_,
                                   exporters_ ? exporters_->listener() : NodeMetrics::Listener());
  if (!metrics) return failure(metrics.error());
  metrics_ = std::move(*metrics);
  if (!metrics_) return {};
  metrics_->addTo(environment_);
  // Ranks of Horovod are numbered by its launcher; here the script is one process a node.
  if (settings_.framework != Framework::Horovod)
    environment_["LOCKSTEP_METRICS_RANK"] = std::to_string(settings_.nodeRank);
  return {};
}

// Its processes may be started by others than this agent, sshd among them: all that runs here counts as the first rank's.
void FrameworkAgent::beginLooking() {
  if (stacks_) stacks_->begin({{settings_.nodeRank * cluster_->ranksHere(), ::getpid()}});
  if (!metrics_) return;
  const int count = cluster_->ranksHere(), gpus = visibleGpuCount(), first = settings_.nodeRank * count;
  std::vector<int> all(static_cast<std::size_t>(gpus));
  std::iota(all.begin(), all.end(), 0);
  const bool isOneEach = count == gpus;
  std::vector<MeasuredRank> ranks{{first, ::getpid(), isOneEach ? std::vector{0} : all}};
  for (int local = 1; local < count; ++local)
    ranks.push_back({first + local, 0, isOneEach ? std::vector{local} : std::vector<int>()});
  if (exporters_) exporters_->begin(ranks);
  metrics_->begin(std::move(ranks), settings_.nodeCount * count);
  group_.setListener([this, first](int process, std::string_view bytes) {
    const ClusterProcess& one = processes_[static_cast<std::size_t>(process)];
    if (one.duty == ClusterProcess::Duty::Task) metrics_->onOutput(first, bytes);
  });
}

// Main takes away what is stale before any node can have seen the others.
Result<void> FrameworkAgent::testPorts(const std::vector<int>& ports) {
  std::optional<ConnectivityCheck> test;
  SystemClock clock;
  if (settings_.testReach && settings_.nodeCount > 1) {
    test.emplace(store_, settings_, name_, address_.address, ports);
    if (auto opened = test->open(clock, stop_); !opened) {
      if (opened.error().code == ErrorCode::AlreadyExists)
        opened.error().remedy = traitsOf(settings_.framework).portRemedy;
      return opened;
    }
  }
  if (settings_.isMain()) {
    if (auto cleared = common_->clearStale(stop_); !cleared) return cleared;
    if (auto cleared = rendezvous_->clearStale(stop_); !cleared) return cleared;
  }
  return test ? testWays(*test, name_, stop_) : Result<void>();
}

Result<void> FrameworkAgent::meet() {
  if (settings_.isMain()) {
    NodeSettings described = settings_;
    described.ranksPerNode = cluster_->ranksHere();
    if (auto told = RendezvousFiles(store_, described).describeRun(SystemClock().now(), stop_); !told)
      return told;
  }
  SystemClock clock;
  auto processes = cluster_->meet(*rendezvous_, *common_, clock, stop_);
  if (!processes) return failure(processes.error());
  processes_ = std::move(*processes);
  return {};
}

int FrameworkAgent::reportStartFailure(const Error& error) {
  if (stop_.stop_requested()) {
    say("told to stop before anything was started");
    return kExitTerminated;
  }
  say("{} cannot start: {}", name_, describe(error));
  if (common_) {
    const FailureRecord record{settings_.nodeRank,
                               name_,
                               settings_.jobRunId,
                               fmt::format("{} could not start: {}", name_, error.what),
                               0,
                               kExitFailed,
                               false};
    const auto reported = common_->reportFailure(record, SystemClock().now(), {});
    if (!reported) say("the other nodes cannot be told: {}", describe(reported.error()));
    if (auto told = rendezvous_->writeEnd(false, {}); !told)
      say("the stop mark cannot be written: {}", describe(told.error()));
  }
  return kExitFailed;
}

int FrameworkAgent::supervise() {
  constexpr std::chrono::milliseconds kTick{50};
  watch_ = std::make_unique<ClusterWatch>(*common_);
  memoryKills_ = memoryKills();
  std::vector<int> members(static_cast<std::size_t>(settings_.nodeCount));
  std::iota(members.begin(), members.end(), 0);
  if (liveness_) liveness_->beginAttempt(0, members);
  beginLooking();
  while (!exitCode_ || !group_.allEnded()) {
    group_.pump(kTick);
    reapOrphans(group_.pids(), false, stacks_ ? stacks_->thread() : 0);
    if (!exitCode_)
      react();
    else if (killAt_ && Steady::now() >= *killAt_)
      group_.signalAll(SIGKILL);
  }
  watch_.reset();
  if (stacks_) stacks_->end();
  reapOrphans({}, true);
  if (metrics_) metrics_->end();
  return finish();
}

bool FrameworkAgent::isOwn(const FailureRecord& record) const {
  return record.jobRun == settings_.jobRunId && (!settings_.isMultiNode() || record.node == name_);
}

void FrameworkAgent::react() {
  if (stop_.stop_requested()) return endAll("told to stop (SIGTERM)", kExitTerminated);
  const auto peer = watch_->failure();
  if (peer && !isOwn(*peer))
    return endAll(fmt::format("the first failure of the run: {}", peer->what), kExitPeerFailed);
  if (!settings_.isMain() && watch_->stopped()) return onStopMark();
  if (const auto note = liveness_ ? liveness_->popNote() : std::nullopt) say("warning: {}", *note);
  if (const auto loss = liveness_ ? liveness_->loss() : std::nullopt) return onLoss(*loss);
  if (reportAt_) return settle();
  if (const auto bad = badEnd()) {
    const RankEnd end = *group_.endOf(static_cast<int>(*bad));
    say("{} on {} {}", processes_[*bad].name, name_, describeEnd(end.exit, memoryKills_));
    if (liveness_ && end.exit.signal == 0) liveness_->expedite();
    reportAt_ = Steady::now() + reportDelayFor(processes_[*bad], end.exit);
    return;
  }
  if (isDone()) {
    if (settings_.isMain()) {
      // Before the services go: the others must not take their end for a failure.
      if (auto told = rendezvous_->writeEnd(true, {}); !told)
        say("the stop mark cannot be written: {}", describe(told.error()));
    }
    return endAll({}, 0);
  }
  advance();
}

// A node that ended without a word: nobody else will say so.
void FrameworkAgent::onLoss(const NodeLoss& loss) {
  const FailureRecord record{loss.last.node, loss.last.name, loss.last.jobRun, lossText(loss), 0, 0, false};
  const auto standing = common_->reportFailure(record, SystemClock().now(), {});
  if (!standing) say("the other nodes cannot be told: {}", describe(standing.error()));
  if (auto told = rendezvous_->writeEnd(false, {}); !told)
    say("the stop mark cannot be written: {}", describe(told.error()));
  endAll(fmt::format("the first failure of the run: {}", standing ? standing->what : record.what),
         kExitPeerFailed);
}

// The main node is done: services go, a script of our own gets some time.
void FrameworkAgent::onStopMark() {
  const auto now = Steady::now();
  if (!stopSeen_) stopSeen_ = now;
  const bool working =
      started_ > 0 && processes_[started_ - 1].duty == ClusterProcess::Duty::Task && !hasEnded(started_ - 1);
  if (!working) return endAll({}, 0);
  if (now - *stopSeen_ > kStopGrace) endAll("the run was stopped by another node", 0);
}

bool FrameworkAgent::hasEnded(std::size_t process) const {
  return group_.endOf(static_cast<int>(process)).has_value();
}

std::optional<std::size_t> FrameworkAgent::badEnd() const {
  for (std::size_t i = 0; i < started_; ++i) {
    const auto end = group_.endOf(static_cast<int>(i));
    if (!end) continue;
    const bool early = processes_[i].duty == ClusterProcess::Duty::Service && !processes_[i].mayEndEarly;
    if (early || !end->exit.ok()) return i;
  }
  return std::nullopt;
}

bool FrameworkAgent::isDone() const {
  const std::size_t last = processes_.size() - 1;
  return started_ == processes_.size() && processes_[last].duty == ClusterProcess::Duty::Task &&
         hasEnded(last);
}

bool FrameworkAgent::isSatisfied(std::size_t process) {
  const ClusterProcess& one = processes_[process];
  if (one.duty == ClusterProcess::Duty::Task) return hasEnded(process);
  if (told_ > process) return true;
  if (one.port != 0 && !isListening(address_.address, one.port)) return false;
  if (one.whenReady) {
    if (auto told = one.whenReady(stop_); !told) {
      fail(told.error());
      return false;
    }
  }
  told_ = process + 1;
  return true;
}

void FrameworkAgent::advance() {
  if (started_ > 0 && (!isSatisfied(started_ - 1) || exitCode_)) return;
  if (started_ == processes_.size()) return;
  if (auto begun = startNext(); !begun) fail(begun.error());
}

Result<void> FrameworkAgent::startNext() {
  const ClusterProcess& next = processes_[started_];
  say("{} starts {}", name_, next.name);
  RankSpec spec{static_cast<int>(started_), next.command, next.environment, next.label};
  auto begun = group_.start({std::move(spec)}, false);
  if (begun) ++started_;
  return begun;
}

// Something of our own, not of a process that we started.
void FrameworkAgent::fail(const Error& error) {
  if (stop_.stop_requested()) return;
  say("{}: {}", name_, describe(error));
  const FailureRecord record{
      settings_.nodeRank, name_, settings_.jobRunId, fmt::format("{}: {}", name_, error.what), 0,
      kExitFailed,        false};
  const auto reported = common_->reportFailure(record, SystemClock().now(), {});
  if (!reported) say("the other nodes cannot be told: {}", describe(reported.error()));
  if (auto told = rendezvous_->writeEnd(false, {}); !told)
    say("the stop mark cannot be written: {}", describe(told.error()));
  endAll({}, kExitFailed);
}

void FrameworkAgent::settle() {
  if (Steady::now() < *reportAt_) return;
  const std::size_t process = *badEnd();
  const RankEnd end = *group_.endOf(static_cast<int>(process));
  report(process, end);
}

void FrameworkAgent::report(std::size_t process, const RankEnd& end) {
  const ClusterProcess& one = processes_[process];
  std::string what = fmt::format("{} on {} {}", one.name, name_, describeEnd(end.exit, memoryKills_));
  constexpr std::size_t kLongestQuote = 300;
  if (end.exit.signal == 0 && !end.lastLine.empty())
    what += fmt::format("; its last line: {}", end.lastLine.substr(0, kLongestQuote));
  if (!one.remedy.empty()) say("{}", one.remedy);
  const FailureRecord record{settings_.nodeRank, name_, settings_.jobRunId, what, end.exit.signal,
                             end.exit.exitCode,  false};
  const auto standing = common_->reportFailure(record, SystemClock().now(), {});
  if (!standing) say("the other nodes cannot be told: {}", describe(standing.error()));
  if (standing && !isOwn(*standing))
    return endAll(fmt::format("it follows from the first failure of the run: {}", standing->what),
                  kExitPeerFailed);
  if (auto told = rendezvous_->writeEnd(false, {}); !told)
    say("the stop mark cannot be written: {}", describe(told.error()));
  const int code = end.exit.signal != 0 ? 128 + end.exit.signal : end.exit.exitCode;
  endAll({}, code == 0 ? kExitFailed : code);
}

void FrameworkAgent::endAll(const std::string& why, int exitCode) {
  exitCode_ = exitCode;
  killAt_ = Steady::now() + kGrace;
  if (!why.empty()) say("{} ends its processes: {}", name_, why);
  group_.signalAll(SIGTERM);
}

int FrameworkAgent::finish() {
  if (*exitCode_ == 0) say("{}: done", name_);
  cluster_.reset();
  if (sync_) {
    const auto kept = sync_->syncNow({});
    if (!kept) say("not all results could be kept: {}", describe(kept.error()));
    say("{} files of '{}' are kept in sync/{}/{}/", sync_->filesKept(), settings_.syncFolder.string(),
        settings_.jobId, settings_.jobRunId);
  }
  if (auto retired = rendezvous_->retire({}); !retired)
    say("the files of this node cannot be removed: {}", describe(retired.error()));
  return *exitCode_;
}

}  // namespace lockstep::node
