// SPDX-License-Identifier: GPL-3.0-or-later
// What the driver of a run does with its nodes: start, look, end.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "base/child_process.h"
#include "rehearsal/jobs/job_artifacts.h"
#include "rehearsal/jobs/node_command.h"
#include "rehearsal/jobs/run_driver.h"
#include "rehearsal/jobs/run_environment.h"
#include "rehearsal/jobs/run_metrics.h"
#include "rehearsal/logging/log_intake.h"
#include "rehearsal/network/service/vcn_network.h"
#include "rehearsal/support/process_tree.h"
#include "rehearsal/support/region_log.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds kSupervisorStart{20};  // from its start to its record in the folder
constexpr std::chrono::seconds kOverGrace{10};        // so much after the grace we end the tree ourselves

long long nowMillis(Clock& clock) {
  return toMillis(clock.now());
}

std::vector<ProcessMark> strays(const Resource& run, bool multiNode, int rank) {
  if (!multiNode) return processesOfRun(run.id);
  return processesOfRun(run.id, std::string(kNodeVariable) + "=" + std::to_string(rank));
}

// What the node finds at /code; empty: nothing.
Result<std::filesystem::path> codeOf(const RunnerSetup& setup, const Resource& run) {
  const std::string name = run.hidden.value("code", "");
  if (name.empty()) return std::filesystem::path();
  const std::filesystem::path code = setup.codeFolder / name;
  std::error_code error;
  if (std::filesystem::is_directory(code, error)) return code;
  return failure(ErrorCode::NotFound, "the code that this job was launched with is not there any more",
                 "'" + code.string() + "' is no folder", "launch the train.yaml once more");
}

std::optional<NodeStrike> strikeOn(const Resource& run, int rank) {
  for (const auto& strike : run.hidden.value("strikes", nlohmann::json::array()))
    if (strike.value("node", 0) == rank)
      return NodeStrike{strike.value("signal", 0), std::chrono::milliseconds(strike.value("afterMs", 0LL))};
  return std::nullopt;
}

}  // namespace

void RunDriver::launchNodes(const Resource& run) {
  for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
    const int first = plan_.firstRankOf(g);
    for (int rank = first; rank < first + plan_.groups[g].replicas; ++rank) {
      Node& node = nodes_[static_cast<std::size_t>(rank)];
      if (node.launchedAt || node.end) continue;
      node.launchedAt = SteadyClock::now();
      // After a restart of the region. A second supervisor would give up at once, but is not needed.
      if (readSupervisor(node.folder) || readEnd(node.folder)) continue;
      if (auto launched = launchNode(run, node); !launched) loseNode(run, node, describe(launched.error()));
    }
    if (plan_.inOrder && !groupStarted(g)) return;
  }
}

