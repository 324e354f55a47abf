// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/run_driver.h"

#include <fmt/format.h>

#include <algorithm>

#include "rehearsal/jobs/run_environment.h"
#include "rehearsal/limits/service_limits.h"
#include "rehearsal/network/service/vcn_network.h"
#include "rehearsal/support/region_log.h"

namespace lockstep::rehearsal {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds kTearDown{30};  // over the grace; later somebody has to look at it

bool isOpen(const std::string& state) {
  return state == "ACCEPTED" || state == "IN_PROGRESS" || state == "CANCELING" || state == "NEEDS_ATTENTION";
}

// How a run will end once everything of it is gone; kept with the run, so that a restart knows it.
void setOutcome(Resource& run, const std::string& state, const std::string& details, int failedGroup = -1) {
  run.hidden["outcome"] = {{"state", state}, {"details", details}, {"failedGroup", failedGroup}};
}

void setGroupState(Resource& run, std::size_t group, const std::string& state, const std::string& details) {
  auto groups = run.body.find("nodeGroupDetailsList");
  if (groups == run.body.end() || group >= groups->size()) return;
  (*groups)[group]["lifecycleState"] = state;
  (*groups)[group]["lifecycleDetails"] = details.empty() ? nlohmann::json() : nlohmann::json(details);
}

}  // namespace

RunFolder runFolderOf(const RunnerSetup& setup, const std::string& runId) {
  const std::size_t dot = runId.rfind('.');
  return {setup.runsFolder / runId.substr(dot == std::string::npos ? 0 : dot + 1)};
}

std::filesystem::path diskFullMarkOf(const RunnerSetup& setup) {
  return setup.runsFolder / "disk-full";
}

RunDriver::RunDriver(const RunnerParts& parts, const Resource& run)
    : parts_(parts),
      plan_(planOf(run)),
      folder_(runFolderOf(parts.setup, run.id)),
      since_(SteadyClock::now()) {
  for (int rank = 0; rank < plan_.nodes(); ++rank) {
    Node node;
    node.rank = rank;
    node.folder = plan_.multiNode ? folder_.node(rank) : folder_.onlyNode();
    nodes_.push_back(std::move(node));
  }
}

void RunDriver::advance(Resource run) {
  if (run.state == "ACCEPTED") {
    provision(run);
  } else if (run.state == "IN_PROGRESS" && !run.hidden.contains("outcome")) {
    work(run);
  } else {
    finish(run);
  }
}

void RunDriver::cancel(Resource& run, const std::string& why) {
  run.hidden["canceledBecause"] = why;
  say(run, "CANCELING", why);
}

// Writes a change, unless somebody else changed the run since we read it: then the next look decides anew.
void RunDriver::say(Resource& run, const std::string& state, const std::string& details) {
  Transaction transaction(parts_.database);
  const auto now = findResource(transaction, kind::kJobRun, run.id);
  if (!now || now->etag != run.etag) return;
  run.state = state;
  run.body["lifecycleState"] = state;
  run.body["lifecycleDetails"] = details;
  if (state == "IN_PROGRESS" && run.body["timeStarted"].is_null())
    run.body["timeStarted"] = timeText(toMillis(parts_.clock.now()));
  run.etag = updateResource(transaction, run);
  transaction.commit();
}