Result<void> RunDriver::launchNode(const Resource& run, Node& node) {
  NodeAttachment lease{"127.0.0.1", {}, {}};
  if (parts_.setup.network != nullptr) {
    auto joined = parts_.setup.network->join(run.id, node.rank, plan_.subnetId);
    if (!joined) return failure(joined.error());
    lease = std::move(*joined);
  }
  const auto artifact = deliverArtifact(parts_.database, parts_.setup, run.parent, node.folder.work());
  if (!artifact) return failure(artifact.error());
  const auto code = codeOf(parts_.setup, run);
  if (!code) return failure(code.error());
  const GroupPlan& group = plan_.groups[plan_.groupOf(node.rank)];
  auto spec = nodeTask(parts_.setup, plan_, group, *artifact);
  if (!spec) return failure(spec.error());
  spec->code = *code;
  spec->runId = run.id;
  spec->node = node.rank;
  spec->network = lease.spec;
  spec->strike = strikeOn(run, node.rank);
  spec->environment = nodeEnvironment(run, plan_, folder_, node.folder.work(),
                                      {parts_.setup.program.parent_path(), parts_.setup.endpoint, node.rank,
                                       lease.environment, artifact->name, parts_.setup.clientEnvironment});
  node.address = lease.address;
  if (auto written = writeSpec(node.folder, *spec); !written) return written;
  ProcessOptions options;
  options.command = {parts_.setup.program.string(), "supervise", node.folder.path.string()};
  options.environment = {{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
                         {"LANG", "C.UTF-8"}};
  options.workingDirectory = node.folder.path;
  const auto supervisor = ChildProcess::start(options);
  if (!supervisor) return failure(supervisor.error());
  return {};
}

// Takes down that a node has no end of its own.
void RunDriver::loseNode(const Resource& run, Node& node, const std::string& why) {
  NodeEnd end{NodeEnd::Why::CannotStart, 0, 0, why};
  end.time = nowMillis(parts_.clock);
  logLine(fmt::format("job run {}, node {}: {}", run.id, node.rank, why));
  if (auto written = writeEnd(node.folder, end); !written)
    logLine("job run " + run.id + ": " + describe(written.error()));
  node.end = end;
}

void RunDriver::refreshNode(const Resource& run, Node& node) {
  const auto supervisor = readSupervisor(node.folder);
  const bool alive = supervisor && isAlive(*supervisor);
  const auto end = readEnd(node.folder);  // after the look at the process: the report precedes its end
  std::error_code ec;
  node.started = node.started || std::filesystem::exists(node.folder.started(), ec);
  copyOutput(run, node);
  if (end) {
    node.end = end;
  } else if (!supervisor && SteadyClock::now() - *node.launchedAt > kSupervisorStart) {
    NodeEnd never{NodeEnd::Why::CannotStart, 0, 0, "its supervisor did not start"};
    never.time = nowMillis(parts_.clock);
    static_cast<void>(stopBeforeStart(node.folder, never));  // the next look reads what stands then
  } else if (supervisor && !alive) {
    const std::vector<ProcessMark> left = strays(run, plan_.multiNode, node.rank);
    signalEach(left, SIGKILL);
    if (left.empty())
      loseNode(run, node, "its supervisor ended without a report; what was left of the run was killed");
  }
}

// The file appears once the first nodes run and is complete when all do, as in the service: nodes poll it.
void RunDriver::notifyNodes(const Resource& run) {
  std::vector<ClusterEntry> entries;
  for (Node& node : nodes_) {
    if (!node.launchedAt || (!node.started && !node.end && !readSupervisor(node.folder))) continue;
    if (node.address.empty()) {  // launched by a region that was killed: it still has its address
      node.address = "127.0.0.1";
      if (parts_.setup.network != nullptr)
        if (const auto lease = parts_.setup.network->join(run.id, node.rank, plan_.subnetId))
          node.address = lease->address;
    }
    entries.push_back({node.rank, node.address});
  }
  if (entries.size() <= told_) return;
  if (const auto written = writeClusterFile(folder_, entries); written) {
    told_ = entries.size();
  } else {
    logLine("job run " + run.id + ": " + describe(written.error()));
  }
}

bool RunDriver::endNode(const Resource& run, Node& node) {
  const auto supervisor = readSupervisor(node.folder);
  const bool alive = supervisor && isAlive(*supervisor);
  const auto end = readEnd(node.folder);
  copyOutput(run, node);
  if (end || !supervisor) {
    NodeEnd canceled{NodeEnd::Why::Canceled, 0, 0, {}};
    canceled.time = nowMillis(parts_.clock);
    if (!end && !stopBeforeStart(node.folder, canceled)) return false;
    node.end = end ? end : canceled;
    return true;
  }
  if (!alive) {
    const std::vector<ProcessMark> left = strays(run, plan_.multiNode, node.rank);
    signalEach(left, SIGKILL);
    if (left.empty())
      loseNode(run, node, "its supervisor ended without a report; what was left of the run was killed");
    return left.empty();
  }
  const auto now = SteadyClock::now();
  if (!node.endAsked) {
    node.endAsked = now;
    signalProcess(*supervisor, SIGTERM);
  } else if (now - *node.endAsked > parts_.setup.grace + kOverGrace) {
    signalEach(descendantsOf(supervisor->pid), SIGKILL);
    signalProcess(*supervisor, SIGKILL);
  }
  return false;
}

void RunDriver::copyOutput(const Resource& run, const Node& node) {
  const std::string place = plan_.multiNode ? fmt::format("{}#{}", run.id, node.rank) : run.id;
  const auto logs = run.body.find("logDetails");
  if (logs != run.body.end() && logs->is_object())
    while (copySomeLines(parts_.database, {run.id, (*logs)["logId"], node.folder.output(), place},
                         parts_.clock.now())) {
    }
  const SampleIntake samples{run.id, run.compartment, node.folder.metrics(), node.rank,
                             static_cast<int>(nodes_.size())};
  while (copySomeSamples(parts_.database, samples)) {
  }
}

}  // namespace lockstep::rehearsal