void RunDriver::provision(Resource& run) {
  if (!sessionKey_) sessionKey_ = parts_.keys.order();
  const auto elapsed = SteadyClock::now() - since_;
  const auto& whole = parts_.setup.provisioning;
  const std::string shown = run.body.value("lifecycleDetails", "");
  const auto tell = [&](const char* details) {
    if (shown != details) say(run, "ACCEPTED", details);
  };
  const bool hasKey = sessionKey_->ready();
  if (elapsed >= whole && run.hidden.contains("noCapacity")) {
    setOutcome(run, "FAILED", "Job run failed: Out of host capacity. No infrastructure was provisioned.", 0);
    endRun(run);
  } else if (elapsed >= whole && hasKey) {
    const auto prepared = prepare(run);
    if (prepared) {
      say(run, "IN_PROGRESS", "Job run artifact execution in progress.");
      if (run.state == "IN_PROGRESS") work(run);  // its nodes need not wait for the next look
      return;
    }
    setOutcome(run, "FAILED", "Job run failed: " + describe(prepared.error()), 0);
    endRun(run);
  } else if (elapsed >= whole * 3 / 4) {
    tell("Job run bootstrap complete. Artifact execution starting.");
  } else if (elapsed >= whole / 2) {
    tell("Job run bootstrap starting.");
  } else if (elapsed >= whole / 4) {
    tell("Infrastructure provisioned.");
  }
}

// Before the run is IN_PROGRESS, so that a region that finds it in that state finds this, too.
Result<void> RunDriver::prepare(const Resource& run) {
  auto key = sessionKey_->take();
  sessionKey_.reset();
  if (!key) return failure(key.error());
  if (auto made = makeRunFolder(folder_, *key); !made) return made;
  const auto expiry = writeRunToken(run, folder_, parts_.tokens, parts_.clock.now());
  if (!expiry) return failure(expiry.error());
  tokenExpiry_ = *expiry;
  return {};
}

void RunDriver::work(Resource& run) {
  launchNodes(run);
  for (Node& node : nodes_)
    if (node.launchedAt && !node.end) refreshNode(run, node);
  if (plan_.multiNode) {
    notifyNodes(run);
    showGroups(run);
  }
  refreshToken(run);
  decide(run);
}

bool RunDriver::groupStarted(std::size_t group) const {
  const int first = plan_.firstRankOf(group);
  for (int rank = first; rank < first + plan_.groups[group].replicas; ++rank) {
    const Node& node = nodes_[static_cast<std::size_t>(rank)];
    if (!node.started && !node.end) return false;
  }
  return true;
}

const RunDriver::Node* RunDriver::firstFailure(std::size_t group) const {
  const Node* first = nullptr;
  for (const Node& node : nodes_) {
    const bool failed =
        node.end && plan_.groupOf(node.rank) == group && !outcomeOf(*node.end, plan_.longest).success;
    if (failed && (first == nullptr || node.end->time < first->end->time)) first = &node;
  }
  return first;
}

void RunDriver::showGroups(Resource& run) {
  bool changed = false;
  const nlohmann::json groups = run.body.value("nodeGroupDetailsList", nlohmann::json::array());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].value("lifecycleState", "") != "CREATING" || !groupStarted(g)) continue;
    setGroupState(run, g, "ACTIVE", "");
    changed = true;
  }
  if (changed) say(run, run.state, run.body.value("lifecycleDetails", ""));
}

// A group needs so many successes, and the run needs its groups (oci-rest-contract 4.5). What still runs when
// that is settled, either way, is ended.
void RunDriver::decide(Resource& run) {
  bool allReached = true, anyNeeded = false;
  for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
    const GroupPlan& group = plan_.groups[g];
    int succeeded = 0, failed = 0;
    for (const Node& node : nodes_)
      if (node.end && plan_.groupOf(node.rank) == g)
        ++(outcomeOf(*node.end, plan_.longest).success ? succeeded : failed);
    anyNeeded = anyNeeded || group.minimumSuccess > 0;
    allReached = allReached && succeeded >= group.minimumSuccess;
    if (group.replicas - failed >= group.minimumSuccess) continue;
    return settle(run, "FAILED", failureText(*firstFailure(g)), static_cast<int>(g));
  }
  const bool allEnded = std::all_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.end; });
  if (allReached && (anyNeeded || allEnded))
    settle(run, "SUCCEEDED", "Job run artifact execution succeeded. Infrastructure de-provisioning.", -1);
}

std::string RunDriver::failureText(const Node& node) const {
  const NodeOutcome outcome = outcomeOf(*node.end, plan_.longest);
  const std::string lost =
      node.end->linesLost > 0 ? fmt::format(" {} lines could not be kept.", node.end->linesLost) : "";
  const bool exited = node.end->why == NodeEnd::Why::Exited;
  const std::string rest = (exited ? ". Infrastructure de-provisioning." : ".") + lost;
  if (!plan_.multiNode) return "Job run failed: " + outcome.what + rest;
  return fmt::format("Job run failed: node {} of the group '{}': {}{}", node.rank,
                     plan_.groups[plan_.groupOf(node.rank)].name, outcome.what, rest);
}

void RunDriver::settle(Resource& run, const std::string& state, const std::string& details, int failedGroup) {
  setOutcome(run, state, details, failedGroup);
  const bool quiet =
      std::all_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.end || !n.launchedAt; });
  if (quiet) return endRun(run);
  for (std::size_t g = 0; g < plan_.groups.size(); ++g)
    setGroupState(run, g, static_cast<int>(g) == failedGroup ? "FAILED" : "DELETING",
                  static_cast<int>(g) == failedGroup ? details : "");
  say(run, "IN_PROGRESS", "Job run artifact execution ended. Infrastructure de-provisioning.");
}

void RunDriver::finish(Resource& run) {
  bool allGone = true;
  for (Node& node : nodes_)
    if (!node.end) allGone = endNode(run, node) && allGone;
  if (allGone) return endRun(run);
  if (run.state == "NEEDS_ATTENTION") return;  // what still lives may yet go, and a cancel tries again
  if (!finishingSince_) finishingSince_ = SteadyClock::now();
  if (SteadyClock::now() - *finishingSince_ <= parts_.setup.grace + kTearDown) return;
  finishingSince_.reset();
  if (run.state == "CANCELING") setOutcome(run, "CANCELED", canceledText(run));
  say(run, "NEEDS_ATTENTION", "Job run needs attention: processes of it do not end. Cancel it to try again.");
}

std::string RunDriver::canceledText(const Resource& run) {
  const std::string why = run.hidden.value("canceledBecause", "");
  return why.empty() ? "Job run canceled." : "Job run canceled: " + why;
}

void RunDriver::endRun(Resource& run) {
  if (parts_.setup.network != nullptr) parts_.setup.network->leave(run.id);
  Transaction transaction(parts_.database);
  auto now = findResource(transaction, kind::kJobRun, run.id);
  done_ = true;
  if (!now || !isOpen(now->state)) return;
  if (now->state == "CANCELING") {
    setOutcome(*now, "CANCELED", canceledText(*now));
  } else if (run.hidden.contains("outcome")) {
    now->hidden["outcome"] = run.hidden["outcome"];
  }
  const nlohmann::json& outcome = now->hidden["outcome"];
  now->state = outcome["state"];
  now->body["lifecycleState"] = now->state;
  now->body["lifecycleDetails"] = outcome["details"];
  now->body["timeFinished"] = timeText(toMillis(parts_.clock.now()));
  const int failed = outcome["failedGroup"];
  for (std::size_t g = 0; g < plan_.groups.size(); ++g)
    setGroupState(*now, g, static_cast<int>(g) == failed ? "FAILED" : "DELETED",
                  static_cast<int>(g) == failed ? outcome["details"].get<std::string>() : "");
  updateResource(transaction, *now);
  releaseUsage(transaction, now->id);
  transaction.commit();
}

void RunDriver::refreshToken(const Resource& run) {
  const TimePoint now = parts_.clock.now();
  if (now + kTokenLifetime / 2 < tokenExpiry_) return;
  const auto expiry = writeRunToken(run, folder_, parts_.tokens, now);
  if (expiry) {
    tokenExpiry_ = *expiry;
  } else {
    logLine("job run " + run.id + ": " + describe(expiry.error()));
    tokenExpiry_ = now + kTokenLifetime / 2 + std::chrono::seconds(10);  // tried again then
  }
}

}  // namespace lockstep::rehearsal
